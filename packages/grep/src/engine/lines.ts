import { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import type { SearchText } from "./search-text.ts";

const WINDOW_BYTES = 64 * 1024;
const FIRST_WINDOW_BYTES = 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Where a line ends, and where the next one begins; undefined after the last. */
export interface LineEnd {
  readonly end: number;
  readonly next: number | undefined;
}

/** The end of the line that `from` lies in. */
export async function findLineEnd(text: SearchText, from: number, pacer: Pacer): Promise<LineEnd> {
  for (let at = from, length = FIRST_WINDOW_BYTES; ; at += length, length = WINDOW_BYTES) {
    const window = text.slice(at, at + length);
    const index = firstEnd(window);
    if (index !== -1) {
      const end = at + index;
      const isPair = window[index] === RETURN && text.slice(end + 1, end + 2)[0] === NEWLINE;
      const next = end + (isPair ? 2 : 1);
      return { end, next: text.slice(next, next + 1).length === 0 ? undefined : next };
    }
    if (window.length < length) return { end: at + window.length, next: undefined };
    if (pacer.due()) await pacer.rest();
  }
}

/** The beginning of the line that `at` lies in; on a line end it is that of the line before it. */
export async function findLineStart(text: SearchText, at: number, pacer: Pacer): Promise<number> {
  let to = outsidePair(text, at);
  for (let length = FIRST_WINDOW_BYTES; to > 0; length = WINDOW_BYTES) {
    const from = Math.max(0, to - length);
    const window = text.slice(from, to);
    const index = lastEnd(window);
    if (index !== -1) return from + index + 1;
    to = from;
    if (pacer.due()) await pacer.rest();
  }
  return 0;
}

/** The position itself, or that of the "\r" where it lies between "\r" and "\n": a line ends there only once. */
export function outsidePair(text: SearchText, at: number): number {
  return at > 0 && text.slice(at - 1, at + 1).equals(PAIR) ? at - 1 : at;
}

/** How many lines end between two positions, the first of which begins a line. */
export async function countLineEnds(text: SearchText, from: number, to: number, pacer: Pacer): Promise<number> {
  let count = 0;
  for (let at = from; at < to;) {
    const end = Math.min(to, at + WINDOW_BYTES);
    const window = text.slice(at, end);
    if (window.length === 0) break;
    // A "\r" that comes last here does not end a line yet if "\n" follows.
    const isFirstHalf = outsidePair(text, end) < end;
    count += endsIn(window) - (isFirstHalf ? 1 : 0);
    at = end;
    if (pacer.due()) await pacer.rest();
  }
  return count;
}

const PAIR = Buffer.from("\r\n");

function endsIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    if (bytes[at + 1] !== NEWLINE) count += 1;
  }
  return count;
}

/** The index of the first line end in some bytes; -1 if there is none. */
export function firstEnd(bytes: Buffer): number {
  const newline = bytes.indexOf(NEWLINE);
  const before = newline === -1 ? bytes : bytes.subarray(0, newline);
  const carriageReturn = before.indexOf(RETURN);
  return carriageReturn === -1 ? newline : carriageReturn;
}

function lastEnd(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(NEWLINE);
  const carriageReturn = bytes.subarray(newline + 1).lastIndexOf(RETURN);
  return carriageReturn === -1 ? newline : newline + 1 + carriageReturn;
}
