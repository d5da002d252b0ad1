import type * as z from "./zod.ts";
import { definitionOf } from "./definition.ts";
import type { Discount, Outcome, RunOptions, Tool, ToolCall, ToolSpec } from "./definition.ts";
import { completedResponse, discountFields, errorResponse, type ToolContext, type ToolResponse } from "./envelope.ts";
import { type ErrorCode, isToolError, ToolError } from "./error.ts";
import { jsonCopy, recordOf } from "./json.ts";
import type { ParamRules } from "./params/explain.ts";
import { parseParams, readParams } from "./params/read.ts";
import { withNotes } from "./text.ts";

// Long enough for a search to return what it has found, short enough to feel prompt.
const GRACE_MS = 250;
const AFTER_WRITING = "The change may or may not have been made: look at the file before you repeat the call.";
const AFTER_TIMEOUT = "Repeat the call with a narrower 'path' or a smaller 'limit', or allow it more time.";
const AFTER_ABORT = "Repeat the call if its result is still needed.";

/** Makes a tool that validates its parameters, derives its status, and answers every call with an envelope. */
export function defineTool<Schema extends z.ZodObject, Data extends object, Stats extends object = object>(
  spec: ToolSpec<Schema, Data, Stats>,
): Tool<z.output<Schema>, Data, z.input<Schema>, Stats> {
  const has = (tool: string) => spec.siblings?.includes(tool) ?? true;
  const run = (params: unknown, options?: RunOptions) => answer(spec, has, params, options);
  // Assigned, since a spread would make the JSON Schema at once.
  return Object.assign(definitionOf(spec, has), { run, call: run });
}

async function answer<Schema extends z.ZodObject, Data extends object, Stats extends object>(
  spec: ToolSpec<Schema, Data, Stats>,
  has: ToolCall["has"],
  params: unknown,
  options: RunOptions | undefined,
): Promise<ToolResponse<Data, ErrorCode, Stats>> {
  const startedAt = performance.now();
  const given = readParams(params, { shortensStrings: spec.effect === "write" });
  const noted: Record<string, unknown> = {};
  const notes = new Set<string>();
  const record = () => {
    const elapsedMs = Math.max(0, Math.round(performance.now() - startedAt));
    const context: ToolContext = { cwd: spec.cwd ?? ".", params_input: given.paramsInput, ...noted };
    // The report on a change is short and must not be lost.
    if (spec.effect === "write") Object.assign(context, { truncation_skip: true });
    return { elapsedMs, context };
  };
  const failed = (error: ToolError): ToolResponse<Data, ErrorCode, Stats> => {
    const response = errorResponse(error, record());
    return { ...response, text: withNotes(response.text, [...notes]) };
  };
  try {
    // A caller without types may pass null for none, as to fetch.
    const signal = options?.signal ?? undefined;
    if (signal?.aborted === true) throw abortedError(signal);
    const parsed = parseParams(given, spec);
    const call: Omit<ToolCall, "signal"> = {
      has,
      note: (context) => void Object.assign(noted, context),
      tell: (line) => void notes.add(line),
    };
    parsed.notes.forEach(call.tell);
    const outcome = await perform(spec, parsed.input, call, signal);
    const { elapsedMs, context } = record();
    const next = nextCall(spec, parsed.given, nextChange(outcome));
    if (next !== undefined) Object.assign(context, { next_call: next });
    if (outcome.pagesItself === true) Object.assign(context, { truncation_skip: true });
    const text = withNotes(outcomeText(outcome, elapsedMs), [...notes]);
    const stats = Object.assign({ time_ms: elapsedMs }, outcome.stats);
    return completedResponse({ data: outcome.data, text, stats, context }, (outcome.discounts ?? []).length > 0);
  } catch (error) {
    const failure = asToolError(spec, error);
    try {
      return failed(failure);
    } catch (bug) {
      // An error's own layout is code of the tool.
      return failed(asToolError(spec, bug));
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
    // A signal of its own: Node warns of a leak where eleven calls listen to the same one.
    const own = signal && AbortSignal.any([signal]);
    const work = spec.run(input, { ...call, signal: own ?? new AbortController().signal });
    const outcome = await orAborted(work, own, GRACE_MS);
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
  change: Discount["change"],
): ToolContext["next_call"] {
  if (change === undefined) return undefined;
  const params: Readonly<Record<string, unknown>> = { ...given, ...change };
  // A copy leaves out what is undefined.
  const inOrder = Object.keys(input.shape).map((key) => [key, params[key]]);
  return { tool: name, params: recordOf(jsonCopy(Object.fromEntries(inOrder))) };
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

export function outcomeText(outcome: Outcome<object>, elapsedMs: number): string {
  const { summary, discounts = [], notes = [], body = "" } = outcome;
  const head = [...summary(elapsedMs), ...discounts.map(discountLine), ...notes].join("\n");
  return body === "" ? head : `${head}\n\n${body}`;
}

function discountLine({ label, reason, next, nextOnOwnLine = false }: Discount): string {
  return nextOnOwnLine ? `[${label}: ${reason}]\n${next}` : `[${label}: ${reason} ${next}]`;
}

/** Whether a deadline or an abort stopped the work early. */
function wasStoppedEarly({ discounts = [] }: Outcome<object>): boolean {
  return discounts.some(({ stoppedEarly = false }) => stoppedEarly);
}

/** What the next call changes, if that is definite. */
export function nextChange(outcome: Outcome<object>): Discount["change"] {
  return wasStoppedEarly(outcome) ? undefined : outcome.discounts?.find(({ change }) => change !== undefined)?.change;
}

/** An incomplete answer without a reason or a next step leaves the model guessing, so it is a bug in the tool. */
export function assertDiscountsExplained({ data, discounts = [] }: Outcome<object>): void {
  const [field] = discountFields(data);
  if (field !== undefined && discounts.length === 0) {
    throw new TypeError(`data.${field} makes the answer partial, but no discount gives the reason and a next step.`);
  }
  for (const { label, reason, next } of discounts) {
    if (reason.trim() === "" || next.trim() === "") {
      throw new TypeError(`A discount needs a reason and a next step, but one labelled "${label}" lacks them.`);
    }
  }
}

/** The error of a call that its caller aborted; with "write", of one that may already have changed something. */
export function abortedError(signal: AbortSignal, effect: "read" | "write" = "read"): ToolError {
  const timedOut = recordOf(signal.reason).name === "TimeoutError";
  return new ToolError(timedOut ? "TIMEOUT" : "EXECUTION_ERROR", "Aborted by the caller.", {
    hint: effect === "write" ? AFTER_WRITING : timedOut ? AFTER_TIMEOUT : AFTER_ABORT,
  });
}

/** Whether a failure is only a consequence of the abort, not a bug that happened to come after it. */
export function isConsequenceOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return Object.is(error, signal.reason) || isToolError(error) || recordOf(error).name === "AbortError";
}

/** Settles as `promise` does, or rejects with the signal's reason once it has not settled `graceMs` after the abort. */
export async function orAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
  graceMs = 0,
): Promise<Result> {
  if (signal === undefined) return promise;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      if (graceMs > 0) grace = setTimeout(reject, graceMs, signal.reason);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is what the caller chose
      else reject(signal.reason);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}
