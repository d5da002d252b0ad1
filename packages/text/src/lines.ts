import { Buffer } from "node:buffer";
import { isHighSurrogate, isLowSurrogate } from "@fstools/protocol";

/** A place in a text. */
export interface Place {
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
}

/** What ends a line: "\n", "\r\n" and a lone "\r", or "\n" only. */
export type LineEnds = "any" | "newline";

/** Which lines are wanted, and who takes them. */
export interface LineRequest {
  /** Where the text begins that will be pushed. */
  readonly from: Place;
  /** The first character wanted. */
  readonly start: Place;
  /** The most UTF-16 units of a line that are passed on; the cut may be inside a surrogate pair. */
  readonly maxUnits: number;
  /** @default "any" */
  readonly lineEnds?: LineEnds;
  /** Whether what follows a last line end is a line too. @default false */
  readonly emptyLastLine?: boolean;
  /** Whether to keep counting lines after `take` has had enough. */
  readonly countsOn: boolean;
  /** Takes the beginning of a line from `place` on; false when no more are wanted. */
  readonly take: (text: string, place: Place) => boolean;
}

/** A collector of lines: every tool that shows lines of a file does it by this loop. */
export function createLineCollector(request: LineRequest) {
  const { from, start, maxUnits, lineEnds = "any", countsOn, take } = request;
  let { line } = from;
  let hasText = from.column > 1;
  let afterReturn = false;
  // Characters of the current line that were skipped, in the line of `start` only.
  let passed = line === start.line ? from.column - 1 : 0;
  let held = "";
  let isTaken = false;
  let isFull = false;

  const handOver = (): void => {
    isTaken = true;
    isFull = !take(held, line === start.line ? start : { line, column: 1 });
    held = "";
  };
  const afterSkipped = (part: string): string => {
    const skipped = line === start.line ? start.column - 1 - passed : 0;
    if (skipped <= 0) return part;
    const rest = withoutCodePoints(part, skipped);
    passed += rest === "" ? countCodePoints(part) : skipped;
    return rest;
  };
  const addText = (piece: string, from: number, to: number): void => {
    hasText = true;
    if (line < start.line || isTaken || isFull) return;
    held += afterSkipped(piece.slice(from, to));
    if (held.length <= maxUnits) return;
    held = held.slice(0, maxUnits);
    handOver();
  };
  const endLine = (): void => {
    if (line >= start.line && !isTaken && !isFull) handOver();
    line++;
    hasText = false;
    isTaken = false;
  };
  return {
    /** Takes the next piece of the text; false when nothing more is to be learned from it. */
    push: (piece: string): boolean => {
      // "\r" and "\n" may come in different pieces.
      let at = afterReturn && piece.startsWith("\n") ? 1 : 0;
      if (piece !== "") afterReturn = false;
      const nextEnd = createEndFinder(piece, lineEnds);
      while (at < piece.length && (countsOn || !isFull)) {
        const end = nextEnd(at);
        if (end > at) addText(piece, at, end);
        if (end === piece.length) break;
        endLine();
        const isReturn = piece[end] === "\r";
        afterReturn = isReturn && end + 1 === piece.length;
        at = end + (isReturn && piece[end + 1] === "\n" ? 2 : 1);
      }
      return countsOn || !isFull;
    },
    /** Says that the text has ended. */
    finish: (): void => {
      if (hasText || request.emptyLastLine === true) endLine();
    },
    /** How many lines have ended. */
    lines: () => line - 1,
  };
}

/** What a collector needs to measure a line, in code points, of a text that begins at the place `from`. */
export function createLineMeter<Start extends Place>(from: Start, line: number) {
  const start = from.line === line ? from : { line, column: 1 };
  let length = start.column - 1;
  const take = (text: string): boolean => {
    length += countCodePoints(text);
    return false;
  };
  return { request: { from, start, maxUnits: Infinity, countsOn: false, take }, length: () => length };
}

