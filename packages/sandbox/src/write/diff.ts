import { Buffer } from "node:buffer";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from "diff";
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
  /** Its modes as git writes them, if a reader should see them. */
  readonly modes?: { readonly oldMode?: string; readonly newMode: string } | undefined;
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

interface Hunk extends Omit<StructuredPatchHunk, "lines"> {
  readonly remark?: string;
  readonly added: number;
  /** Each a line, or a sign and lines of a file that it stands before. */
  readonly parts: readonly (readonly [line: string, bytes?: Buffer])[];
}

/** Lines of the old file that change; more than twice the lines around a change lie between two regions. */
interface Region {
  readonly from: number;
  to: number;
  /** How many bytes later the new file has its start, and its end. */
  readonly shift: number;
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

/** Compares two versions of a file. */
export async function createDiff(request: DiffRequest, pacer: Pacer): Promise<FileDiff> {
  const { decode = (bytes: Buffer) => bytes.toString() } = request;
  const hunks = await hunksOf(request, decode, pacer);
  let [linesAdded, linesRemoved] = [0, 0];
  for (const hunk of hunks) {
    linesAdded += hunk.added;
    linesRemoved += hunk.added + hunk.oldLines - hunk.newLines;
  }
  // A side without lines is numbered by the line before it.
  const range = (start: number, lines: number) => `${lines === 0 ? start - 1 : start},${lines}`;
  function* lines(most: number): Generator<string> {
    yield* headerOf(request, hunks.length > 0);
    for (const hunk of hunks) {
      if (hunk.remark !== undefined) yield hunk.remark;
      yield `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
      for (const [sign, bytes] of hunk.parts) {
        if (bytes === undefined) yield sign;
        for (let from = 0; bytes !== undefined && from < bytes.length;) {
          const end = lineEnd(bytes, from);
          const isEnded = bytes[end - 1] === LINE_FEED;
          yield sign + decode(bytes.subarray(from, Math.min(from + most, isEnded ? end - 1 : end)));
          if (!isEnded) yield NO_NEWLINE;
          from = end;
        }
      }
    }
  }
  return fileDiff({ linesAdded, linesRemoved, lines }, pacer);
}

/** Diffs of several files as one. */
export function joinDiffs(diffs: readonly FileDiff[], pacer: Pacer): FileDiff {
  const sum = (count: "linesAdded" | "linesRemoved") => diffs.reduce((total, diff) => total + diff[count], 0);
  function* lines(most: number) {
    for (const diff of diffs) yield* diff.lines(most);
  }
  return fileDiff({ linesAdded: sum("linesAdded"), linesRemoved: sum("linesRemoved"), lines }, pacer);
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
function headerOf(request: DiffRequest, hasHunks: boolean): string[] {
  const { path, from, modes, before, after, isOneOfSeveral = false } = request;
  const [isCreate, isDelete, isRename] = [before === undefined, after === undefined, from !== undefined];
  const isEmpty = !hasHunks && (isCreate || isDelete);
  const isGit = isRename || isEmpty || modes !== undefined || (isOneOfSeveral && hasHunks);
  const oldFileName = isCreate ? "/dev/null" : `a/${from ?? path}`;
  const newFileName = isDelete ? "/dev/null" : `b/${path}`;
  const names = { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined, hunks: [] };
  const git = isGit ? formatPatch({ ...names, ...modes, isGit, isCreate, isDelete, isRename }) : "";
  // Otherwise `patch` asks whether it should really remove an empty file.
  const index = isEmpty ? `index ${isCreate ? "0000000..e69de29" : "e69de29..0000000"}\n` : "";
  // Most names need no quotes. A tab ends one that has a blank.
  const plain = /^[\w./-]+$/u.test(oldFileName + newFileName)
    ? `--- ${oldFileName}\n+++ ${newFileName}`
    : formatPatch(names, FILE_HEADERS_ONLY).replaceAll(/ .* .*$/gmu, "$&\t");
  return `${git}${index}${hasHunks ? plain : ""}`.split("\n").filter((line) => line !== "");
}

async function hunksOf(request: DiffRequest, decode: Decode, pacer: Pacer): Promise<Hunk[]> {
  const { before = Buffer.alloc(0), after = Buffer.alloc(0) } = request;
  const count = (bytes: Buffer) => countLines(bytes, pacer);
  if (!Buffer.isBuffer(before)) {
    const { lines: oldLines, remark } = before;
    const added = await count(after);
    return [{ remark, oldStart: 1, oldLines, newStart: 1, newLines: added, added, parts: [["+", after]] }];
  }
  const hunks: Hunk[] = [];
  let [line, shiftedLines, counted] = [1, 0, 0];
  const changes = request.changes ?? difference(before, after);
  for (const { from, to, shift, endShift } of await regionsOf(before, after, changes, pacer)) {
    const [start, end] = [lineStart(before, from, CONTEXT_LINES), lineEnd(before, to, CONTEXT_LINES)];
    line += await count(before.subarray(counted, start));
    counted = end;
    const [lead, rest] = [before.subarray(start, from), before.subarray(to, end)];
    const [removed, added] = [before.subarray(from, to), after.subarray(from + shift, to + endShift)];
    const around = (await count(lead)) + (await count(rest));
    const [oldCount, newCount] = [await count(removed), await count(added)];
    const whole = [before.subarray(start, end), after.subarray(start + shift, end + endShift)] as const;
    const replaced: Hunk = {
      ...{ oldStart: 1, oldLines: around + oldCount, newStart: 1, newLines: around + newCount, added: newCount },
      parts: [
        [" ", lead],
        ["-", removed],
        ["+", added],
        [" ", rest],
      ],
    };
    // Replacing one line is the most common case.
    const found = oldCount * newCount > 1 ? shortest(whole, oldCount + newCount, decode) : undefined;
    for (const hunk of found ?? (removed.equals(added) ? [] : [replaced])) {
      const [oldStart, newStart] = [line + hunk.oldStart - 1, line + shiftedLines + hunk.newStart - 1];
      hunks.push({ ...hunk, oldStart, newStart });
    }
    line += around + oldCount;
    shiftedLines += newCount - oldCount;
  }
  return hunks;
}

/** The hunks of the shortest diff, if that is cheap to find. */
function shortest([before, after]: readonly [Buffer, Buffer], lines: number, decode: Decode): Hunk[] | undefined {
  if (lines > MAX_COMPARED_LINES || before.length + after.length > MAX_COMPARED_BYTES) return undefined;
  const options = { context: CONTEXT_LINES, maxEditLength: Math.min(MAX_EDIT_LENGTH, MAX_STEPS / lines) };
  const patch = structuredPatch("", "", decode(before), decode(after), undefined, undefined, options);
  return patch?.hunks.map(({ lines: all, ...place }) => {
    return { ...place, added: all.filter((line) => line.startsWith("+")).length, parts: all.map((line) => [line]) };
  });
}

/** Groups changes, which are in the order of the file, by the lines they are in. */
async function regionsOf(before: Buffer, after: Buffer, changes: Iterable<ByteChange>, pacer: Pacer) {
  const regions: Region[] = [];
  let region: Region | undefined;
  let [shift, steps] = [0, 0];
  for (const { start, end, newLength } of changes) {
    if (++steps % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    // Inside a line that is known already nothing is searched, so that many changes of a long line cost no more than one.
    if (region === undefined || start >= region.to) {
      const from = lineStart(before, start);
      if (region === undefined || from > lineEnd(before, region.to, 2 * CONTEXT_LINES)) {
        region = { from, to: from, shift, endShift: shift };
        regions.push(region);
      }
    }
    shift += newLength - (end - start);
    region.endShift = shift;
    if (end < region.to) continue;
    const isBetweenLines = isLineStart(before, end) && isLineStart(after, end + shift);
    region.to = isBetweenLines ? end : lineEnd(before, end);
  }
  return regions;
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

/** Where a line begins, or one of those before it. */
function lineStart(bytes: Buffer, at: number, back = 0): number {
  const start = at <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
  return back === 0 ? start : lineStart(bytes, start - 1, back - 1);
}

/** Where the next line begins, or one of those after it, or the file ends. */
function lineEnd(bytes: Buffer, at: number, count = 1): number {
  const found = bytes.indexOf(LINE_FEED, at);
  const end = found === -1 ? bytes.length : found + 1;
  return count === 1 ? end : lineEnd(bytes, end, count - 1);
}
