import type { ToolResponse } from "@fstools/protocol";
import type { CallTool, CommandInput, Sentences } from "./anthropic-tool.ts";
import { inTheirNames, type NamedFile, Refusal, refusal } from "./refusal.ts";
import { numberedLines } from "./view.ts";

const NO_MATCH = "old_string not found in '";
const MANY_MATCHES = /^old_string must be unique, but it occurs (.+?) times in '.*' \(lines (.*)\)\.$/su;
const PAST_END = /^insert_line \(\d+\) exceeds file length \((\d+) lines\)\.$/u;

/** Replaces a text that is in one place of a file. */
export async function replaceText(
  call: CallTool,
  file: NamedFile,
  { old_str: old, new_str: replacement }: CommandInput,
  sentences: Sentences,
  missing: string,
): Promise<string> {
  const response = await call("Edit", { path: file.path, old_string: old, new_string: replacement ?? "" });
  if (response.status === "error") {
    const { message } = response.error;
    const [, count, lines] = MANY_MATCHES.exec(message) ?? [];
    if (message.startsWith(NO_MATCH)) throw new Refusal(sentences.noMatch(file.shown, String(old)));
    if (count !== undefined && lines !== undefined) throw new Refusal(sentences.manyMatches(String(old), count, lines));
    throw refusal(response, file, missing);
  }
  const snippet = snippetOf(response, sentences);
  const sentence = sentences.replaced(snippet);
  // What was found although it differs has to be looked at.
  const isShown = sentence.endsWith(snippet) || !("fallback" in response.data);
  return [sentence, ...notesOf(response), ...(isShown ? [] : [snippet])].join("\n");
}

/** Puts a text after a line. */
export async function insertText(
  call: CallTool,
  file: NamedFile,
  { insert_line: line, insert_text: text, new_str: older }: CommandInput,
  missing: string,
): Promise<string> {
  // One that is out of range in any case: the answer says what the range is.
  const asked = typeof line === "number" && line < 0 ? Number.MAX_SAFE_INTEGER : (line ?? 0);
  const response = await call("Edit", { path: file.path, insert_line: asked, new_string: text ?? older });
  if (response.status !== "error") return [`The file ${file.shown} has been edited.`, ...notesOf(response)].join("\n");
  const [, count] = PAST_END.exec(response.error.message) ?? [];
  if (count === undefined) throw refusal(response, file, missing);
  throw new Refusal(
    `Error: Invalid \`insert_line\` parameter: ${String(line)}. It should be within the range of lines of the file: [0, ${count}]`,
  );
}

/** Writes a whole file. */
export async function createFile(call: CallTool, file: NamedFile, content: unknown): Promise<string> {
  const response = await call("Write", { path: file.path, content });
  if (response.status === "error") throw refusal(response, file);
  return [`File created successfully at: ${file.shown}`, ...notesOf(response)].join("\n");
}

/** What an answer says beyond that it was done, without what is only about its own diff and lines. */
export function notesOf({ text }: ToolResponse<object>): string[] {
  const [head = ""] = text.split("\n\n");
  const lines = head.split("\n").slice(1);
  return lines
    .filter((line) => !line.startsWith("(") && !line.startsWith("[Truncated: The diff"))
    .map((line) => inTheirNames(line).replace(" Check the lines below.", " Check the lines."));
}

function snippetOf({ text }: ToolResponse<object>, { line }: Sentences): string {
  const blank = text.indexOf("\n\n");
  return blank === -1
    ? ""
    : numberedLines(text.slice(blank + 2))
        .map(line)
        .join("\n");
}
