import type { ToolResponse } from "@fstools/protocol";

/** Any tool's answer. */
export type Answer = ToolResponse<object>;

/** A member of an answer's data, whatever it is. */
export function dataOf(answer: Answer | undefined, key: string): unknown {
  return answer === undefined ? undefined : Reflect.get(answer.data, key);
}

/** The strings of a list in an answer's data; empty if there is none. */
export function stringsIn(answer: Answer | undefined, key: string): string[] {
  const list = dataOf(answer, key);
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}

/** The `path` and `type` of each entry that LS returned. */
export function entriesIn(answer: Answer | undefined): { path: string; type: string }[] {
  const list = dataOf(answer, "entries");
  return Array.isArray(list) ? list.filter(isEntry) : [];
}

function isEntry(value: unknown): value is { path: string; type: string } {
  return typeof value === "object" && value !== null && "path" in value && "type" in value;
}

/** The matches that Grep returned. */
export function matchesIn(answer: Answer | undefined): { file: string; text: string }[] {
  const list = dataOf(answer, "matches");
  return Array.isArray(list) ? list.filter(isMatch) : [];
}

/** The files in which Grep found something. */
export function filesIn(answer: Answer | undefined): string[] {
  return matchesIn(answer).map(({ file }) => file);
}

function isMatch(value: unknown): value is { file: string; text: string } {
  return typeof value === "object" && value !== null && "file" in value && "text" in value;
}
