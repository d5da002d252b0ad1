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

/** The texts of the objects in a list of an answer's data: `path` and `type` of entries, `file` and `text` of matches. */
export function itemsIn(answer: Answer | undefined, key: "entries" | "matches"): Readonly<Record<string, string>>[] {
  const list = dataOf(answer, key);
  return Array.isArray(list) ? list.filter(isItem) : [];
}

/** The files in which Grep found something. */
export function filesIn(answer: Answer | undefined): string[] {
  return itemsIn(answer, "matches").map(({ file = "" }) => file);
}

function isItem(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null;
}
