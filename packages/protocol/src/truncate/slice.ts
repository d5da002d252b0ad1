import { countNewlines, utf8Length } from "../text.ts";

const encoder = new TextEncoder();
// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const NEWLINE = 0x0a;

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
export function sliceOf(text: string, { direction, maxLines, maxBytes }: TruncationLimits): string {
  return decoder.decode(direction === "head" ? head(text, maxLines, maxBytes) : tail(text, maxLines, maxBytes));
}

function head(text: string, maxLines: number, maxBytes: number): Uint8Array {
  // Every unit takes a byte at least. One more than fits tells whether a character or a line ends there.
  const bytes = encoder.encode(text.slice(0, maxBytes + 1));
  let end = Math.min(bytes.length, maxBytes);
  while (isContinuation(bytes[end])) end -= 1;
  let lineEnd = -1;
  for (let line = 0; line < maxLines; line += 1) {
    lineEnd = bytes.indexOf(NEWLINE, lineEnd + 1);
    if (lineEnd === -1 || lineEnd > end) break;
  }
  if (lineEnd !== -1 && lineEnd <= end) return bytes.subarray(0, lineEnd);
  if (bytes.length <= maxBytes) return bytes;
  const lastBreak = bytes.lastIndexOf(NEWLINE, end);
  return bytes.subarray(0, lastBreak === -1 || end - lastBreak > maxBytes / 2 ? end : lastBreak);
}

function tail(text: string, maxLines: number, maxBytes: number): Uint8Array {
  const bytes = encoder.encode(text.slice(-maxBytes - 1));
  let start = Math.max(0, bytes.length - maxBytes);
  while (isContinuation(bytes[start])) start += 1;
  let lineStart = bytes.length + 1;
  for (let line = 0; line < maxLines && lineStart > start; line += 1) {
    lineStart = lineStart < 2 ? 0 : bytes.lastIndexOf(NEWLINE, lineStart - 2) + 1;
  }
  if (lineStart >= start) return bytes.subarray(lineStart);
  if (bytes.length <= maxBytes) return bytes;
  const nextLine = bytes.indexOf(NEWLINE, start - 1) + 1;
  return bytes.subarray(nextLine === 0 || nextLine - start > maxBytes / 2 ? start : nextLine);
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
