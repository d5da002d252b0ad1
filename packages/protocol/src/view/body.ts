import type { ToolResponse } from "../envelope.ts";
import { isRecord, recordOf } from "../json.ts";
import { escapeLine, listedName, listedNames } from "../text.ts";
import { groupedPaths } from "./grouped-paths.ts";
import { matchLines, type ShownMatch } from "./match-lines.ts";

/** The list of an answer as a model sees it. */
export interface Body {
  readonly text: string;
  /** How many items stand whole in the first lines of `text`. */
  readonly whole: (lines: readonly string[]) => number;
}

const SUFFIXES: Readonly<Record<string, string>> = { dir: "/", link: "@" };
const COMPACT_MATCHES = { indent: "", gap: "", betweenFiles: "\n\n" };
const DIRECTORY_LINE = /\/'?$/u;

/** The list in `data`; undefined if it has none that this function knows. `rest` is `text` after its first blank line. */
export function listBody({ data, context }: ToolResponse<object>, rest: string): Body | undefined {
  const { entries, paths, matches } = recordOf(data);
  if (isListOf(entries, isEntry)) {
    return { text: entryLines(entries, context.path_resolved ?? ".", rest), whole: ({ length }) => length };
  }
  if (isListOf(paths, isText)) return pathBody(paths);
  if (!isListOf(matches, isMatch)) return undefined;
  const files = matches.map(({ file }) => file);
  const counts = matches.map((match) => ("count" in match ? `: ${String(match.count)}` : ""));
  // Only the text tells which output was asked for.
  if (rest === listedNames(files, counts)) return pathBody(files, counts);
  if (counts.some((count) => count !== "")) return undefined;
  return { text: matchLines(matches, COMPACT_MATCHES), whole: (lines) => wholeMatches(matches, lines) };
}

function pathBody(paths: readonly string[], tails?: readonly string[]): Body {
  const whole = (lines: readonly string[]) => lines.filter((line) => !DIRECTORY_LINE.test(line)).length;
  return { text: groupedPaths(paths, tails), whole };
}

interface Entry {
  readonly path: string;
  readonly type: string;
}

/** The names in the directory, each with what `text` has behind it. */
function entryLines(entries: readonly Entry[], directory: string, rest: string): string {
  const prefix = `${directory}/`;
  const lines = rest.split("\n");
  const tails = entries.map(({ path, type }, index) => {
    const suffix = SUFFIXES[type] ?? "";
    const shown = listedName(path) + suffix;
    const line = lines[index] ?? "";
    return suffix + (line.startsWith(shown) ? line.slice(shown.length) : "");
  });
  const names = entries.map(({ path }) => {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    return name.endsWith("/") ? name.slice(0, -1) : name;
  });
  return listedNames(names, tails);
}

/** A match is whole with its last line, which it may share with the next one. */
function wholeMatches(matches: readonly ShownMatch[], shown: readonly string[]): number {
  // The first line of a file's part is its name, which may look like a line of it.
  const lines = shown.filter((_, index) => index > 0 && shown[index - 1] !== "");
  let at = 0;
  for (const [count, { line, end_line: end = line, text, after = [] }] of matches.entries()) {
    const last = end + after.length;
    const isLast = (candidate: string) =>
      after.length === 0
        ? candidate === `${line}:${escapeLine(text)}`
        : candidate.startsWith(`${last}-`) || candidate.startsWith(`${last}:`);
    const found = lines.findIndex((candidate, index) => index >= at && isLast(candidate));
    if (found === -1) return count;
    at = found + (after.length === 0 ? 1 : 0);
  }
  return matches.length;
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
  if (!isRecord(value)) return false;
  const { file, line, text, before = [], after = [] } = value;
  return (
    [file, text].every(isText) && typeof line === "number" && [before, after].every((part) => isListOf(part, isText))
  );
}
