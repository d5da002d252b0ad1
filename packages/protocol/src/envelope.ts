import { z } from "zod";
import { discountFields } from "./data.ts";

/** How a call went: as asked, with a discount, or not at all. */
export type ToolStatus = "success" | "partial" | "error";

/** What went wrong: a machine-readable code and one sentence. */
export interface ToolFailure {
  readonly code: string;
  readonly message: string;
}

/** Figures about the call. */
export interface ToolStats {
  /** Whole milliseconds. */
  readonly time_ms: number;
  readonly [key: string]: number | string;
}

/** A call that can be made as it stands. */
export interface NextCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Where and with what the call ran. */
export interface ToolContext {
  /** Working directory: POSIX, relative to the project root, "." for the root. */
  readonly cwd: string;
  /** What the caller passed, as JSON holds it. */
  readonly params_input: unknown;
  /** The path that was used in the end: POSIX, relative to the project root. */
  readonly path_resolved?: string;
  /** Set by a tool that pages by itself: the truncator leaves the answer alone. */
  readonly truncation_skip?: boolean;
  /** The call that continues a partial answer, where it is definite. */
  readonly next_call?: NextCall;
  /** What the caller may have meant by a path that does not exist, best first. */
  readonly suggestions?: readonly string[];
  readonly [key: string]: unknown;
}

interface EnvelopeBase {
  /** The summary that a model reads: what was done, what is missing, what to call next. */
  readonly text: string;
  readonly stats: ToolStats;
  readonly context: ToolContext;
}

/** An answer with a result, complete ("success") or not ("partial"). */
export interface CompletedResponse<Data extends object> extends EnvelopeBase {
  readonly status: "success" | "partial";
  readonly data: Data;
  readonly error?: never;
}

/** An answer without a usable result. */
export interface FailedResponse extends EnvelopeBase {
  readonly status: "error";
  /** Empty, unless the error carries what was found out before it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: ToolFailure;
}

/** The envelope that every tool answers with. */
export type ToolResponse<Data extends object = Record<string, unknown>> = CompletedResponse<Data> | FailedResponse;

/** Whether a value is an envelope; never throws. */
export function isToolResponse(value: unknown): value is ToolResponse {
  try {
    return toolResponseSchema.safeParse(value).success;
  } catch {
    return false;
  }
}

/** Whether `data` is what the truncator makes of an answer that was too long. */
export function isTruncatorData(data: object): data is { truncation: object; preview: string } {
  return (
    "truncation" in data &&
    typeof data.truncation === "object" &&
    data.truncation !== null &&
    "preview" in data &&
    typeof data.preview === "string"
  );
}

/** The envelope's structure: strict top level, `error` if and only if it failed, no success with a discount. */
export const toolResponseSchema = z.lazy(() => {
  const base = {
    data: z.record(z.string(), z.unknown()),
    text: z.string().min(1),
    stats: z.object({ time_ms: z.int().min(0) }).catchall(z.union([z.number(), z.string()])),
    context: z.looseObject({
      cwd: z.string().min(1),
      params_input: z.unknown().refine((value) => value !== undefined, "params_input is required."),
      path_resolved: z.string().optional(),
      truncation_skip: z.boolean().optional(),
      next_call: z.strictObject({ tool: z.string().min(1), params: z.record(z.string(), z.unknown()) }).optional(),
      suggestions: z.array(z.string().min(1)).optional(),
    }),
  };
  const error = z.strictObject({ code: z.string().min(1), message: z.string().min(1) });
  return z.discriminatedUnion("status", [
    z
      .strictObject({ status: z.literal("success"), ...base })
      .refine(({ data }) => discountFields(data).length === 0, "With a discount the status is partial."),
    z.strictObject({ status: z.literal("partial"), ...base }),
    z
      .strictObject({ status: z.literal("error"), ...base, error })
      .refine(
        ({ data }) => data.truncated !== true || isTruncatorData(data),
        "Only the truncator makes an error truncated.",
      ),
  ]);
});
