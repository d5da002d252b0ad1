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
export function sliceOf(text: string, { direction, maxLines, maxBytes }: TruncationLimits): string {
  const isHead = direction === "head";
  const fitting = isHead ? head(text, maxBytes) : tail(text, maxBytes);
  const lines = fitting.split("\n");
  if (lines.length > maxLines) return (isHead ? lines.slice(0, maxLines) : lines.slice(-maxLines)).join("\n");
  const beyond = isHead ? text[fitting.length] : text.at(-fitting.length - 1);
  const endsWhole = beyond === undefined || beyond === "\n";
  const outermost = (isHead ? lines.at(-1) : lines[0]) ?? "";
  if (endsWhole || lines.length === 1 || utf8Length(outermost) + 1 > maxBytes / 2) return fitting;
  return (isHead ? lines.slice(0, -1) : lines.slice(1)).join("\n");
}

// Every unit takes a byte at least, so the rest of the text need not be encoded.
function head(text: string, maxBytes: number): string {
  const bytes = encoder.encode(text.slice(0, maxBytes));
  let end = Math.min(bytes.length, maxBytes);
  while (isContinuation(bytes[end])) end -= 1;
  return decoder.decode(bytes.subarray(0, end));
}

function tail(text: string, maxBytes: number): string {
  const bytes = encoder.encode(text.slice(-maxBytes));
  let start = Math.max(0, bytes.length - maxBytes);
  while (isContinuation(bytes[start])) start += 1;
  return decoder.decode(bytes.subarray(start));
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
