import * as z from "../zod.ts";
import { discountFields, isTruncatorData } from "../envelope.ts";
import { isRecord, recordOf } from "../json.ts";
import { once } from "../once.ts";
import { escapeText } from "../text.ts";
import { pointer, ruleName, type Violation, violation } from "./violation.ts";

/** What the rule about a discount is called, if not as its field. */
const DISCOUNT_NAMES: Readonly<Record<string, string>> = { applied: "not_applied", aborted_reason: "aborted" };

// Words that tell a reader that something is missing; names in quotes and the list below don't count.
const EXPLAINS =
  /truncat|截断|partial|\[warning:|incomplete|fail|skipp|fallback|instead|dry.run|aborted|left out|could not/iu;
const TELLS_OF_TRUNCATION = /truncat|截断|incomplete|cut off|to continue/iu;
const TELLS_WHAT_NEXT =
  /\b(?:use|using|try|call|run|repeat|raise|raising|increase|increasing|narrow|narrowing|consider|pass|set|see|continue|next)\b|使用|尝试|缩小|增|查看|继续/iu;

export function* checkState(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const data = recordOf(response.data);
  const text = typeof response.text === "string" ? response.text : "";
  if ("truncated" in data && typeof data.truncated !== "boolean") {
    yield violation("state/truncated-type", "/data/truncated", "truncated must be a boolean.");
  }
  yield* checkControls(text, "/text");
  for (const field of response.status === "success" ? discountFields(data) : []) {
    yield violation(
      ruleName("state", DISCOUNT_NAMES[field] ?? field),
      pointer("data", field),
      `With data.${field} the status is partial.`,
    );
  }
  if (response.status === "partial") yield* checkPartial(data, text);
  if (response.status === "error" && isRecord(response.error)) yield* checkFailure(data, text, response.error.message);
}

function* checkPartial(data: Readonly<Record<string, unknown>>, text: string): Generator<Violation> {
  const words = text.replace(/\n\n[^]*$/u, "").replaceAll(/'[^'\n]*'/gu, "''");
  if (data.truncated !== true && !EXPLAINS.test(words)) {
    yield violation("state/partial-reason", "/text", "text must say why the answer is partial.");
  }
  if (data.truncated !== true) return;
  if (!TELLS_OF_TRUNCATION.test(words)) {
    yield violation("text/truncation-notice", "/text", "text must say that the result is truncated, and how to go on.");
  } else if (!("truncation" in data) && !TELLS_WHAT_NEXT.test(words)) {
    yield violation("text/next-step", "/text", "The text of a truncated answer goes on with a next step.");
  }
}

function* checkFailure(data: Readonly<Record<string, unknown>>, text: string, message: unknown): Generator<Violation> {
  if (isTruncatorData(data)) return;
  if (data.truncated === true) {
    yield violation("state/truncated", "/data/truncated", "Only the truncator makes an error truncated.");
  }
  if (typeof message === "string") yield* checkControls(message, "/error/message");
  const isBreaker = "aborted_reason" in data;
  if (!(isBreaker ? emptySearch() : failedChange()).safeParse(data).success) {
    yield violation("state/error-data", "/data", "data is empty on an error.");
  }
  if (!isBreaker && typeof message === "string") yield* checkFailureText(text, message);
}

/** A search that a breaker stopped reports what it had: nothing, and why. */
const emptySearch = once(() => {
  const nothing = z.tuple([]).optional();
  return z.looseObject({ paths: nothing, matches: nothing });
});

/** A call with several edits says which one failed, a patch what is wrong with each of its files. */
const failedChange = once(() => {
  const filled = z.string().min(1);
  const item = z.looseObject({ path: filled, hunk: z.int().min(1).optional(), message: filled });
  return z.strictObject({ failed_index: z.int().min(0).optional(), failed_items: z.array(item).optional() });
});

// In a message of several paragraphs they come after the first one.
const NOTES = /^Note: '.*' was taken as '.*'\.\n/gmu;

function* checkFailureText(text: string, message: string): Generator<Violation> {
  if (!text.replace(NOTES, "").startsWith(message)) {
    yield violation("text/error-message", "/text", "The text of an error begins with error.message.");
  } else if (text.trim() === message.trim()) {
    yield violation("text/next-step", "/text", "The text of an error goes on with a next step.");
  }
}

function* checkControls(text: string, path: string): Generator<Violation> {
  if (text.split(/[\n\t]/u).some((part) => escapeText(part) !== part)) {
    yield violation("text/control-character", path, "Controls and invisible characters are shown as escapes.");
  }
}
