import { isTruncatorData, type ToolResponse } from "../envelope.ts";
import { isRecord } from "../record.ts";
import { listedNames } from "../text.ts";
import { groupedPaths } from "./grouped-paths.ts";
import { matchLines, type ShownMatch } from "./match-lines.ts";

/** How an answer is shown to a model. */
export interface RenderOptions {
  /**
   * "document": `text` as it is, and below it what it does not hold. "compact": the same in the fewest tokens.
   * @default "compact"
   */
  readonly layout?: "compact" | "document";
}

const TOOK = /^\(Took \d+ms\)$/u;
const COUNTED_IN = /^(\(\w+ \d+ \w+) in \d+ms\)$/u;
const SUFFIXES: Readonly<Record<string, string>> = { dir: "/", link: "@" };
const COMPACT_MATCHES = { indent: "", gap: "", betweenFiles: "\n\n" };

/** What goes into the model's context. */
export function renderForModel(response: ToolResponse<object>, { layout = "compact" }: RenderOptions = {}): string {
  const { text, data } = response;
  const added = contentOf(data);
  if (layout === "document") return below(text, added);
  const blank = text.indexOf("\n\n");
  const head = withoutTimes(blank === -1 ? text : text.slice(0, blank));
  const rest = blank === -1 ? "" : text.slice(blank + 2);
  if (added !== "") return isTruncatorData(data) ? below(below(head, rest), added) : below(head, tabbed(added));
  return below(head, (response.status === "error" ? undefined : listOf(response, rest)) ?? rest);
}

/** What `text` does not hold: what was read, or the truncator's preview. */
function contentOf(data: object): string {
  if (isTruncatorData(data)) return data.preview;
  return "content" in data && typeof data.content === "string" ? data.content : "";
}

function below(head: string, body: string): string {
  return body === "" ? head : `${head}\n\n${body}`;
}

// Only whole lines of ours: a name in quotes may look like a time.
function withoutTimes(head: string): string {
  return head
    .split("\n")
    .filter((line) => !TOOK.test(line))
    .map((line) => line.replace(COUNTED_IN, "$1)"))
    .join("\n");
}

/** Numbered lines with a tab for "   1 | "; anything else as it is. */
function tabbed(content: string): string {
  if (!content.endsWith("\n")) return content;
  const lines = content.slice(0, -1).split("\n");
  let expected: number | undefined;
  const shown: string[] = [];
  for (const line of lines) {
    const [prefix, digits] = /^ *(\d+) \| /u.exec(line) ?? [];
    if (prefix === undefined || (expected !== undefined && Number(digits) !== expected)) return content;
    expected = Number(digits) + 1;
    shown.push(`${digits}\t${line.slice(prefix.length)}`);
  }
  return `${shown.join("\n")}\n`;
}

/** The list in `data`; undefined if it has none that this function knows. */
function listOf({ data, context }: ToolResponse<object>, rest: string): string | undefined {
  const { entries, paths, matches }: Record<string, unknown> = { ...data };
  if (isListOf(entries, isEntry)) return entryLines(entries, context.path_resolved ?? ".");
  if (isListOf(paths, isText)) return groupedPaths(paths);
  if (!isListOf(matches, isMatch)) return undefined;
  const files = matches.map(({ file }) => file);
  const counts = matches.map((match) => ("count" in match ? `: ${String(match.count)}` : ""));
  // Only the text tells which output was asked for.
  if (rest === listedNames(files, counts)) return groupedPaths(files, counts);
  if (counts.some((count) => count !== "")) return rest;
  return matchLines(matches, COMPACT_MATCHES);
}

interface Entry {
  readonly path: string;
  readonly type: string;
}

function entryLines(entries: readonly Entry[], directory: string): string {
  const prefix = `${directory}/`;
  const names = entries.map(({ path }) => {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    return name.endsWith("/") ? name.slice(0, -1) : name;
  });
  return listedNames(
    names,
    entries.map(({ type }) => SUFFIXES[type] ?? ""),
  );
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && typeof value.path === "string" && typeof value.type === "string";
}

function isMatch(value: unknown): value is ShownMatch {
  return (
    isRecord(value) &&
    typeof value.file === "string" &&
    typeof value.line === "number" &&
    typeof value.text === "string" &&
    isOptional(value.end_line, (end) => typeof end === "number") &&
    isOptional(value.before, (lines) => isListOf(lines, isText)) &&
    isOptional(value.after, (lines) => isListOf(lines, isText))
  );
}

function isOptional(value: unknown, test: (value: unknown) => boolean): boolean {
  return value === undefined || test(value);
}
