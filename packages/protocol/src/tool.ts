import type * as z from "./zod.ts";
import { abortedError, isConsequenceOfAbort, untilAborted } from "./abort.ts";
import type { CompletedResponse, FailedResponse, ToolContext, ToolResponse } from "./envelope.ts";
import { type ErrorCode, isToolError, type NextCall, ToolError } from "./error.ts";
import { jsonCopy, recordOf } from "./json.ts";
import { parametersSchema } from "./params/json-schema.ts";
import { once } from "./once.ts";
import {
  assertDiscountsExplained,
  completedResponse,
  failedResponse,
  nextChange,
  type Outcome,
  outcomeText,
  wasStoppedEarly,
} from "./outcome.ts";
import type { ParamRules } from "./params/explain.ts";
import { parseParams, readParams } from "./params/read.ts";
import { withHint, withNotes } from "./text.ts";

/** What a call may be given besides its parameters. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the call belongs in a distributed trace (W3C Trace Context), for those who watch calls. */
  readonly traceparent?: string | undefined;
}

/** What a tool does to files: looks at them, or changes them. */
export type ToolEffect = "read" | "write";

/** What a model or a host knows about a tool before it is called; it needs no project. */
export interface ToolDefinition<Input = unknown> {
  readonly name: string;
  /** Its name for people, such as "Read file". */
  readonly title?: string | undefined;
  /** Written for the model that will call it. */
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** JSON Schema for function calling, made from `inputSchema` when it is first asked for. */
  readonly jsonSchema: object;
  readonly effect: ToolEffect;
  /** Other name → the parameter that it is taken for; another case of a name needs no entry. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** A tool that a model can call. */
export interface Tool<
  Input = unknown,
  Data extends object = object,
  Given = unknown,
  Stats extends object = object,
> extends ToolDefinition<Input> {
  /** Answers every call with an envelope, whatever parameters a model sends; never rejects. */
  run(params: unknown, options?: RunOptions): Promise<ToolResponse<Data, ErrorCode, Stats>>;
  /** The same for calls in code: the compiler checks the parameters. */
  call(params: Given, options?: RunOptions): Promise<ToolResponse<Data, ErrorCode, Stats>>;
}

/** Receives unexpected exceptions; the envelope says nothing about them. */
export type OnInternalError = (error: unknown, info: { readonly tool: string }) => void;

/** Receives what a host should know about how a tool works here; no model is told. */
export type OnWarning = (message: string, info: { readonly tool: string }) => void;

/** What a tool's own code gets besides its input. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Whether the model has a tool of this name; hints name only such tools. */
  has(tool: string): boolean;
  /** Adds to the envelope's `context`, even if an error comes later. */
  note(context: Readonly<Record<string, unknown>>): void;
  /** Adds a line to the notes in `text`, once, even if an error comes later. */
  tell(line: string): void;
}

/** What a tool is, apart from any project. */
export interface ToolDescription<Schema extends z.ZodObject> extends ParamRules<Schema> {
  /** Its name for people, such as "Read file". */
  readonly title?: string;
  /** Written for the model; a function of the tools that it has, where the text speaks of others. */
  readonly description: string | ((has: (tool: string) => boolean) => string);
  /**
   * A tool that writes keeps only the size of strings over 4 KiB in `params_input`, sets `truncation_skip`, and reports
   * what it did even after an abort.
   * @default "read"
   */
  readonly effect?: ToolEffect;
}

/** The description from which {@link defineTool} makes a tool. */
export interface ToolSpec<
  Schema extends z.ZodObject,
  Data extends object,
  Stats extends object = object,
