import { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { countCodePoints } from "@fstools/text";
import type { SearchText } from "./search-text.ts";

const WINDOW_BYTES = 64 * 1024;
const FIRST_WINDOW_BYTES = 1024;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The end of the line that `from` lies in, and where the next one begins; undefined after the last. */
export async function findLineEnd(
  text: SearchText,
  from: number,
  pacer: Pacer,
): Promise<{ readonly end: number; readonly next: number | undefined }> {
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
function outsidePair(text: SearchText, at: number): number {
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
function firstEnd(bytes: Buffer): number {
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

const MAX_CHARACTER_BYTES = 4;

export interface LineLimits {
  readonly maxLineChars: number;
  readonly pacer: Pacer;
}

/** The line that begins at `lineStart`; cut around the match at `at` if it has too many characters. */
export async function excerptAround(text: SearchText, lineStart: number, at: number, limits: LineLimits) {
  const { maxLineChars: maxChars, pacer } = limits;
  // A match may begin in the middle of a line end, which is not shown.
  const center = outsidePair(text, at);
  // This many bytes hold more characters than are shown.
  const reach = MAX_CHARACTER_BYTES * (maxChars + 1);
  const rest = upToLineEnd(text, center, reach);
  const length = center - lineStart + rest.length;
  const whole = length <= reach ? characters(text.slice(lineStart, lineStart + length)) : undefined;
  if (whole !== undefined && whole.length <= maxChars) return { text: whole.join("") };
  const before = characters(text.slice(nextCharacter(text, Math.max(lineStart, center - reach)), center));
  const after = characters(rest).slice(0, maxChars);
  // A third of it comes before the match, more if less comes after.
  const lead = Math.min(before.length, Math.max(Math.floor(maxChars / 3), maxChars - after.length));
  const shown = [...before.slice(before.length - lead), ...after].slice(0, maxChars);
  const column = 1 + (await countCharacters(text, lineStart, center, pacer)) - lead;
  return { text: shown.join(""), column };
}

/** Up to `count` lines before the one that begins at `lineStart`, each cut at its end. */
export async function linesBefore(text: SearchText, lineStart: number, count: number, limits: LineLimits) {
  const lines: string[] = [];
  for (let start = lineStart; lines.length < count && start > 0;) {
    start = await findLineStart(text, start - 1, limits.pacer);
    lines.unshift(beginningOf(text, start, limits));
  }
  return lines;
}

/** Up to `count` lines after the one that `at` lies in, each cut at its end. */
export async function linesAfter(text: SearchText, at: number, count: number, limits: LineLimits) {
  const lines: string[] = [];
  let { next } = await findLineEnd(text, at, limits.pacer);
  while (next !== undefined && lines.length < count) {
    lines.push(beginningOf(text, next, limits));
    ({ next } = await findLineEnd(text, next, limits.pacer));
  }
  return lines;
}

function beginningOf(text: SearchText, start: number, { maxLineChars }: LineLimits): string {
  const bytes = upToLineEnd(text, start, MAX_CHARACTER_BYTES * maxLineChars);
  return characters(bytes).slice(0, maxLineChars).join("");
}

/** The bytes from a position to the end of its line, or as many as `maxBytes`. */
function upToLineEnd(text: SearchText, from: number, maxBytes: number): Buffer {
  const bytes = text.slice(from, from + maxBytes);
  const end = firstEnd(bytes);
  return end === -1 ? bytes : bytes.subarray(0, end);
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function characters(bytes: Buffer): string[] {
  return Array.from(utf8.decode(bytes));
}

/** The next position at which a character begins. */
export function nextCharacter(text: SearchText, at: number): number {
  const bytes = text.slice(at, at + MAX_CHARACTER_BYTES - 1);
  const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return at + (first === -1 ? bytes.length : first);
}

/** Characters as Read counts them: bad bytes count as many as are shown. */
async function countCharacters(text: SearchText, from: number, to: number, pacer: Pacer): Promise<number> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let count = 0;
  for (let at = from; at < to; at += WINDOW_BYTES) {
    const part = decoder.decode(text.slice(at, Math.min(to, at + WINDOW_BYTES)), { stream: true });
    count += countCodePoints(part);
    if (pacer.due()) await pacer.rest();
  }
  return count + countCodePoints(decoder.decode());
}
