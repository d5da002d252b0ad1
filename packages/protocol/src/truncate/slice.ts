import { countNewlines, utf8Length } from "../text.ts";

const encoder = new TextEncoder();
// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Which end of the text is kept, and how much of it. */
export interface TruncationLimits {
  readonly direction: "head" | "tail";
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** The size of a text; a text without a line break is one line. */
export interface TextSize {
  readonly lines: number;
  readonly bytes: number;
}

/** The exact size of a text. */
export function sizeOf(text: string): TextSize {
  return { lines: countNewlines(text) + 1, bytes: utf8Length(text) };
}

/**
 * One end of a text, within both limits: cut at a line break unless that drops over half of `maxBytes`, else between two
 * characters.
 */
export function sliceOf(text: string, limits: TruncationLimits): string {
  return limits.direction === "head" ? head(text, limits) : tail(text, limits);
}

function head(text: string, { maxLines, maxBytes }: TruncationLimits): string {
  const byteEnd = headUnits(text, maxBytes);
  const lineEnd = endOfLine(text, maxLines);
  if (lineEnd <= byteEnd) return text.slice(0, lineEnd);
  const lastBreak = text.lastIndexOf("\n", byteEnd);
  const dropsTooMuch = lastBreak === -1 || utf8Length(text.slice(lastBreak, byteEnd)) > maxBytes / 2;
  return text.slice(0, dropsTooMuch ? byteEnd : lastBreak);
}

function tail(text: string, { maxLines, maxBytes }: TruncationLimits): string {
  const byteStart = text.length - tailUnits(text, maxBytes);
  const lineStart = startOfLineFromEnd(text, maxLines);
  if (lineStart >= byteStart) return text.slice(lineStart);
  const nextLine = text.indexOf("\n", byteStart - 1) + 1;
  const dropsTooMuch = nextLine === 0 || utf8Length(text.slice(byteStart, nextLine)) > maxBytes / 2;
  return text.slice(dropsTooMuch ? byteStart : nextLine);
}

function endOfLine(text: string, line: number): number {
  let end = -1;
  for (let seen = 0; seen < line; seen += 1) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) return text.length;
  }
  return end;
}

function startOfLineFromEnd(text: string, line: number): number {
  let start = text.length;
  for (let seen = 0; seen < line; seen += 1) {
    // lastIndexOf clamps a negative position to 0, where it would find the same break again.
    start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
    if (start === -1) return 0;
  }
  return start + 1;
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function headUnits(text: string, maxBytes: number): number {
  return encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, 3 * text.length))).read;
}

/** The longest end of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function tailUnits(text: string, maxBytes: number): number {
  // Every unit takes a byte at least.
  const bytes = encoder.encode(text.slice(-maxBytes));
  let start = Math.max(0, bytes.length - maxBytes);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return decoder.decode(bytes.subarray(start)).length;
}
