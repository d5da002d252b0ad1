import { isTruncatorData, type ToolResponse, TRUNCATION_MARK } from "../envelope.ts";
import { isRecord, recordOf } from "../json.ts";
import { listBody } from "./list.ts";

/** How an answer is shown to a model. */
export interface RenderOptions {
  /** "document" is `text` and what it does not hold, "compact" the same in the fewest tokens. @default "compact" */
  readonly layout?: "compact" | "document";
  /** Whether the lines of a file have their numbers in the compact layout. @default "all" */
  readonly lineNumbers?: LineNumbers | undefined;
}

/** Which lines of a file are shown with their numbers. */
export type LineNumbers = "all" | "none";

/** What goes into the model's context. */
export function renderForModel(response: ToolResponse<object>, options: RenderOptions = {}): string {
  const { layout = "compact", lineNumbers = "all" } = options;
  const { text, data } = response;
  const content = contentOf(data);
  if (layout === "document") return joined(text, content);
  if (isTruncatorData(data)) return joined(shortMark(text), content);
  const { lines, rest } = partsOf(text);
  const head = withoutTimes(lines).join("\n");
  if (response.status === "error") return joined(head, rest);
  const isEdit = "operation" in data && data.operation === "edit";
  return (
    exactEdit(response, lines) ??
    (content === "" ? listView(response, lines, rest) : fileView(response, lines, content, lineNumbers)) ??
    joined(head, isEdit ? rest.replaceAll(NUMBER, "$1\t") : rest, content)
  );
}

const NUMBER = /^ *(\d+) \| /gmu;

function contentOf(data: object): string {
  if (isTruncatorData(data)) return data.preview;
  return "content" in data && typeof data.content === "string" ? data.content : "";
}

// A mark that every reader of the view knows: our other lines of this kind have brackets, too.
function shortMark(text: string): string {
  return text.replace(MARKED_LINE, "[Output too large: $1]");
}

const MARKED_LINE = new RegExp(`^${TRUNCATION_MARK}[:. ]*([^\\n]*)`, "u");

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A list below what it does not say itself; undefined if there is no item, or not such a list. */
function listView(response: ToolResponse<object>, lines: readonly string[], rest: string): string | undefined {
  const body = listBody(response, rest);
  if (body === undefined || body.text === "") return undefined;
  const [, items, files = ""] = COUNTED.exec(lines[0] ?? "") ?? [];
  const head = items === undefined ? withoutTimes(lines) : shortHead(singular(items + files), lines, response);
  return joined(head.join("\n"), body.text);
}

function fileView(
  response: ToolResponse<object>,
  lines: readonly string[],
  content: string,
  lineNumbers: LineNumbers,
): string | undefined {
  const [first = ""] = lines;
  // opencode's own form says which file it is of.
  if (content.startsWith("<path>") && SHOWN.test(first)) return joined(notesOf(lines).join("\n"), content);
  const numbered = numberedLines(content);
  if (numbered === undefined) return undefined;
  const isBare = lineNumbers === "none";
  // Bare lines could pass for a note, so there is always something above them.
  const summary = isBare ? singular(`${numbered.length} lines`) : "";
  const head = READ.test(first) ? shortHead(summary, lines, response) : withoutTimes(lines);
  const shown = numbered.map(({ number, text }) => (isBare ? `${text}\n` : `${number}\t${text}\n`));
  return joined(head.join("\n"), shown.join(""));
}

const READ = /^Read \d+ lines from '/u;
const SHOWN = /^(?:Read \d+ lines from|Listed \d+ entries in) '/u;

/** The lines of "%4d | %s\n"; undefined if the content is anything else. */
function numberedLines(content: string) {
  if (!content.endsWith("\n")) return undefined;
  const lines: { readonly number: number; readonly text: string }[] = [];
  for (const line of content.slice(0, -1).split("\n")) {
    const [prefix, digits] = /^ *(\d+) \| /u.exec(line) ?? [];
    const number = Number(digits);
    if (prefix === undefined || number !== (lines[0]?.number ?? number) + lines.length) return undefined;
    lines.push({ number, text: line.slice(prefix.length) });
  }
  return lines;
}