> extends ToolDescription<Schema> {
  /** `context.cwd`: POSIX, relative to the project root. @default "." */
  readonly cwd?: string;
  readonly onInternalError?: OnInternalError | undefined;
  /** Turns a lower layer's failure into this tool's own error; returns the failure itself if it has nothing to add. */
  readonly explain?: (error: unknown, input: z.output<Schema>, call: Pick<ToolCall, "has">) => unknown;
  /** The work; throws a ToolError when it fails, or `call.signal.reason` when it was aborted. */
  readonly run: (input: z.output<Schema>, call: ToolCall) => Promise<Outcome<Data, Stats>>;
}

/** A definition that can also be asked for as a model with fewer tools should read it. */
export interface DescribedTool<Input = unknown> extends ToolDefinition<Input> {
  /** The same for a model that has only these tools: the description speaks of no other. */
  among(siblings: readonly string[]): ToolDefinition<Input>;
}

/** Describes a tool without a project to use it on. */
export function describeTool<Schema extends z.ZodObject>(
  spec: ToolDescription<Schema>,
): DescribedTool<z.output<Schema>> {
  return Object.assign(definitionOf(spec, spec.siblings), {
    among: (siblings: readonly string[]) => definitionOf(spec, siblings),
  });
}

function definitionOf<Schema extends z.ZodObject>(
  spec: ToolDescription<Schema>,
  siblings: readonly string[] | undefined,
): ToolDefinition<z.output<Schema>> {
  const { name, title, description, effect = "read", aliases = {}, unadvertised } = spec;
  const schema = once(() => parametersSchema(spec.input, unadvertised));
  return {
    name,
    title,
    description: typeof description === "string" ? description : description(hasAmong(siblings)),
    get inputSchema() {
      return spec.input;
    },
    get jsonSchema() {
      return schema();
    },
    effect,
    aliases,
  };
}

function hasAmong(siblings: readonly string[] | undefined): (tool: string) => boolean {
  return (tool) => siblings?.includes(tool) ?? true;
}

/** Makes a tool that validates its parameters, derives its status, and answers every call with an envelope. */
export function defineTool<Schema extends z.ZodObject, Data extends object, Stats extends object = object>(
  spec: ToolSpec<Schema, Data, Stats>,
): Tool<z.output<Schema>, Data, z.input<Schema>, Stats> {
  const run = (params: unknown, options?: RunOptions) => answer(spec, params, options);
  // Assigned, since a spread would make the JSON Schema at once.
  return Object.assign(definitionOf(spec, spec.siblings), { run, call: run });
}

/** The parts of the envelope that do not depend on how the call ends. */
interface CallRecord {
  readonly elapsedMs: number;
  readonly context: ToolContext;
  /** What was taken for what. */
  readonly notes: readonly string[];
}

async function answer<Schema extends z.ZodObject, Data extends object, Stats extends object>(
  spec: ToolSpec<Schema, Data, Stats>,
  params: unknown,
  options: RunOptions | undefined,
): Promise<ToolResponse<Data, ErrorCode, Stats>> {
  const startedAt = performance.now();
  const given = readParams(params, { shortensStrings: spec.effect === "write" });
  const noted: Record<string, unknown> = {};
  const notes = new Set<string>();
  const record = (): CallRecord => {
    const elapsedMs = Math.max(0, Math.round(performance.now() - startedAt));
    const context = { cwd: spec.cwd ?? ".", params_input: given.paramsInput, ...noted };
    // The report on a change is short and must not be lost.
    if (spec.effect === "write") Object.assign(context, { truncation_skip: true });
    return { elapsedMs, context, notes: [...notes] };
  };
  try {
    // A caller without types may pass null for none, as to fetch.
    const signal = options?.signal ?? undefined;
    if (signal?.aborted === true) throw abortedError(signal);
    const parsed = parseParams(given, spec);
    const call: Omit<ToolCall, "signal"> = {
      has: hasAmong(spec.siblings),
      note: (context) => void Object.assign(noted, context),
      tell: (line) => void notes.add(line),
    };
    parsed.notes.forEach(call.tell);
    const outcome = await perform(spec, parsed.input, call, signal);
    const next = nextCall(spec, parsed.given, nextChange(outcome));
    return completed(outcome, record(), next);
  } catch (error) {
    const failure = asToolError(spec, error);
    try {
      return failed(failure, record());
    } catch (bug) {
      // An error's own layout is code of the tool.
      return failed(asToolError(spec, bug), record());
    }
  }
}

