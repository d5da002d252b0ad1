import {
  discountFields,
  type CompletedResponse,
  type FailedResponse,
  type ToolContext,
  type ToolFailure,
  type ToolStats,
} from "./envelope.ts";
import type { ErrorCode, ToolError } from "./error.ts";
import { echo, withHint } from "./text.ts";

/** One reason why an answer is partial, and what to call next. */
export interface Discount {
  /** Another page follows; something is missing; the result is of lower quality; nothing was done. */
  readonly label: "Truncated" | "Partial" | "Warning" | "Dry Run";
  /** "Showing first 50 matches." */
  readonly reason: string;
  /** "Narrow 'pattern' or 'path', or raise 'limit' (max 200)." */
  readonly next: string;
  /** Writes `next` below the bracketed line instead of inside it. @default false */
  readonly nextOnOwnLine?: boolean;
  /** The parameters that a definite next call changes (`undefined` drops one); becomes `context.next_call`. */
  readonly change?: Readonly<Record<string, unknown>>;
  /**
   * Says that a deadline or an abort ended the work; only such an outcome is still returned after an abort, and it has no
   * `next_call`.
   * @default false
   */
  readonly stoppedEarly?: boolean;
}

/** The result of a tool's work; `status` and `text` are derived from it. */
export interface Outcome<Data extends object, Stats extends object = object> {
  readonly data: Data;
  /** The first lines of `text`; `elapsedMs` is what `stats.time_ms` will say. */
  readonly summary: (elapsedMs: number) => readonly string[];
  /** Any discount makes the answer partial. */
  readonly discounts?: readonly Discount[];
  /** Lines after the discounts that do not make the answer partial. */
  readonly notes?: readonly string[];
  /** What follows after a blank line: entries, paths. */
  readonly body?: string;
  /** `time_ms` is added. */
  readonly stats?: Stats & Readonly<Record<string, number | string>>;
  /**
   * Says that the tool has its own pages, so that a truncator leaves the answer alone: `context.truncation_skip`.
   * @default false
   */
  readonly pagesItself?: boolean;
}

/** The envelope's `text` for an outcome. */
export function outcomeText(outcome: Outcome<object>, elapsedMs: number): string {
  const { summary, discounts = [], notes = [], body = "" } = outcome;
  const head = [...summary(elapsedMs), ...discounts.map(discountLine), ...notes].join("\n");
  return body === "" ? head : `${head}\n\n${body}`;
}

/** A change of parameters as a model would write it: "start_line=5 start_column=7". */
export function assigned(change: Readonly<Record<string, unknown>>): string {
  return Object.entries(change)
    .map(([name, value]) => `${name}=${typeof value === "string" ? `'${echo(value)}'` : JSON.stringify(value)}`)
    .join(" ");
}

/** Whether a deadline or an abort stopped the work early. */
export function wasStoppedEarly({ discounts = [] }: Outcome<object>): boolean {
  return discounts.some(({ stoppedEarly = false }) => stoppedEarly);
}

/** What the next call changes, if that is definite. */
export function nextChange(outcome: Outcome<object>): Readonly<Record<string, unknown>> | undefined {
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

function discountLine({ label, reason, next, nextOnOwnLine = false }: Discount): string {
  return nextOnOwnLine ? `[${label}: ${reason}]\n${next}` : `[${label}: ${reason} ${next}]`;
}

/** What an answer consists of before its status is known. */
interface Parts<Data extends object, Stats extends object> {
  readonly data: Data;
  readonly text: string;
  readonly stats: ToolStats & Stats;
  readonly context: ToolContext;
}

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

/** The answer to a call that no tool could run, for hosts: they don't set a status either. */
export function errorResponse(
  { code, message, hint }: ToolError,
  { context, elapsedMs = 0 }: { readonly context: ToolContext; readonly elapsedMs?: number },
): FailedResponse<ErrorCode> {
  const stats = { time_ms: Math.max(0, Math.round(elapsedMs)) };
  return failedResponse({ data: {}, text: withHint(message, hint), stats, context }, { code, message });
}
