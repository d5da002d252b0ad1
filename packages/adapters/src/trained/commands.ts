import { dataSchemas, escapeText, type FailedResponse, type ToolResponse } from "@fstools/protocol";
import { type CallTool, type CommandInput, type NamedFile, Refusal, refusal } from "./trained-tool.ts";

const MAX_PAGE_LINES = 2000;
const MAX_PAGE_ENTRIES = 200;
const MAX_ROWS = 1000;
// About what a model can take at once, where the host sets no limit.
const MAX_CHARACTERS = 200_000;
// What a directory itself takes on most disks, and in the documentation's example.
const DIRECTORY_SIZE = "4.0K";

/** What the model asks for, and how it is shown. */
export interface View extends NamedFile {
  /** `[start, end]`, of which the end may be -1. */
  readonly range: unknown;
  readonly maxCharacters?: number | undefined;
  readonly line: (number: number, text: string) => string;
  /** What is above the lines of a file that has so many. */
  readonly heading?: (shown: string, totalLines: number | undefined) => string;
  /** What is said of a path where nothing is. */
  readonly missing: string;
}

/** Shows a file, page after page until all that is wanted is there, or a directory. */
export async function view(call: CallTool, asked: View): Promise<string | ToolResponse<object>> {
  const { path, line, heading, missing, maxCharacters = MAX_CHARACTERS } = asked;
  const [first, last] = rangeOf(asked.range);
  const texts: string[] = [];
  const notes: string[] = [];
  let total: number | undefined;
  let isCut = false;
  let params: Readonly<Record<string, unknown>> | undefined = { path, start_line: first };
  for (let characters = 0; params !== undefined && characters <= maxCharacters;) {
    const limit = Math.min(MAX_PAGE_LINES, last - Number(params.start_line) + 1);
    const response = await call("Read", { ...params, limit });
    if (response.status === "error") {
      const rows = response.error.code === "IS_DIRECTORY" ? await rowsOf(call, asked, 2) : response;
      if ("status" in rows) throw refusal(rows, asked, missing);
      return directoryText(asked.shown, rows);
    }
    if ("media" in response.data) return response;
    const { content, truncated, fallback_encoding: encoding } = dataSchemas.read.parse(response.data);
    // A long line goes on on the next page.
    for (const [number, text] of numberedLines(content)) texts[number - first] = (texts[number - first] ?? "") + text;
    characters += content.length;
    if ("total_lines" in response.stats) total = Number(response.stats.total_lines);
    if (encoding === "replace") notes[0] = "[Warning: Not valid UTF-8; bad bytes shown as U+FFFD.]";
    params = response.context.next_call?.params;
    isCut = params === undefined && truncated === true;
    if (Number(params?.start_line) > last) params = undefined;
  }
  const whole = texts.join("\n");
  const kept = whole
    .slice(0, maxCharacters)
    .replace(/\p{Surrogate}$/u, "")
    .split("\n");
  if (isCut || params !== undefined || whole.length > maxCharacters) {
    const end = first + kept.length - 1;
    // The last line may be cut.
    const next = Math.max(first + 1, end);
    const of = total === undefined ? "" : ` of ${total} lines`;
    notes.unshift(`[Truncated: Showing lines ${first}-${end}${of}. Use view_range=[${next}, -1] to continue.]`);
  }
  const above = heading === undefined ? [] : [heading(asked.shown, total)];
  return [...above, ...kept.map((text, index) => line(first + index, text)), ...notes].join("\n");
}

/** The lines of what Read and Edit show with numbers. */
function numberedLines(content: string): (readonly [number: number, text: string])[] {
  // Other characters that end a line in a regular expression do not end one here.
  const lines = content.split("\n").map((shown) => /^ *(\d+) \| ([^]*)$/u.exec(shown));
  return lines.flatMap((line) => (line === null ? [] : [[Number(line[1]), line[2] ?? ""] as const]));
}

/** @throws Refusal */
function rangeOf(range: unknown): readonly [number, number] {
  const [first = 1, last = -1]: readonly number[] = Array.isArray(range) ? range.map(Number) : [];
  if (Number.isSafeInteger(first) && first > 0 && (last >= first || last === -1)) {
    return [first, last < 0 ? Infinity : last];
  }
  throw new Refusal(
    `Error: Invalid \`view_range\` parameter: ${JSON.stringify(range)}. Pass [first line, last line or -1].`,
  );
}

export function directoryText(shown: string, rows: readonly string[]): string {
  const heading = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  const cut = rows.length > MAX_ROWS ? ["[Truncated: There are more. View a directory to see what is in it.]"] : [];
  return [heading, `${DIRECTORY_SIZE}\t${shown}`, ...rows.slice(0, MAX_ROWS), ...cut].join("\n");
}

/** What is in a directory, by name, with what is in its directories. */
async function rowsOf(call: CallTool, { path, shown }: NamedFile, levels: number): Promise<string[] | FailedResponse> {
  const response = await call("LS", { path, include_hidden: true, sort: "size", limit: MAX_PAGE_ENTRIES });
  if (response.status === "error") return response;
  const { entries } = dataSchemas.ls.parse(response.data);
  const rows: string[] = [];
  for (const entry of entries.sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const name = escapeText(entry.path.slice(entry.path.lastIndexOf("/") + 1));
    if (name.startsWith(".") || name === "node_modules") continue;
    const below = `${shown.replace(/\/+$/u, "")}/${name}`;
    const isDirectory = entry.type === "dir";
    rows.push(isDirectory ? `${DIRECTORY_SIZE}\t${below}/` : `${shownSize(entry.size ?? 0)}\t${below}`);
    const inIt = isDirectory && levels > 1 ? await rowsOf(call, { path: entry.path, shown: below }, levels - 1) : [];
    // A directory that can't be listed is there all the same.
    if (!("status" in inIt)) rows.push(...inIt);
  }
  if (response.status === "partial") rows.push(`[Truncated: Only ${entries.length} entries of ${shown} are shown.]`);
  return rows;
}

/** "0B", "1.5K", "1.2M". */
function shownSize(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)}${"BKMG".charAt(power)}`;
}

const NO_MATCH = "old_string not found in '";
const MANY_MATCHES = /^old_string must be unique, but it occurs (.+?) times in '.*' \(lines (.*)\)\.$/su;
const PAST_END = /^insert_line \(\d+\) exceeds file length \((\d+) lines\)\.$/u;

export interface Replacement {
  readonly done: (snippet: string) => string;
  readonly noMatch: (text: string) => string;
  readonly manyMatches: (text: string, count: string, lines: string) => string;
  readonly missing: string;
  readonly line: (number: number, text: string) => string;
}

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
