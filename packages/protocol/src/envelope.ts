import * as z from "./zod.ts";
import type { ErrorCode, ToolError } from "./error.ts";
import { isRecord, recordOf } from "./json.ts";
import { once } from "./once.ts";
import { outputSchema, type JsonSchema } from "./params/json-schema.ts";
import { withHint } from "./text.ts";

/** Everything else about the envelope's structure is derived from it. */
export const envelopeSchema = once(() =>
  z.strictObject({
    status: z
      .enum(["success", "partial", "error"])
      .describe("How the call went: as asked, with something left out, or not at all."),
    data: z.record(z.string(), z.unknown()).describe("The tool's result; {} on most errors."),
    text: z.string().min(1).describe("Summary for the model: what was done and what to call next."),
    error: z
      .strictObject({ code: z.string().min(1), message: z.string().min(1) })
      .optional()
      .describe("Present only when status is error."),
    stats: z
      .object({ time_ms: z.int().min(0).describe("Whole milliseconds.") })
      .catchall(z.union([z.number(), z.string()])),
    context: z.looseObject({
      cwd: z.string().min(1).describe("Working directory: POSIX, relative to the project root."),
      params_input: z
        .unknown()
        .refine((value): boolean => value !== undefined, "params_input is missing.")
        .describe("What the caller passed, as JSON holds it."),
      path_resolved: z.string().optional().describe("The path that was used: POSIX, relative to the project root."),
      truncation_skip: z.boolean().optional().describe("Set by a tool that pages by itself."),
      next_call: z
        .strictObject({ tool: z.string().min(1), params: z.record(z.string(), z.unknown()) })
        .optional()
        .describe("The call that continues a partial answer, where it is definite."),
      suggestions: z.array(z.string().min(1)).min(1).optional().describe("Paths that may have been meant, best first."),
    }),
  }),
);

type Envelope = z.output<ReturnType<typeof envelopeSchema>>;

/** How a call went: complete, with something missing, or failed. */
export type ToolStatus = Envelope["status"];

/** What went wrong: a machine-readable code and one sentence. Third-party tools may have codes of their own. */
export interface ToolFailure<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
}

/** Figures about the call; each is a number or a string. */
export type ToolStats = Readonly<Envelope["stats"]>;

/** Where and with what the call ran. */
export type ToolContext = Readonly<Envelope["context"]>;

interface Parts<Data extends object, Stats extends object> {
  readonly data: Data;
  /** The summary that a model reads: what was done, what is missing, what to call next. */
  readonly text: string;
  readonly stats: ToolStats & Stats;
  readonly context: ToolContext;
}

/** An answer with a result, complete ("success") or not ("partial"). */
export interface CompletedResponse<Data extends object, Stats extends object = object> extends Parts<Data, Stats> {
  readonly status: Exclude<ToolStatus, "error">;
  readonly error?: never;
}

/** An answer without a usable result; `data` is empty, unless the error carries what was found out before it. */
export interface FailedResponse<Code extends string = string> extends Parts<Readonly<Record<string, unknown>>, object> {
  readonly status: "error";
  readonly error: ToolFailure<Code>;
}

/** The envelope that every tool answers with. */
export type ToolResponse<
  Data extends object = Record<string, unknown>,
  Code extends string = string,
  Stats extends object = object,
> = CompletedResponse<Data, Stats> | FailedResponse<Code>;

export function isToolResponse(value: unknown): value is ToolResponse {
  try {
    return toolResponseSchema.safeParse(value).success;
  } catch {
    return false;
  }
}

/** What is wrong with a path that should be POSIX and relative to the project root, if anything. */
export function relativePathProblem(path: unknown): string | undefined {
  if (typeof path !== "string") return "is not a string";
  if (path === "") return "is empty";
  if (path.startsWith("/")) return "is absolute";
  // A listed directory may end in a slash.
  const segments = path.replace(/\/$/u, "").split("/");
  if (segments.includes("..")) return "has a '..' segment";
  if (path !== "." && segments.some((segment) => segment === "" || segment === ".")) return "is not normalised";
  return undefined;
}

export const TRUNCATION_MARK = "⚠️ 输出过大已截断";

export function isTruncatorData(data: object): data is { truncation: object; preview: string } {
  const { truncation, preview } = recordOf(data);
  return isRecord(truncation) && typeof preview === "string";
}

const DISCOUNTS = Object.entries<(value: unknown) => boolean>({
  truncated: (value) => value === true,
  diff_truncated: (value) => value === true,
  applied: (value) => value === false,
  failed_items: (value) => Array.isArray(value) && value.length > 0,
  fallback: isNamed,
  fallback_encoding: isNamed,
  aborted_reason: isNamed,
});

export function discountFields(data: object): string[] {
  return DISCOUNTS.flatMap(([field, isDiscount]) => (isDiscount(Reflect.get(data, field)) ? field : []));
}

/** Whether a field says something: older tools also send `null`, `false` or "". */
export function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

/** The envelope's structure: strict top level, `error` if and only if it failed, no success with a discount. */
export const toolResponseSchema = z.lazy(() => {
  const { error, ...base } = envelopeSchema().shape;
  return z.discriminatedUnion("status", [
    z
      .strictObject({ ...base, status: z.literal("success") })
      .refine(({ data }) => discountFields(data).length === 0, "With a discount the status is partial."),
    z.strictObject({ ...base, status: z.literal("partial") }),
    z
      .strictObject({ ...base, status: z.literal("error"), error: error.unwrap() })
      .refine(
        ({ data }) => data.truncated !== true || isTruncatorData(data),
        "Only the truncator makes an error truncated.",
      ),
  ]);
});

/** The envelope as a JSON Schema whose root is an object, which is what MCP asks of an `outputSchema`. */
export const toolResponseJsonSchema = once((): JsonSchema => outputSchema(envelopeSchema()));

/** An answer with a result; a discount makes it partial. Here, and in {@link failedResponse}, status is derived. */
export function completedResponse<Data extends object, Stats extends object>(
  { data, text, stats, context }: Parts<Data, Stats>,
  isDiscounted: boolean,
): CompletedResponse<Data, Stats> {
  const status = isDiscounted || discountFields(data).length > 0 ? "partial" : "success";
  return { status, data, text, stats, context };
}

/** The answer to a call that failed. */
export function failedResponse<Code extends string>(
  { data, text, stats, context }: Parts<object, object>,
  error: ToolFailure<Code>,
): FailedResponse<Code> {
  return { status: "error", data: { ...data }, text, error, stats, context };
}

/** The answer to a call that failed, also for hosts whose call no tool could run: they don't set a status either. */
export function errorResponse(
  { code, message, hint, report, suggestions, nextCall }: ToolError,
  { context, elapsedMs = 0 }: { readonly context: ToolContext; readonly elapsedMs?: number },
): FailedResponse<ErrorCode> {
  const time_ms = Math.max(0, Math.round(elapsedMs));
  const known: ToolContext = { ...context, ...(suggestions.length > 0 ? { suggestions: [...suggestions] } : {}) };
  if (nextCall !== undefined) Object.assign(known, { next_call: nextCall });
  return failedResponse(
    {
      data: report?.data ?? {},
      text: report?.text?.(time_ms) ?? withHint(message, hint),
      stats: { time_ms, ...report?.stats },
      context: known,
    },
    { code, message },
  );
}
