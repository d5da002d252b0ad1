import type { z } from "zod";
import { abortedError, isConsequenceOfAbort, untilAborted } from "./abort.ts";
import type { CompletedResponse, FailedResponse, ToolContext, ToolResponse } from "./envelope.ts";
import { isToolError, ToolError } from "./error.ts";
import { parametersSchema } from "./json-schema.ts";
import { assertDiscountsExplained, type Outcome, outcomeText } from "./outcome.ts";
import { type ParamRules, parseParams, readParams } from "./params.ts";
import { withHint } from "./text.ts";

/** What a call may be given beside its parameters. */
export interface RunOptions {
  readonly signal?: AbortSignal;
}

/** A tool that a model can call. */
export interface Tool<Input = unknown, Data extends object = object> {
  readonly name: string;
  /** Written for the model that will call it. */
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** JSON Schema for function calling, made from `inputSchema`. */
  readonly jsonSchema: object;
  /** Answers every call with an envelope; never rejects. */
  run(params: unknown, options?: RunOptions): Promise<ToolResponse<Data>>;
}

/** Hears of exceptions that nobody expected; the envelope tells nothing about them. */
export type OnInternalError = (error: unknown, info: { readonly tool: string }) => void;

/** What a tool's own code gets beside its input. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Adds to the envelope's `context`, also for an error that comes later. */
  note(context: Readonly<Record<string, unknown>>): void;
}

/** The description from which {@link defineTool} makes a tool. */
export interface ToolSpec<Schema extends z.ZodObject, Data extends object> {
  readonly name: string;
  readonly description: string;
  /** The parameters; the message of each zod check becomes the error's message. */
  readonly input: Schema & z.ZodType<z.output<Schema>>;
  /** Wrong parameter name → the right one. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * `context.cwd`: POSIX, relative to the project root.
   * @default "."
   */
  readonly cwd?: string;
  readonly onInternalError?: OnInternalError | undefined;
  /** Words a lower layer's failure as this tool's own; returns the error itself if it has nothing to say. */
  readonly explain?: (error: unknown, input: z.output<Schema>) => unknown;
  /** The work; throws a ToolError when it fails, or `call.signal.reason` when it was aborted. */
  readonly run: (input: z.output<Schema>, call: ToolCall) => Promise<Outcome<Data>>;
}

/** Makes a tool that validates its parameters, derives its status, and answers every call with an envelope. */
export function defineTool<Schema extends z.ZodObject, Data extends object>(
  spec: ToolSpec<Schema, Data>,
): Tool<z.output<Schema>, Data> {
  const { name, description, input, aliases = {} } = spec;
  const jsonSchema = parametersSchema(input);
  const rules: ParamRules<Schema> = { tool: name, input, jsonSchema, aliases };
  return {
    name,
    description,
    inputSchema: input,
    jsonSchema,
    run: (params, options) => answer(spec, rules, params, options),
  };
}

/** The parts of the envelope that do not depend on how the call ends. */
interface CallRecord {
  readonly elapsedMs: number;
  readonly context: ToolContext;
}

async function answer<Schema extends z.ZodObject, Data extends object>(
  spec: ToolSpec<Schema, Data>,
  rules: ParamRules<Schema>,
  params: unknown,
  options: RunOptions | undefined,
): Promise<ToolResponse<Data>> {
  const startedAt = performance.now();
  const given = readParams(params);
  const noted: Record<string, unknown> = {};
  const record = (): CallRecord => ({
    elapsedMs: Math.max(0, Math.round(performance.now() - startedAt)),
    context: { cwd: spec.cwd ?? ".", params_input: given.paramsInput, ...noted },
  });
  try {
    const signal = options?.signal ?? new AbortController().signal;
    if (signal.aborted) throw abortedError(signal);
    const call: ToolCall = { signal, note: (context) => Object.assign(noted, context) };
    return completed(await perform(spec, parseParams(given, rules), call), record());
  } catch (error) {
    return failedSafely(spec, asToolError(spec, error), record());
  }
}

async function perform<Schema extends z.ZodObject, Data extends object>(
  spec: ToolSpec<Schema, Data>,
  input: z.output<Schema>,
  call: ToolCall,
): Promise<Outcome<Data>> {
  const { signal } = call;
  try {
    const outcome = await untilAborted(async () => spec.run(input, call), signal);
    if (signal.aborted && !stoppedEarly(outcome)) throw abortedError(signal);
    assertDiscountsExplained(outcome);
    return outcome;
  } catch (error) {
    if (isConsequenceOfAbort(error, signal)) throw abortedError(signal);
    throw asToolError(spec, spec.explain === undefined ? error : spec.explain(error, input));
  }
}

function stoppedEarly(outcome: Outcome<object>): boolean {
  return outcome.discounts?.some(({ label }) => label === "Partial") ?? false;
}

function completed<Data extends object>(outcome: Outcome<Data>, record: CallRecord): CompletedResponse<Data> {
  const { discounts = [], pagesItself = false } = outcome;
  return {
    status: discounts.length > 0 ? "partial" : "success",
    data: outcome.data,
    text: outcomeText(outcome, record.elapsedMs),
    stats: { time_ms: record.elapsedMs, ...outcome.stats },
    context: { ...record.context, ...(pagesItself ? { truncation_skip: true } : {}) },
  };
}

function failed(error: ToolError, record: CallRecord): FailedResponse {
  const { code, message, hint, report } = error;
  return {
    status: "error",
    data: { ...report?.data },
    text: report?.text?.(record.elapsedMs) ?? withHint(message, hint),
    error: { code, message },
    stats: { time_ms: record.elapsedMs, ...report?.stats },
    context: record.context,
  };
}

/** A tool's name, and who hears of its bugs. */
export type Reporter = Pick<ToolSpec<z.ZodObject, object>, "name" | "onInternalError">;

// An error's own layout is code of the tool, and may throw too.
function failedSafely(tool: Reporter, error: ToolError, record: CallRecord): FailedResponse {
  try {
    return failed(error, record);
  } catch (bug) {
    return failed(asToolError(tool, bug), record);
  }
}

/** An error as it may be shown: a ToolError as it is; anything else is reported, and becomes one that tells nothing. */
export function asToolError(tool: Reporter, error: unknown): ToolError {
  if (isToolError(error)) return error;
  void reportInternalError(tool, error);
  return new ToolError("INTERNAL_ERROR", `Unexpected internal error in ${tool.name}.`, {
    hint: "Repeat the call once; if it fails again, try other parameters or another tool.",
    cause: error,
  });
}

async function reportInternalError({ name, onInternalError }: Reporter, error: unknown): Promise<void> {
  try {
    const reported: unknown = onInternalError?.(error, { tool: name });
    await reported;
  } catch {
    // A listener that fails has nobody left to tell.
  }
}
