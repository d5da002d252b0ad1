import { Buffer } from "node:buffer";
import type { Pacer } from "../pacer.ts";

/** A part of the old file, and how many bytes take its place. */
export interface ByteChange {
  readonly start: number;
  readonly end: number;
  readonly newLength: number;
}

/** Lines that change, and those around them, by their bytes in the old file; regions do not touch. */
export interface Region {
  readonly start: number;
  readonly from: number;
  /** The end of the lines that change, which begin at `from`. */
  to: number;
  end: number;
  /** How many bytes later the new file has its start, */
  readonly startShift: number;
  /** and its end. */
  endShift: number;
}

/** The lines that are shown unchanged before and after a change. */
export const CONTEXT_LINES = 3;

export const LINE_FEED = 10;
const BLOCK_BYTES = 64 * 1024;
const CHANGES_PER_CLOCK = 1024;

/** Groups changes, which are in the order of the file, by the lines they are in. */
export async function* regionsOf(
  before: Buffer,
  after: Buffer,
  changes: Iterable<ByteChange>,
  pacer: Pacer,
): AsyncGenerator<Region> {
  let region: Region | undefined;
  let shift = 0;
  let steps = 0;
  for (const { start, end, newLength } of changes) {
    if (++steps % CHANGES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
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

/** Counts lines; what follows the last line feed is one too. */
export async function countLines(bytes: Buffer, pacer: Pacer): Promise<number> {
  let count = isLineStart(bytes, bytes.length) ? 0 : 1;
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const until = Math.min(from + BLOCK_BYTES, bytes.length);
    for (let at = from; at < until; at += 1) if (bytes[at] === LINE_FEED) count += 1;
    if (pacer.due()) await pacer.rest();
  }
  return count;
}

/** The lines of a text with their ends. */
export function* eachLine(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length;) {
    const end = lineEnd(bytes, from);
    yield bytes.subarray(from, end);
    from = end;
  }
}

function isLineStart(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes[at - 1] === LINE_FEED;
}

/** Where the line begins that a place lies in. */
function lineStart(bytes: Buffer, at: number): number {
  return at <= 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
}

/** Where the next line begins, or the file ends. */
function lineEnd(bytes: Buffer, at: number): number {
  const found = bytes.indexOf(LINE_FEED, at);
  return found === -1 ? bytes.length : found + 1;
}