/** A part of what goes into the model's context: text, or an image or document in base64. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "media"; readonly mimeType: string; readonly data: string };

/** What {@link renderForModel} gives, and the pictures and documents that come with the answer. */
export function renderParts(response: ToolResponse<object>, options: RenderOptions = {}): ModelPart[] {
  return [{ type: "text", text: renderForModel(response, options) }, ...mediaOf(response)];
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);base64,/u;

function* mediaOf({ status, data }: ToolResponse<object>): Generator<ModelPart> {
  if (status === "error") return;
  const { media, attachments } = recordOf(data);
  if (isRecord(media) && typeof media.mime_type === "string" && typeof media.data === "string") {
    yield { type: "media", mimeType: media.mime_type, data: media.data };
  }
  // opencode's form.
  for (const attachment of Array.isArray(attachments) ? attachments.filter(isRecord) : []) {
    const url = typeof attachment.url === "string" ? attachment.url : "";
    const [prefix, mimeType] = DATA_URL.exec(url) ?? [];
    if (prefix !== undefined && mimeType !== undefined) {
      yield { type: "media", mimeType, data: url.slice(prefix.length) };
    }
  }
}

/** `text` up to its first blank line, and what follows that. */
export function partsOf(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const blank = `${text}\n\n`.indexOf("\n\n");
  return { lines: text.slice(0, blank).split("\n"), rest: text.slice(blank + 2) };
}

// Only whole lines of ours: a name in quotes may look like a time.
const TOOK = /^\(Took \d+ms\)$/u;
const COUNTED_IN = /^(\(\w+ \d+ \w+) in \d+ms\)$/u;
const TOTAL = /^\(Total: \d+ items - [\w ,]+\)$/u;

function withoutTimes(lines: readonly string[]): string[] {
  return lines.filter((line) => !TOOK.test(line)).map((line) => line.replace(COUNTED_IN, "$1)"));
}

/** The lines after the first that say what an answer lacks or what to know about it: discounts and notes. */
export function notesOf([, ...lines]: readonly string[]): string[] {
  return lines.filter((line) => !TOOK.test(line) && !COUNTED_IN.test(line) && !TOTAL.test(line));
}

/** What is above a list or a file's lines: what these do not say by themselves. */
function shortHead(summary: string, lines: readonly string[], { status }: ToolResponse<object>): string[] {
  const notes = notesOf(lines);
  if (status === "partial" && notes.some((line) => line.startsWith("["))) return notes;
  return summary === "" ? notes : [summary, ...notes];
}

// "Listed 3 entries in 'src'", "Found 2 files matching '*.ts' in '.'", "Found 5 matches in 2 files for 'x' in '.'".
const COUNTED =
  /^(?:Listed|Found) (\d+ (?:entries|files|matches))( in \d+ files)? (?:in|matching|with matches for|for) '/u;

function singular(counts: string): string {
  const named = counts.replace(/\b1 entries/u, "1 entry").replace(/\b1 matches/u, "1 match");
  return named.replace(/\b1 (file|line)s/u, "1 $1");
}

const EDITED = /^Edited ('.*'): \d+ replacements? \(lines? (.*)\)\.$/u;

/** An edit of which nothing needs to be looked at: every old text was found as it stands, once, and there is no note. */
function exactEdit({ status, data, context }: ToolResponse<object>, lines: readonly string[]): string | undefined {
  const [, path, places] = EDITED.exec(lines[0] ?? "") ?? [];
  if (status !== "success" || path === undefined || places === undefined || notesOf(lines).length > 0) return undefined;
  const { replacements } = recordOf(data);
  const { edits } = recordOf(context.params_input);
  if (typeof replacements !== "number" || replacements > (Array.isArray(edits) ? edits.length : 1)) return undefined;
  return `Edited ${path}, ${/^\d+$/u.test(places) ? "line" : "lines"} ${places}.`;
}