async function perform<Schema extends z.ZodObject, Data extends object, Stats extends object>(
  spec: ToolSpec<Schema, Data, Stats>,
  input: z.output<Schema>,
  call: Omit<ToolCall, "signal">,
  signal: AbortSignal | undefined,
): Promise<Outcome<Data, Stats>> {
  try {
    const outcome = await untilAborted(async (own) => spec.run(input, { ...call, signal: own }), signal);
    // A change that was made despite the abort is reported: it can't be taken back.
    if (signal?.aborted === true && !wasStoppedEarly(outcome) && spec.effect !== "write") throw abortedError(signal);
    assertDiscountsExplained(outcome);
    return outcome;
  } catch (error) {
    if (signal !== undefined && isConsequenceOfAbort(error, signal)) throw abortedError(signal, spec.effect);
    throw asToolError(spec, spec.explain === undefined ? error : spec.explain(error, input, call));
  }
}

function nextCall(
  { name, input }: ParamRules<z.ZodObject>,
  given: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> | undefined,
): NextCall | undefined {
  if (change === undefined) return undefined;
  const params: Readonly<Record<string, unknown>> = { ...given, ...change };
  // A copy leaves out what is undefined.
  const inOrder = Object.keys(input.shape).map((key) => [key, params[key]]);
  return { tool: name, params: recordOf(jsonCopy(Object.fromEntries(inOrder))) };
}

function completed<Data extends object, Stats extends object>(
  outcome: Outcome<Data, Stats>,
  { elapsedMs, context, notes }: CallRecord,
  next: NextCall | undefined,
): CompletedResponse<Data, Stats> {
  const { data, discounts = [], pagesItself = false } = outcome;
  const text = withNotes(outcomeText(outcome, elapsedMs), notes);
  if (next !== undefined) Object.assign(context, { next_call: next });
  if (pagesItself) Object.assign(context, { truncation_skip: true });
  const stats = Object.assign({ time_ms: elapsedMs }, outcome.stats);
  return completedResponse({ data, text, stats, context }, discounts.length > 0);
}

function failed(error: ToolError, record: CallRecord): FailedResponse<ErrorCode> {
  const { code, message, hint, report, suggestions, nextCall } = error;
  const text = withNotes(report?.text?.(record.elapsedMs) ?? withHint(message, hint), record.notes);
  const stats = { time_ms: record.elapsedMs, ...report?.stats };
  const context = { ...record.context, ...(suggestions.length > 0 ? { suggestions: [...suggestions] } : {}) };
  if (nextCall !== undefined) Object.assign(context, { next_call: nextCall });
  return failedResponse({ data: report?.data ?? {}, text, stats, context }, { code, message });
}

/** A tool's name, and who receives its unexpected exceptions. */
export type Reporter = Pick<ToolSpec<z.ZodObject, object>, "name" | "onInternalError">;

/** An error that may be shown: a ToolError unchanged; anything else is reported and replaced by one without details. */
export function asToolError(tool: Reporter, error: unknown): ToolError {
  if (isToolError(error)) return error;
  void reportInternalError(tool, error);
  return new ToolError("INTERNAL_ERROR", `Unexpected internal error in ${tool.name}.`, {
    hint: "Repeat the call once; if it fails again, try other parameters or another tool.",
    cause: error,
  });
}

/** Tells the host of an unexpected exception; never rejects. */
export async function reportInternalError({ name, onInternalError }: Reporter, error: unknown): Promise<void> {
  try {
    const reported: unknown = onInternalError?.(error, { tool: name });
    await reported;
  } catch {
    // If the listener fails too, there is nothing left to report to.
  }
}
