import { createRequire } from "node:module";
import type { diffArrays as DiffArrays } from "diff";
import { countNewlines, escapeText } from "@fstools/protocol";
import type { Pacer } from "../pacer.ts";

/** A part of a file before and after a change, in whole lines, with the lines around it that stay. */
export interface DiffRegion {
  /** The number of its first line before the change, from 1. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly oldText: string;
  readonly newText: string;
}

/** A whole file before and after a change, where the old content cannot be shown. */
interface HiddenRegion {
  /** How many lines go. */
  readonly oldLines: number;
  readonly newText: string;
  /** Why they are not shown; a line of the diff. */
  readonly remark: string;
}

/** What is shown of a diff. */
export interface DiffPreview {
  readonly text: string;
  readonly isTruncated: boolean;
  /** Lines of the diff that are shown. */
  readonly lines: number;
}

/** How a file changes, as a unified diff. */
export interface FileDiff {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** The first lines: at most 100, and 10 KiB. */
  preview(): DiffPreview;
  whole(): Promise<string>;
}

/** The lines that stay unchanged around a change. */
export const CONTEXT_LINES = 3;

const MAX_PREVIEW_LINES = 100;
const MAX_PREVIEW_BYTES = 10 * 1024;
const CUT = "... (diff truncated)";
const NO_NEWLINE = "\\ No newline at end of file";
// Past this many differing lines a search for the shortest diff takes over 50 ms; replacing all lines is just as valid.
const MAX_EDIT_LENGTH = 300;
const MAX_COMPARED_CHARS = 4 * 1024 * 1024;
const LINES_PER_CLOCK = 1024;

/** A run of lines that are kept, removed or added. */
interface Run {
  readonly kind: "same" | "removed" | "added";
  readonly lines: Lines;
}

/** Lines of a text, which are cut out only when they are shown. */
interface Lines {
  readonly count: number;
  readonly all: () => Iterable<string>;
}

interface Hunk {
  /** A line in front of it. */
  readonly remark?: string;
  readonly oldLine: number;
  readonly newLine: number;
  readonly runs: readonly Run[];
}

/** Compares the regions of a file; `path` is relative to the project root, `isNew` if there was no file. */
export async function createDiff(
  path: string,
  regions: Iterable<DiffRegion | HiddenRegion>,
  pacer: Pacer,
  isNew = false,
): Promise<FileDiff> {
  const hunks: Hunk[] = [];
  for (const region of regions) {
    hunks.push(...("remark" in region ? [hiddenHunk(region)] : comparedHunks(region)));
    if (pacer.due()) await pacer.rest();
  }
  const shown = escapeText(path);
  const header = [isNew ? "--- /dev/null" : `--- a/${shown}`, `+++ b/${shown}`];
  return {
    linesAdded: total(hunks, "added"),
    linesRemoved: total(hunks, "removed"),
    preview: () => preview(diffLines(header, hunks)),
    whole: async () => {
      const lines: string[] = [];
      for (const line of diffLines(header, hunks)) {
        lines.push(line);
        if (lines.length % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
      }
      return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
    },
  };
}

function comparedHunks(whole: DiffRegion): Hunk[] {
  const region = trimmed(whole);
  return hunksOf(region, compare(region));
}

function hiddenHunk({ oldLines, newText, remark }: HiddenRegion): Hunk {
  const removed: Run = { kind: "removed", lines: { count: oldLines, all: () => [] } };
  return { remark, oldLine: 1, newLine: 1, runs: [removed, { kind: "added", lines: lazyLines(newText) }] };
}

function total(hunks: readonly Hunk[], kind: Run["kind"]): number {
  return hunks.flatMap(({ runs }) => runs).reduce((sum, run) => sum + (run.kind === kind ? run.lines.count : 0), 0);
}

function* diffLines(header: readonly string[], hunks: readonly Hunk[]): Generator<string> {
  if (hunks.length > 0) yield* header;
  for (const hunk of hunks) {
    if (hunk.remark !== undefined) yield hunk.remark;
    yield hunkHeader(hunk);
    for (const { kind, lines } of hunk.runs) {
      const sign = kind === "same" ? " " : kind === "added" ? "+" : "-";
      for (const line of lines.all()) {
        const isWhole = line.endsWith("\n");
        yield sign + (isWhole ? line.slice(0, -1) : line);
        if (!isWhole) yield NO_NEWLINE;
      }
    }
  }
}

function hunkHeader({ oldLine, newLine, runs }: Hunk): string {
  const count = (kind: Run["kind"]) => runs.reduce((sum, run) => sum + (run.kind === kind ? run.lines.count : 0), 0);
  const same = count("same");
  // A side without lines is numbered by the line before it.
  const side = (line: number, lines: number) => `${lines === 0 ? line - 1 : line},${lines}`;
  return `@@ -${side(oldLine, same + count("removed"))} +${side(newLine, same + count("added"))} @@`;
}

function preview(lines: Iterable<string>): DiffPreview {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    if (shown.length === MAX_PREVIEW_LINES || bytes + length > MAX_PREVIEW_BYTES + 1) return cut(shown, bytes);
    shown.push(line);
    bytes += length;
  }
  return { text: shown.join("\n"), isTruncated: false, lines: shown.length };
}

/** Makes room for the last line, which says that there is more. */
function cut(shown: string[], bytes: number): DiffPreview {
  let left = bytes;
  while (shown.length >= MAX_PREVIEW_LINES || left + CUT.length > MAX_PREVIEW_BYTES) {
    left -= Buffer.byteLength(shown.pop() ?? "") + 1;
  }
  return { text: [...shown, CUT].join("\n"), isTruncated: true, lines: shown.length };
}

/** A region without most of the common beginning and end of its two texts, so that little is split into lines. */
function trimmed({ oldLine, newLine, oldText, newText }: DiffRegion): DiffRegion {
  const most = Math.min(oldText.length, newText.length);
  const isSame = (at: number, count: number) => oldText.slice(at, at + count) === newText.slice(at, at + count);
  const start = startOfContext(oldText, matching(most, isSame), CONTEXT_LINES);
  const [oldRest, newRest] = [oldText.slice(start), newText.slice(start)];
  const atEnd = matching(most - start, (at, count) => {
    const [oldEnd, newEnd] = [oldRest.length - at, newRest.length - at];
    return oldRest.slice(oldEnd - count, oldEnd) === newRest.slice(newEnd - count, newEnd);
  });
  const cutOff = oldRest.length - endOfContext(oldRest, oldRest.length - atEnd, CONTEXT_LINES + 1);
  const lines = countNewlines(oldText.slice(0, start));
  return {
    oldLine: oldLine + lines,
    newLine: newLine + lines,
    oldText: oldRest.slice(0, oldRest.length - cutOff),
    newText: newRest.slice(0, newRest.length - cutOff),
  };
}

/** How many units match, starting at 0, at most `most`; compares in ever smaller blocks. */
function matching(most: number, isSame: (at: number, count: number) => boolean): number {
  let at = 0;
  for (let block = 1 << 20; block >= 1; block = Math.floor(block / 16)) {
    while (at + block <= most && isSame(at, block)) at += block;
  }
  return at;
}

/** The beginning of the line that an index lies in, or of one that many lines before it. */
export function startOfContext(text: string, index: number, lines: number): number {
  let start = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  for (let left = lines; left > 0 && start > 0; left -= 1) {
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

/** The end of that many lines from an index on; the rest of its own line counts as one. */
export function endOfContext(text: string, index: number, lines: number): number {
  let end = index;
  for (let left = lines; left > 0 && end < text.length; left -= 1) {
    const next = text.indexOf("\n", end);
    end = next === -1 ? text.length : next + 1;
  }
  return end;
}

/** The runs of a region, from the shortest diff where that is cheap. */
function compare({ oldText, newText }: DiffRegion): Run[] {
  if (oldText.length + newText.length > MAX_COMPARED_CHARS) return replacement(oldText, newText);
  const [before, after] = [splitLines(oldText), splitLines(newText)];
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [oldPart, newPart] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return [
    run("same", before.slice(0, start)),
    ...shortest(oldPart, newPart),
    run("same", before.slice(before.length - end)),
  ].filter(({ lines }) => lines.count > 0);
}

function shortest(before: readonly string[], after: readonly string[]): Run[] {
  const all = [run("removed", before), run("added", after)];
  // Replacing one line is the most common case.
  if (before.length * after.length <= 1) return all;
  const ids = new Map<string, number>();
  const identify = (line: string): number => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const changes = loadDiffArrays()(before.map(identify), after.map(identify), { maxEditLength: MAX_EDIT_LENGTH });
  if (changes === undefined) return all;
  let oldAt = 0;
  let newAt = 0;
  return changes.map(({ added, removed, count }) => {
    if (added) return run("added", after.slice(newAt, (newAt += count)));
    const lines = before.slice(oldAt, (oldAt += count));
    if (!removed) newAt += count;
    return run(removed ? "removed" : "same", lines);
  });
}

function replacement(oldText: string, newText: string): Run[] {
  return [
    { kind: "removed" as const, lines: lazyLines(oldText) },
    { kind: "added" as const, lines: lazyLines(newText) },
  ].filter(({ lines }) => lines.count > 0);
}

function run(kind: Run["kind"], lines: readonly string[]): Run {
  return { kind, lines: { count: lines.length, all: () => lines } };
}

/** Cuts the runs into hunks, with a few lines around every change. */
function hunksOf({ oldLine, newLine }: DiffRegion, runs: readonly Run[]): Hunk[] {
  const hunks: Hunk[] = [];
  let at = { oldLine, newLine };
  let open: { oldLine: number; newLine: number; runs: Run[] } | undefined;
  for (const [index, { kind, lines }] of runs.entries()) {
    if (kind !== "same") {
      open ??= { ...at, runs: [] };
      open.runs.push({ kind, lines });
      at = advance(at, kind, lines.count);
      continue;
    }
    const kept = [...lines.all()];
    const isLast = index === runs.length - 1;
    const before = open === undefined ? 0 : CONTEXT_LINES;
    const after = isLast ? 0 : CONTEXT_LINES;
    if (open !== undefined && kept.length <= before + after) {
      open.runs.push(run("same", isLast ? kept.slice(0, before) : kept));
      at = advance(at, kind, kept.length);
      continue;
    }
    open?.runs.push(run("same", kept.slice(0, before)));
    if (open !== undefined) hunks.push(open);
    const lead = after === 0 ? [] : kept.slice(-after);
    at = advance(at, kind, kept.length - lead.length);
    open = isLast ? undefined : { ...at, runs: lead.length === 0 ? [] : [run("same", lead)] };
    at = advance(at, kind, lead.length);
  }
  if (open !== undefined) hunks.push(open);
  return hunks;
}

interface LinePair {
  readonly oldLine: number;
  readonly newLine: number;
}

function advance({ oldLine, newLine }: LinePair, kind: Run["kind"], count: number): LinePair {
  return {
    oldLine: oldLine + (kind === "added" ? 0 : count),
    newLine: newLine + (kind === "removed" ? 0 : count),
  };
}

/** The lines of a text with their ends; only "\n" ends one, as everything that reads diffs expects. */
function splitLines(text: string): string[] {
  return [...eachLine(text)];
}

function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(from, next);
    from = next;
  }
}

function lazyLines(text: string): Lines {
  const isEnded = text === "" || text.endsWith("\n");
  return { count: countNewlines(text) + (isEnded ? 0 : 1), all: () => eachLine(text) };
}

function commonStart(before: readonly string[], after: readonly string[]): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && before[count] === after[count]) count += 1;
  return count;
}

function commonEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let count = 0;
  while (count < most && before.at(-1 - count) === after.at(-1 - count)) count += 1;
  return count;
}

let diffArrays: typeof DiffArrays | undefined;

// Loaded when first used: a host that only reads never needs it.
function loadDiffArrays(): typeof DiffArrays {
  if (diffArrays !== undefined) return diffArrays;
  const loaded: unknown = createRequire(import.meta.url)("diff");
  if (!hasDiffArrays(loaded)) throw new TypeError("The diff module has an unexpected shape.");
  ({ diffArrays } = loaded);
  return diffArrays;
}

function hasDiffArrays(value: unknown): value is { readonly diffArrays: typeof DiffArrays } {
  return typeof value === "object" && value !== null && "diffArrays" in value;
}
