import { Buffer } from "node:buffer";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import type { Pacer } from "../pacer.ts";

/** How one file changes. */
export interface DiffRequest {
  /** Relative to the project root. */
  readonly path: string;
  /** Its path before, if it moves. */
  readonly from?: string;
  /** The old file; undefined if there is none. */
  readonly before: Buffer | HiddenContent | undefined;
  /** The new file; undefined if there is none. */
  readonly after: Buffer | undefined;
  /**
   * The parts of the old file that differ, in order.
   * @default all but the common beginning and end
   */
  readonly changes?: Iterable<ByteChange>;
  /**
   * Whether diffs of other files stand beside it.
   * @default false
   */
  readonly isOneOfSeveral?: boolean;
  /**
   * Decodes lines of an encoding in which only a line feed has the byte 10.
   * @default UTF-8
   */
  readonly decode?: Decode;
}

/** An old file that cannot be shown. */
interface HiddenContent {
  readonly lines: number;
  /** Why it is not shown; a line of the diff. */
  readonly remark: string;
}

/** A part of the old file, and how many bytes take its place. */
export interface ByteChange {
  readonly start: number;
  readonly end: number;
  readonly newLength: number;
}

/** What is shown of a diff. */
export interface DiffPreview {
  readonly text: string;
  readonly isTruncated: boolean;
  /** Lines of the diff that are shown. */
  readonly lines: number;
}

/** How a file changes, as a unified diff that `git apply` and `patch` understand. */
export interface FileDiff {
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** The first lines: at most 100, and 10 KiB. */
  preview(): DiffPreview;
  whole(): Promise<string>;
  /** Its lines; of longer ones at least so many bytes. */
  lines(most: number): Iterable<string>;
}

interface Hunk {
  readonly remark?: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly added: number;
  readonly lines: FileDiff["lines"];
}

/** Lines that change, from `from` to `to`, and those around them, by their bytes in the old file; regions do not touch. */
interface Region {
  readonly start: number;
  readonly from: number;
  to: number;
  end: number;
  /** How many bytes later the new file has its start, and its end. */
  readonly startShift: number;
  endShift: number;
}

type Decode = (bytes: Buffer) => string;

const CONTEXT_LINES = 3;
const MAX_PREVIEW_LINES = 100;
const MAX_PREVIEW_BYTES = 10 * 1024;
const CUT = "... (diff truncated)";
const NO_NEWLINE = "\\ No newline at end of file";
// A search for the shortest diff of more takes over 50 ms; replacing all lines is just as valid.
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
const MAX_COMPARED_LINES = 100_000;
const MAX_EDIT_LENGTH = 300;
const MAX_STEPS = 4_000_000;
const LINES_PER_CLOCK = 1024;
const LINE_FEED = 10;
const BLOCK_BYTES = 64 * 1024;

const decodeUtf8: Decode = (bytes) => bytes.toString("utf8");

/** Compares two versions of a file. */
export async function createDiff(request: DiffRequest, pacer: Pacer): Promise<FileDiff> {
  const hunks: Hunk[] = [];
  let [linesAdded, linesRemoved] = [0, 0];
  for await (const hunk of hunksOf(request, pacer)) {
    hunks.push(hunk);
    linesAdded += hunk.added;
    linesRemoved += hunk.added + hunk.oldLines - hunk.newLines;
  }
  function* lines(most: number): Generator<string> {
    yield* headerOf(request, hunks.length > 0);
    for (const { remark, oldStart, oldLines, newStart, newLines, lines: own } of hunks) {
      if (remark !== undefined) yield remark;
      // A side without lines is numbered by the line before it.
      const [oldFirst, newFirst] = [oldLines === 0 ? oldStart - 1 : oldStart, newLines === 0 ? newStart - 1 : newStart];
      yield `@@ -${oldFirst},${oldLines} +${newFirst},${newLines} @@`;
      yield* own(most);
    }
  }
  return fileDiff({ linesAdded, linesRemoved, lines }, pacer);
}

/** Diffs of several files as one. */
export function joinDiffs(diffs: readonly FileDiff[], pacer: Pacer): FileDiff {
  const sum = (of: (diff: FileDiff) => number) => diffs.reduce((total, diff) => total + of(diff), 0);
  function* lines(most: number) {
    for (const diff of diffs) yield* diff.lines(most);
  }
  const counts = { linesAdded: sum((diff) => diff.linesAdded), linesRemoved: sum((diff) => diff.linesRemoved) };
  return fileDiff({ ...counts, lines }, pacer);
}

