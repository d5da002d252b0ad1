import type { ToolResponse } from "@fstools/protocol";
import { type NamedFile, Refusal, refusal } from "./refusal.ts";
import type { CallTool, CommandInput } from "./trained-tool.ts";
import { numberedLines } from "./view.ts";

const NO_MATCH = "old_string not found in '";
const MANY_MATCHES = /^old_string must be unique, but it occurs (.+?) times in '.*' \(lines (.*)\)\.$/su;
const PAST_END = /^insert_line \(\d+\) exceeds file length \((\d+) lines\)\.$/u;

/** What a replacement is answered with. */
export interface Replacement {
  readonly done: (snippet: string) => string;
  readonly noMatch: (text: string) => string;
  readonly manyMatches: (text: string, count: string, lines: string) => string;
  readonly missing: string;
  readonly line: (number: number, text: string) => string;
}

/** Replaces a text that is in one place of a file. */
export async function replaceText(
  call: CallTool,
  file: NamedFile,
  { old_str: old, new_str: replacement }: CommandInput,
  { done, noMatch, manyMatches, missing, line }: Replacement,
): Promise<string> {
  const response = await call("Edit", { path: file.path, old_string: old, new_string: replacement ?? "" });
  if (response.status === "error") {
    const { message } = response.error;
    const [, count, lines] = MANY_MATCHES.exec(message) ?? [];
    if (message.startsWith(NO_MATCH)) throw new Refusal(noMatch(String(old)));
    if (count !== undefined && lines !== undefined) throw new Refusal(manyMatches(String(old), count, lines));
    throw refusal(response, file, missing);
  }
  const body = response.text.slice(response.text.indexOf("\n\n"));
  const snippet = numberedLines(body)
    .map(([number, text]) => line(number, text))
    .join("\n");
  const sentence = done(snippet);
  // What was found although it differs has to be looked at.
  const isShown = sentence.endsWith(snippet) || !("fallback" in response.data);
  return withNotes(sentence, response) + (isShown ? "" : `\n${snippet}`);
}

/** Puts a text after a line. */
export async function insertText(
  call: CallTool,
  file: NamedFile,
  { insert_line: line, insert_text: text, new_str: older }: CommandInput,
  missing: string,
): Promise<string> {
  if (line === undefined) throw new Refusal("Error: Missing required parameter `insert_line`.");
  // One that is out of range in any case: the answer says what the range is.
  const asked = typeof line === "number" && line < 0 ? Number.MAX_SAFE_INTEGER : line;
  const response = await call("Edit", { path: file.path, insert_line: asked, new_string: text ?? older });
  if (response.status !== "error") return withNotes(`The file ${file.shown} has been edited.`, response);
  const [, count] = PAST_END.exec(response.error.message) ?? [];
  if (count === undefined) throw refusal(response, file, missing);
  throw new Refusal(
    `Error: Invalid \`insert_line\` parameter: ${JSON.stringify(line)}. It should be within the range of lines of the file: [0, ${count}]`,
  );
}

/** Writes a whole file. */
export async function createFile(call: CallTool, file: NamedFile, content: unknown): Promise<string> {
  const response = await call("Write", { path: file.path, content });
  if (response.status === "error") throw refusal(response, file);
  return withNotes(`File created successfully at: ${file.shown}`, response);
}

/** What was done, and what else is to be said of it, without what is only about the tool's own answer. */
export function withNotes(done: string, { text }: ToolResponse<object>): string {
  const [head = ""] = text.split("\n\n");
  const notes = head.split("\n").slice(1);
  return [done, ...notes.filter((note) => !/^(?:\(|\[Truncated: The diff)/u.test(note))].join("\n");
}
