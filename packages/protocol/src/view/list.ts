import type { ToolResponse } from "../envelope.ts";
import { isRecord, recordOf } from "../json.ts";
import { escapeLine, listedName, listedNames } from "../text.ts";

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

/** The names in the directory, each with what `text` has behind it. */
function entryLines(entries: readonly { path: string; type: string }[], directory: string, rest: string): string {
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

function isEntry(value: unknown): value is { path: string; type: string } {
  return isRecord(value) && typeof value.path === "string" && typeof value.type === "string";
}

function isMatch(value: unknown): value is ShownMatch {
  if (!isRecord(value)) return false;
  const { file, line, text, before = [], after = [] } = value;
  return (
    [file, text].every(isText) && typeof line === "number" && [before, after].every((part) => isListOf(part, isText))
  );
}

interface Group {
  directory: string;
  readonly rows: { readonly path: string; readonly tail: string }[];
}

/** Adjacent paths below one directory stand below its path, indented by one blank, where that is shorter. */
export function groupedPaths(paths: readonly string[], tails: readonly string[] = []): string {
  const single = paths.map((path, index): Group => {
    const directory = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    return { directory, rows: [{ path, tail: tails[index] ?? "" }] };
  });
  return byDirectory(joinedLoose(byDirectory(single)))
    .map((group) => shorter(group).join("\n"))
    .join("\n");
}

function byDirectory(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const last = merged.at(-1);
    if (last?.directory === group.directory) last.rows.push(...group.rows);
    else merged.push(group);
  }
  return merged;
}

/** Directories with too few names to be worth a line are grouped by what their paths have in common. */
function joinedLoose(groups: readonly Group[]): Group[] {
  const joined: Group[] = [];
  let isLastLoose = false;
  for (const group of groups) {
    const last = joined.at(-1);
    const isLoose = shorter(group).length === group.rows.length;
    const common = last !== undefined && isLastLoose && isLoose ? commonDirectory(last.directory, group.directory) : "";
    if (last === undefined || common === "") {
      joined.push(group);
    } else {
      last.directory = common;
      last.rows.push(...group.rows);
    }
    isLastLoose = isLoose;
  }
  return joined;
}

function commonDirectory(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, one.slice(0, length).lastIndexOf("/") + 1);
}

/** The lines of a group, with its directory in front where that is shorter. */
function shorter({ directory, rows }: Group): string[] {
  const flat = rows.map(({ path, tail }) => listedName(path) + tail);
  if (directory === "" || rows.length === 1) return flat;
  const below = rows.map(({ path, tail }) => ` ${listedName(path.slice(directory.length))}${tail}`);
  const grouped = [listedName(directory), ...below];
  return grouped.join("\n").length < flat.join("\n").length ? grouped : flat;
}

/** What a search found in one place of a file. */
export interface ShownMatch {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The last line of a match that spans lines. */
  readonly end_line?: number | undefined;
  /** The lines before `line`, in the file's order. */
  readonly before?: readonly string[] | undefined;
  /** The lines after the match, in the file's order. */
  readonly after?: readonly string[] | undefined;
}

export interface MatchLayout {
  /** Before every line number, and before the "--" between parts that do not touch. */
  readonly indent: string;
  readonly gap: string;
  readonly betweenFiles: string;
}

const DOCUMENT: MatchLayout = { indent: "  ", gap: " ", betweenFiles: "\n" };

/** Matches grouped by file: its path, then its lines; context that several matches share is shown once. */
export function matchLines(matches: readonly ShownMatch[], layout: MatchLayout = DOCUMENT): string {
  const files = new Map<string, ShownMatch[]>();
  for (const match of matches) {
    const found = files.get(match.file);
    if (found === undefined) files.set(match.file, [match]);
    else found.push(match);
  }
  return [...files]
    .map(([file, found]) => [listedName(file), ...fileLines(found, layout)].join("\n"))
    .join(layout.betweenFiles);
}

function fileLines(matches: readonly ShownMatch[], { indent, gap }: MatchLayout): string[] {
  const shown = new Map<number, { readonly end: number; readonly words: string[] }>();
  for (const { line, end_line: end = line, before = [], after = [] } of matches) {
    const around = [
      ...before.map((text, index) => [line - before.length + index, text] as const),
      ...after.map((text, index) => [end + 1 + index, text] as const),
    ];
    for (const [at, text] of around) shown.set(at, { end: at, words: [`${at}-${gap}${escapeLine(text)}`] });
  }
  const first = new Set<number>();
  for (const { line, end_line: end = line, text } of matches) {
    const others = first.has(line) ? (shown.get(line)?.words ?? []) : [];
    shown.set(line, { end, words: [...others, `${line}:${gap}${escapeLine(text)}`] });
    first.add(line);
  }
  const hasContext = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  const lines: string[] = [];
  let last = Infinity;
  for (const [at, { end, words }] of [...shown].sort(([left], [right]) => left - right)) {
    if (hasContext && at > last + 1) lines.push("--");
    lines.push(...words);
    last = last === Infinity ? end : Math.max(last, end);
  }
  return lines.map((line) => indent + line);
}
