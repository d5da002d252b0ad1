import type { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { countCodePoints } from "@fstools/text";
import { findLineEnd, findLineStart, firstEnd, outsidePair } from "./lines.ts";
import type { SearchText } from "./search-text.ts";

/** A line as it is reported. */
export interface Excerpt {
  readonly text: string;
  /** Where it was cut, in characters from 1; undefined for a whole line. */
  readonly column?: number;
}

const MAX_CHARACTER_BYTES = 4;
const WINDOW_BYTES = 64 * 1024;

/** The line that begins at `lineStart`; cut around the match at `matchStart` if it has more than `maxChars` characters. */
export async function excerptAround(
  text: SearchText,
  lineStart: number,
  matchStart: number,
  maxChars: number,
  pacer: Pacer,
): Promise<Excerpt> {
  // A match may begin in the middle of a line end, which is not shown.
  const center = outsidePair(text, matchStart);
  // This many bytes hold more characters than are shown.
  const reach = MAX_CHARACTER_BYTES * (maxChars + 1);
  const rest = upToLineEnd(text, center, reach);
  const length = center - lineStart + rest.length;
  const whole = length <= reach ? characters(text.slice(lineStart, lineStart + length)) : undefined;
  if (whole !== undefined && whole.length <= maxChars) return { text: whole.join("") };
  const before = characters(text.slice(characterStart(text, Math.max(lineStart, center - reach)), center));
  const after = characters(rest).slice(0, maxChars);
  // A third of it comes before the match, more if less comes after.
  const lead = Math.min(before.length, Math.max(Math.floor(maxChars / 3), maxChars - after.length));
  const shown = [...before.slice(before.length - lead), ...after].slice(0, maxChars);
  const column = 1 + (await countCharacters(text, lineStart, center, pacer)) - lead;
  return { text: shown.join(""), column };
}

/** Up to `count` lines before the one that begins at `lineStart`, each cut at `maxChars` characters. */
export async function linesBefore(
  text: SearchText,
  lineStart: number,
  count: number,
  maxChars: number,
  pacer: Pacer,
): Promise<string[]> {
  const lines: string[] = [];
  for (let start = lineStart; lines.length < count && start > 0;) {
    start = await findLineStart(text, start - 1, pacer);
    lines.unshift(beginningOf(text, start, maxChars));
  }
  return lines;
}

/** Up to `count` lines after the one that `at` lies in, each cut at `maxChars` characters. */
export async function linesAfter(
  text: SearchText,
  at: number,
  count: number,
  maxChars: number,
  pacer: Pacer,
): Promise<string[]> {
  const lines: string[] = [];
  let { next } = count === 0 ? { next: undefined } : await findLineEnd(text, at, pacer);
  while (next !== undefined && lines.length < count) {
    lines.push(beginningOf(text, next, maxChars));
    ({ next } = await findLineEnd(text, next, pacer));
  }
  return lines;
}

function beginningOf(text: SearchText, start: number, maxChars: number): string {
  return characters(upToLineEnd(text, start, MAX_CHARACTER_BYTES * maxChars))
    .slice(0, maxChars)
    .join("");
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
function characterStart(text: SearchText, at: number): number {
  const bytes = text.slice(at, at + MAX_CHARACTER_BYTES - 1);
  const offset = bytes.findIndex((byte) => !isContinuation(byte));
  return at + Math.max(0, offset);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
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
