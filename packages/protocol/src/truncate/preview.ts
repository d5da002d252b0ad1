import { escapeBoundary, jsonHead, jsonPieces, jsonTail, minJsonUnits, type JsonText } from "./json-text.ts";
import { countNewlines } from "../text.ts";
import { headUnits, tailUnits, utf8Length, utf8LengthOf } from "../utf8.ts";

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

/** How the measured text differs from its JSON: the line breaks inside strings are real ones, of one byte. */
export interface MeasuredLines {
  readonly lines: number;
  readonly escapedBreaks: number;
}

// These take a byte for each unit in the measured text.
const PLAIN_LINES = /^[\n !#-[\]-~]*$/;
// "\u0000"
const MAX_UNIT_BYTES = 6;
const MAX_SHORT_UNITS = 32;
// A number such as -1.7976931348623157e+308.
const MAX_LEAF_BYTES = 24;

/**
 * Whether the measured text of plain data is within the limits, as that of most answers is: to add up what it takes at
 * most costs a fraction of making it. False if only measuring can tell.
 */
export function surelyFits(value: unknown, limits: TruncationLimits): boolean {
  // Most are small enough however the characters of short strings are written.
  const roughly = (text: string): number => (text.length > MAX_SHORT_UNITS ? unitBytes(text) : MAX_UNIT_BYTES);
  return addsUpWithin(value, limits, roughly) || addsUpWithin(value, limits, unitBytes);
}

/** How many bytes a unit of this text takes at most. */
function unitBytes(text: string): number {
  return PLAIN_LINES.test(text) ? 1 : MAX_UNIT_BYTES;
}

function addsUpWithin(
  value: unknown,
  { maxLines, maxBytes }: TruncationLimits,
  bytesOf: (text: string) => number,
): boolean {
  let bytes = 0;
  let lines = 1;

  function addText(text: string): void {
    bytes += 2 + text.length;
    if (bytes > maxBytes) return;
    bytes += (bytesOf(text) - 1) * text.length;
    lines += countNewlines(text);
  }

  /** Each part is on a line of its own, behind its indentation and before a comma; so is the bracket that closes. */
  function addParts(parts: object, depth: number): boolean {
    const names = Array.isArray(parts) ? [] : Object.keys(parts);
    const values: readonly unknown[] = Array.isArray(parts) ? parts : Object.values(parts);
    lines += values.length + 1;
    bytes += 2 * depth + 3 + values.length * (2 * depth + 6);
    for (const name of names) addText(name);
    for (const value of values) {
      if (bytes > maxBytes || lines > maxLines || !add(value, depth + 1)) return false;
    }
    return true;
  }

  function add(part: unknown, depth: number): boolean {
    if (typeof part === "string") addText(part);
    else if (typeof part === "object" && part !== null) return isPlainData(part) && addParts(part, depth);
    else if (typeof part === "number" || typeof part === "boolean" || part === null) bytes += MAX_LEAF_BYTES;
    else return false;
    return true;
  }

  try {
    return add(value, 0) && bytes <= maxBytes && lines <= maxLines;
  } catch {
    // What throws when it is looked at, or is too deep.
    return false;
  }
}

/** Whether JSON holds the very properties of an object. */
function isPlainData(value: object): boolean {
  if ("toJSON" in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

/** Counts the lines of the measured text. */
export function measureLines(text: JsonText): MeasuredLines {
  let breaks = 0;
  let escapedBreaks = 0;
  for (const part of text) {
    if ("json" in part) {
      breaks += countNewlines(part.json);
      escapedBreaks += countEscapedBreaks(part.json);
    } else {
      escapedBreaks += countNewlines(part.unescaped);
    }
  }
  return { lines: breaks + escapedBreaks + 1, escapedBreaks };
}

/** Whether the measured text is within the limits; encodes it only if it may be. */
export function fits(text: JsonText, { lines, escapedBreaks }: MeasuredLines, limits: TruncationLimits): boolean {
  const maxJsonBytes = limits.maxBytes + escapedBreaks;
  if (lines > limits.maxLines || minJsonUnits(text) > maxJsonBytes) return false;
  return utf8LengthOf(jsonPieces(text)) <= maxJsonBytes;
}

/** The size of a text. */
export function measureText(text: string): TextSize {
  return { lines: countNewlines(text) + 1, bytes: utf8Length(text) };
}

/** The slice of the measured text that is kept; looks only at the kept end of the JSON. */
export function previewOf(text: JsonText, limits: TruncationLimits): string {
  // An escaped line break shrinks to half its length, so this window always holds more than can be kept.
  const windowUnits = 2 * limits.maxBytes + 2;
  if (limits.direction === "head") return keepHead(showBreaks(jsonHead(text, windowUnits)), limits);
  return keepTail(showBreaks(jsonTail(text, windowUnits)), limits);
}

function keepHead(text: string, { maxLines, maxBytes }: TruncationLimits): string {
  const byteEnd = headUnits(text, maxBytes);
  const lineEnd = endOfLine(text, maxLines);
  if (lineEnd <= byteEnd) return text.slice(0, lineEnd);
  const lastBreak = text.lastIndexOf("\n", byteEnd);
  const end = lastBreak === -1 || dropsTooMuch(text.slice(lastBreak, byteEnd), maxBytes) ? byteEnd : lastBreak;
  return text.slice(0, end);
}

function keepTail(text: string, { maxLines, maxBytes }: TruncationLimits): string {
  const byteStart = text.length - tailUnits(text, maxBytes);
  const lineStart = startOfLineFromEnd(text, maxLines);
  if (lineStart >= byteStart) return text.slice(lineStart);
  const nextLine = text.indexOf("\n", byteStart - 1) + 1;
  const start = nextLine === 0 || dropsTooMuch(text.slice(byteStart, nextLine), maxBytes) ? byteStart : nextLine;
  return text.slice(start);
}

function dropsTooMuch(dropped: string, maxBytes: number): boolean {
  return utf8Length(dropped) > maxBytes / 2;
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

function countEscapedBreaks(json: string): number {
  let count = 0;
  for (let at = json.indexOf("\\n"); at !== -1; at = json.indexOf("\\n", at + 2)) {
    if (escapeBoundary(json, at) === at) count += 1;
  }
  return count;
}

// An escaped backslash is matched too, so that an "n" after it stays an "n".
function showBreaks(json: string): string {
  return json.replace(/\\[\\n]/gu, (escape) => (escape === "\\n" ? "\n" : escape));
}