/** The next line end from a position on, or the end; remembers the next of each, so that none is searched for again. */
export function createEndFinder(piece: string, lineEnds: LineEnds): (from: number) => number {
  const find = (character: string, from: number): number => {
    const index = piece.indexOf(character, from);
    return index === -1 ? piece.length : index;
  };
  let nextNewline = find("\n", 0);
  let nextReturn = lineEnds === "any" ? find("\r", 0) : piece.length;
  return (from) => {
    if (nextNewline < from) nextNewline = find("\n", from);
    if (nextReturn < from) nextReturn = find("\r", from);
    return Math.min(nextNewline, nextReturn);
  };
}

/** Which part of a text a page shows. */
export interface PageRequest {
  readonly start: Place;
  /** The most lines on the page. */
  readonly limit: number;
  /** The most bytes of the page's content in UTF-8; one character is shown in any case. */
  readonly maxPageBytes: number;
  /** The most characters of one line. */
  readonly maxLineChars: number;
}

/** Numbered lines. */
export interface Page {
  /** Lines as "%4d | %s\n". */
  readonly content: string;
  readonly lines: number;
  /** Code points in `content`. */
  readonly chars: number;
  /** Where the next page begins; undefined on the last one. */
  readonly next: Place | undefined;
}

const MAX_UNIT_BYTES = 3;
const encoder = new TextEncoder();

/** An empty page, to be filled by a line collector. */
export function createPage({ start, limit, maxPageBytes, maxLineChars }: PageRequest) {
  const content: string[] = [];
  let lines = 0;
  let next: Place | undefined;
  // An upper bound while everything fits, as on most pages; exact from then on.
  let bytes = 0;
  let isExact = false;

  return {
    start,
    // Enough to tell that a line is too long for its own limit, or for any page.
    maxUnits: Math.min(2 * maxLineChars + 1, maxPageBytes + 2),
    take: (text: string, place: Place): boolean => {
      // Where the line is too short for the column at which the page begins, the page stays empty.
      if (lines < limit && text === "" && place.column > 1) return false;
      const prefix = `${String(place.line).padStart(4)} | `;
      const line = text.length > maxLineChars ? firstCodePoints(text, maxLineChars) : text;
      if (!isExact && bytes + prefix.length + MAX_UNIT_BYTES * line.length >= maxPageBytes) {
        bytes = Buffer.byteLength(content.join(""));
        isExact = true;
      }
      const lineBytes = isExact ? Buffer.byteLength(line) : MAX_UNIT_BYTES * line.length;
      const room = maxPageBytes - bytes - prefix.length - 1;
      // Only a line that is there can be named as the next one.
      if (lines === limit || (lineBytes > room && lines > 0)) {
        next = place;
        return false;
      }
      const shown = lineBytes > room ? fitting(line, room) : line;
      content.push(`${prefix}${shown}\n`);
      lines++;
      bytes += prefix.length + lineBytes + 1;
      if (shown.length === text.length) return true;
      next = { line: place.line, column: place.column + countCodePoints(shown) };
      return false;
    },
    /** The page, once `take` was false or the text has ended. */
    finish: (): Page => {
      const whole = content.join("");
      return { content: whole, lines, chars: countCodePoints(whole), next };
    },
  };
}

function fitting(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return read === 0 ? firstCodePoints(text, 1) : text.slice(0, read);
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The number of code points in a well-formed text. */
export function countCodePoints(text: string): number {
  // For a text of one-byte characters this test takes no time; most text has no surrogates.
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let index = 0; index < text.length; index++) if (!isLowSurrogate(text.charCodeAt(index))) count++;
  return count;
}

/** The first `count` code points of a well-formed text. */
export function firstCodePoints(text: string, count: number): string {
  return text.slice(0, indexAfter(text, count));
}

/** A well-formed text without its first `count` code points. */
export function withoutCodePoints(text: string, count: number): string {
  return text.slice(indexAfter(text, count));
}

function indexAfter(text: string, count: number): number {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--) {
    index += isHighSurrogate(text.charCodeAt(index)) ? 2 : 1;
  }
  return index;
}
