import { Buffer } from "node:buffer";
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import type { Pacer } from "../pacer.ts";
import {
  type ByteChange,
  CONTEXT_LINES,
  countLines,
  difference,
  eachLine,
  LINE_FEED,
  regionsOf,
} from "./diff-regions.ts";

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
  /** A line in front of it. */
  readonly remark?: string;
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly added: number;
  /** With their signs; of longer ones at least so many bytes. */
  readonly lines: (most: number) => Iterable<string>;
}

const MAX_PREVIEW_LINES = 100;
const MAX_PREVIEW_BYTES = 10 * 1024;
const CUT = "... (diff truncated)";
const NO_NEWLINE = "\\ No newline at end of file";
// A search for the shortest diff of more takes over 50 ms; replacing all lines is just as valid.
const MAX_COMPARED_BYTES = 4 * 1024 * 1024;
const MAX_COMPARED_LINES = 100_000;
const MAX_EDIT_LENGTH = 300;
const MAX_STEPS = 4_000_000;
const EMPTY_HASH = "e69de29";
const NO_HASH = "0000000";
const LINES_PER_CLOCK = 1024;

type Decode = (bytes: Buffer) => string;

const decodeUtf8: Decode = (bytes) => bytes.toString("utf8");

/** Compares two versions of a file. */
export async function createDiff(request: DiffRequest, pacer: Pacer): Promise<FileDiff> {
  const hunks: Hunk[] = [];
  let linesAdded = 0;
  let linesRemoved = 0;
  for await (const hunk of hunksOf(request, pacer)) {
    hunks.push(hunk);
    linesAdded += hunk.added;
    linesRemoved += hunk.added + hunk.oldLines - hunk.newLines;
  }
  const lines = (most: number) => diffLines(headerOf(request, hunks.length > 0), hunks, most);
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

function fileDiff(parts: Pick<FileDiff, "linesAdded" | "linesRemoved" | "lines">, pacer: Pacer): FileDiff {
  const { lines } = parts;
  return {
    ...parts,
    // A character of any encoding has at most four bytes.
    preview: () => preview(lines(4 * MAX_PREVIEW_BYTES)),
    whole: async () => {
      const all: string[] = [];
      for (const line of lines(Infinity)) {
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
  const hashes = isCreate ? `${NO_HASH}..${EMPTY_HASH}` : `${EMPTY_HASH}..${NO_HASH}`;
  const plain = hasHunks ? formatPatch(names, FILE_HEADERS_ONLY) : "";
  return [
    ...git.split("\n"),
    // Otherwise `patch` asks whether it should really remove an empty file.
    isEmpty ? `index ${hashes}` : "",
    // A tab ends a name that has a blank.
    ...plain.replaceAll(/ .* .*$/gmu, "$&\t").split("\n"),
  ].filter((line) => line !== "");
}

async function* hunksOf(request: DiffRequest, pacer: Pacer): AsyncGenerator<Hunk> {
  const { before = Buffer.alloc(0), after = Buffer.alloc(0), decode = decodeUtf8 } = request;
  const count = (bytes: Buffer) => countLines(bytes, pacer);
  if (!Buffer.isBuffer(before)) {
    const added = await count(after);
    const place = { oldStart: 1, oldLines: before.lines, newStart: 1, newLines: added };
    yield { ...place, added, remark: before.remark, lines: (most) => signed([["+", after]], decode, most) };
    return;
  }
  const changes = request.changes ?? difference(before, after);
  let [oldStart, newStart, counted] = [1, 1, 0];
  for await (const region of regionsOf(before, after, changes, pacer)) {
    const { start, from, to, end, startShift, endShift } = region;
    const skipped = await count(before.subarray(counted, start));
    oldStart += skipped;
    newStart += skipped;
    counted = end;
    const [lead, rest] = [before.subarray(start, from), before.subarray(to, end)];
    const [removed, added] = [before.subarray(from, to), after.subarray(from + startShift, to + endShift)];
    const around = (await count(lead)) + (await count(rest));
    const [oldCount, newCount] = [await count(removed), await count(added)];
    const sides = { oldLines: around + oldCount, newLines: around + newCount };
    const whole = [before.subarray(start, end), after.subarray(start + startShift, end + endShift)] as const;
    // Replacing one line is the most common case.
    const shortest = oldCount * newCount > 1 ? compared(whole, oldCount + newCount, decode) : undefined;
    const runs = [
      [" ", lead],
      ["-", removed],
      ["+", added],
      [" ", rest],
    ] as const;
    const lines = (most: number) => signed(runs, decode, most);
    const replaced = { oldStart: 1, newStart: 1, ...sides, added: newCount, lines };
    for (const hunk of shortest ?? (removed.equals(added) ? [] : [replaced])) {
      yield { ...hunk, oldStart: oldStart + hunk.oldStart - 1, newStart: newStart + hunk.newStart - 1 };
    }
    oldStart += sides.oldLines;
    newStart += sides.newLines;
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

type Run = readonly [sign: string, bytes: Buffer];

function* signed(runs: readonly Run[], decode: Decode, most: number): Generator<string> {
  for (const [sign, bytes] of runs) {
    for (const line of eachLine(bytes)) {
      const isEnded = line.at(-1) === LINE_FEED;
      yield sign + decode(line.subarray(0, Math.min(most, line.length - (isEnded ? 1 : 0))));
      if (!isEnded) yield NO_NEWLINE;
    }
  }
}

function* diffLines(header: readonly string[], hunks: readonly Hunk[], most: number): Generator<string> {
  yield* header;
  for (const { remark, oldStart, oldLines, newStart, newLines, lines } of hunks) {
    if (remark !== undefined) yield remark;
    // A side without lines is numbered by the line before it.
    const [oldFirst, newFirst] = [oldLines === 0 ? oldStart - 1 : oldStart, newLines === 0 ? newStart - 1 : newStart];
    yield `@@ -${oldFirst},${oldLines} +${newFirst},${newLines} @@`;
    yield* lines(most);
  }
}

function preview(lines: Iterable<string>): DiffPreview {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    // The last line break begins one more.
    if (shown.length + 1 === MAX_PREVIEW_LINES || bytes + length > MAX_PREVIEW_BYTES) return cut(shown, bytes);
    shown.push(line);
    bytes += length;
  }
  return { text: shown.map((line) => `${line}\n`).join(""), isTruncated: false, lines: shown.length };
}

/** Makes room for the last line, which says that there is more. */
function cut(shown: string[], bytes: number): DiffPreview {
  let left = bytes;
  while (left + CUT.length > MAX_PREVIEW_BYTES) left -= Buffer.byteLength(shown.pop() ?? "") + 1;
  return { text: [...shown, CUT].join("\n"), isTruncated: true, lines: shown.length };
}
