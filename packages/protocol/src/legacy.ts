import type { ToolContext, ToolFailure, ToolResponse, ToolStats } from "./envelope.ts";
import { completedResponse, failedResponse, isNamed, isToolResponse, relativePathProblem } from "./envelope.ts";
import { isRecord, jsonCopy, recordOf } from "./json.ts";
import { withHint } from "./text.ts";

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(["status", "data", "text", "error", "stats", "context"]);
// "Error: boom", and an exception as a string: "TypeError: boom", "Error".
const ERROR_STRING = /^\w*Error(?:: |$)/u;
const HINT = "Check the parameters and repeat the call, or try another tool.";

/** Turns what an older tool returned into an envelope; an envelope comes back as it is. Never throws. */
export function fromLegacy(value: unknown): ToolResponse {
  if (isToolResponse(value)) return value;
  const copy = jsonCopy(value, { maxValues: 5_000_000 });
  const legacy = isRecord(copy) ? copy : fromPlainValue(copy);
  const failure = failureOf(legacy);
  const rest = { stats: statsOf(legacy.stats), context: contextOf(legacy.context) };
  return failure === undefined
    ? completedResponse({ data: dataOf(legacy), text: textOf(legacy.text), ...rest }, legacy.status === "partial")
    : failedResponse({ data: {}, text: failureText(failure, legacy.text), ...rest }, failure);
}

function fromPlainValue(value: unknown): Record<string, unknown> {
  if (typeof value !== "string") return { data: value };
  return ERROR_STRING.test(value) ? { error: value } : { text: value };
}

function failureOf({ error, status }: Record<string, unknown>): ToolFailure | undefined {
  if (status !== "error" && !isNamed(error)) return undefined;
  const { message, code } = isRecord(error) ? error : { message: error };
  const sentence = sentenceOf(message);
  return {
    code: typeof code === "string" && code !== "" ? code : "INTERNAL_ERROR",
    message: sentence === "" ? "Unknown error." : sentence,
  };
}

function failureText({ message }: ToolFailure, text: unknown): string {
  const sentence = sentenceOf(text);
  if (sentence === "" || sentence === message) return withHint(message, HINT);
  return sentence.startsWith(message) ? sentence : `${message}\n${sentence}`;
}

function sentenceOf(words: unknown): string {
  return typeof words === "string" ? words.replace(/^Error:\s*/u, "") : "";
}

function dataOf(legacy: Record<string, unknown>): Record<string, unknown> {
  const { data } = legacy;
  const strays = Object.fromEntries(Object.entries(legacy).filter(([key]) => !ENVELOPE_KEYS.has(key)));
  if (isRecord(data)) return { ...strays, ...data };
  return data === undefined || data === null ? strays : { ...strays, value: data };
}

function textOf(text: unknown): string {
  return typeof text === "string" && text !== "" ? text : "Done; the tool gave no summary.";
}

function statsOf(stats: unknown): ToolStats {
  const kept: Record<string, number | string> = {};
  for (const [key, value] of Object.entries(recordOf(stats))) {
    if (typeof value === "number" || typeof value === "string") kept[key] = value;
  }
  const { time_ms: time } = kept;
  return { ...kept, time_ms: typeof time === "number" ? Math.max(0, Math.round(time)) : 0 };
}

function contextOf(value: unknown): ToolContext {
  // The last two promise calls that can be made as they are.
  const { cwd, params_input, path_resolved, truncation_skip, next_call, suggestions, ...rest } = recordOf(value);
  return {
    cwd: isRelativePath(cwd) ? cwd : ".",
    params_input: params_input ?? {},
    ...(isRelativePath(path_resolved) ? { path_resolved } : {}),
    ...(typeof truncation_skip === "boolean" ? { truncation_skip } : {}),
    ...rest,
  };
}

function isRelativePath(path: unknown): path is string {
  return relativePathProblem(path) === undefined;
}