function fileDiff(parts: Omit<FileDiff, "preview" | "whole">, pacer: Pacer): FileDiff {
  return {
    ...parts,
    // A character of any encoding has at most four bytes.
    preview: () => preview(parts.lines(4 * MAX_PREVIEW_BYTES)),
    whole: async () => {
      const all: string[] = [];
      for (const line of parts.lines(Infinity)) {
        all.push(line);
        if (all.length % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
      }
      return all.length === 0 ? "" : `${all.join("\n")}\n`;
    },
  };
}

/** The names as git writes them, and what tells it of a change without lines. */
function headerOf({ path, from, before, after, isOneOfSeveral }: DiffRequest, hasHunks: boolean): string[] {
  const [isCreate, isDelete, isRename] = [before === undefined, after === undefined, from !== undefined];
  const names = {
    oldFileName: isCreate ? "/dev/null" : `a/${from ?? path}`,
    newFileName: isDelete ? "/dev/null" : `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [],
  };
  const isEmpty = !hasHunks && (isCreate || isDelete);
  const needsGit = isRename || isEmpty || (isOneOfSeveral === true && hasHunks);
  const git = needsGit ? formatPatch({ ...names, isGit: true, isCreate, isDelete, isRename }) : "";
  const plain = hasHunks ? formatPatch(names, FILE_HEADERS_ONLY) : "";
  return [
    ...git.split("\n"),
    // Otherwise `patch` asks whether it should really remove an empty file.
    isEmpty ? `index ${isCreate ? "0000000..e69de29" : "e69de29..0000000"}` : "",
    // A tab ends a name that has a blank.
    ...plain.replaceAll(/ .* .*$/gmu, "$&\t").split("\n"),
  ].filter((line) => line !== "");
}

async function* hunksOf(request: DiffRequest, pacer: Pacer): AsyncGenerator<Hunk> {
  const { before = Buffer.alloc(0), after = Buffer.alloc(0), decode = decodeUtf8 } = request;
  const count = (bytes: Buffer) => countLines(bytes, pacer);
  if (!Buffer.isBuffer(before)) {
    const { lines: oldLines, remark } = before;
    const added = await count(after);
    const lines: Hunk["lines"] = (most) => signed([["+", after]], decode, most);
    yield { oldStart: 1, oldLines, newStart: 1, newLines: added, added, remark, lines };
    return;
  }
  const changes = request.changes ?? difference(before, after);
  let [oldStart, newStart, counted] = [1, 1, 0];
  for await (const { start, from, to, end, startShift, endShift } of regionsOf(before, after, changes, pacer)) {
    const skipped = await count(before.subarray(counted, start));
    oldStart += skipped;
    newStart += skipped;
    counted = end;
    const [lead, rest] = [before.subarray(start, from), before.subarray(to, end)];
    const [removed, added] = [before.subarray(from, to), after.subarray(from + startShift, to + endShift)];
    const around = (await count(lead)) + (await count(rest));
    const [oldCount, newCount] = [await count(removed), await count(added)];
    const [oldLines, newLines] = [around + oldCount, around + newCount];
    const whole = [before.subarray(start, end), after.subarray(start + startShift, end + endShift)] as const;
    // Replacing one line is the most common case.
    const shortest = oldCount * newCount > 1 ? compared(whole, oldCount + newCount, decode) : undefined;
    const runs: Run[] = [
      [" ", lead],
      ["-", removed],
      ["+", added],
      [" ", rest],
    ];
    const lines: Hunk["lines"] = (most) => signed(runs, decode, most);
    const replaced = { oldStart: 1, newStart: 1, oldLines, newLines, added: newCount, lines };
    for (const hunk of shortest ?? (removed.equals(added) ? [] : [replaced])) {
      yield { ...hunk, oldStart: oldStart + hunk.oldStart - 1, newStart: newStart + hunk.newStart - 1 };
    }
    oldStart += oldLines;
    newStart += newLines;
  }
}

/** The hunks of the shortest diff, if that is cheap to find. */
function compared([before, after]: readonly [Buffer, Buffer], lines: number, decode: Decode): Hunk[] | undefined {
  if (lines > MAX_COMPARED_LINES || before.length + after.length > MAX_COMPARED_BYTES) return undefined;
  const maxEditLength = Math.min(MAX_EDIT_LENGTH, MAX_STEPS / lines);
  const options = { context: CONTEXT_LINES, maxEditLength };
  const patch = structuredPatch("", "", decode(before), decode(after), undefined, undefined, options);
  return patch?.hunks.map(({ lines: all, ...place }) => {
    return { ...place, added: all.filter((line) => line.startsWith("+")).length, lines: () => all };
  });
}

/** Groups changes, which are in the order of the file, by the lines they are in. */
async function* regionsOf(
  before: Buffer,
  after: Buffer,
  changes: Iterable<ByteChange>,
  pacer: Pacer,
): AsyncGenerator<Region> {
  let region: Region | undefined;
  let [shift, steps] = [0, 0];
  for (const { start, end, newLength } of changes) {
    if (++steps % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    // Inside a line that is known already nothing is searched, so that many changes of a long line cost no more than one.
    if (region === undefined || start >= region.to) {
      const from = lineStart(before, start);
      let first = from;
      for (let left = CONTEXT_LINES; left > 0; left -= 1) first = lineStart(before, first - 1);
      if (region === undefined || first > region.end) {
        if (region !== undefined) yield region;
        region = { start: first, from, to: from, end: from, startShift: shift, endShift: shift };
      }
    }
    shift += newLength - (end - start);
    region.endShift = shift;
    if (end < region.to) continue;
    const isBetweenLines = isLineStart(before, end) && isLineStart(after, end + shift);
    region.to = isBetweenLines ? end : lineEnd(before, end);
    region.end = region.to;
    for (let left = CONTEXT_LINES; left > 0; left -= 1) region.end = lineEnd(before, region.end);
  }
  if (region !== undefined) yield region;
}

/** All but the common beginning and end of two files; nothing if they are equal. */
export function difference(before: Buffer, after: Buffer): ByteChange[] {
  const most = Math.min(before.length, after.length);
  // Not by `compare` with places: Deno's holds those of one file against the length of the other.
  const start = matching(most, (at, to) => before.subarray(at, to).equals(after.subarray(at, to)));
  if (start === before.length && start === after.length) return [];
  const [oldEnd, newEnd] = [before.length, after.length];
  const atEnd = matching(most - start, (at, to) => {
    return before.subarray(oldEnd - to, oldEnd - at).equals(after.subarray(newEnd - to, newEnd - at));
  });
  return [{ start, end: oldEnd - atEnd, newLength: newEnd - atEnd - start }];
}

/** How many bytes match, starting at 0; compares in ever smaller blocks. */
function matching(most: number, isSame: (at: number, to: number) => boolean): number {
  let at = 0;
  for (let size = 1 << 20; size >= 1; size >>>= 4) {
    while (at + size <= most && isSame(at, at + size)) at += size;
  }
  return at;
}

type Run = readonly [sign: string, bytes: Buffer];

function* signed(runs: readonly Run[], decode: Decode, most: number): Generator<string> {
  for (const [sign, bytes] of runs) {
    for (let from = 0; from < bytes.length;) {
      const end = lineEnd(bytes, from);
      const isEnded = bytes[end - 1] === LINE_FEED;
      yield sign + decode(bytes.subarray(from, Math.min(from + most, isEnded ? end - 1 : end)));
      if (!isEnded) yield NO_NEWLINE;
      from = end;
    }
  }
}

function preview(lines: Iterable<string>): DiffPreview {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    // The last line break begins one more.
    if (shown.length + 1 === MAX_PREVIEW_LINES || bytes + length > MAX_PREVIEW_BYTES) {
      while (bytes + CUT.length > MAX_PREVIEW_BYTES) bytes -= Buffer.byteLength(shown.pop() ?? "") + 1;
      return { text: [...shown, CUT].join("\n"), isTruncated: true, lines: shown.length };
    }
    shown.push(line);
    bytes += length;
  }
  return { text: shown.map((line) => `${line}\n`).join(""), isTruncated: false, lines: shown.length };
}

/** What follows the last line feed is a line too. */
async function countLines(bytes: Buffer, pacer: Pacer): Promise<number> {
  let count = isLineStart(bytes, bytes.length) ? 0 : 1;
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const until = Math.min(from + BLOCK_BYTES, bytes.length);
    for (let at = from; at < until; at += 1) if (bytes[at] === LINE_FEED) count += 1;
    if (pacer.due()) await pacer.rest();
  }
  return count;
}

function isLineStart(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes[at - 1] === LINE_FEED;
}

function lineStart(bytes: Buffer, at: number): number {
  return at <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
}

/** Where the next line begins, or the file ends. */
function lineEnd(bytes: Buffer, at: number): number {
  const found = bytes.indexOf(LINE_FEED, at);
  return found === -1 ? bytes.length : found + 1;
}
