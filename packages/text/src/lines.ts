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

/** Takes the parts of a text's lines; either method returns `false` to get no more. */
export interface LineSink {
  /** A part of the current line, not empty: a piece of the text from one index to another. */
  text(piece: string, from: number, to: number): boolean;
  /** The end of the current line. */
  end(): boolean;
}

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

const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** A collector of lines: every tool that shows lines of a file does it by this loop. */
export function createLineCollector(request: LineRequest) {
  const { from, start, maxUnits, countsOn, take } = request;
  let { line } = from;
  let hasText = from.column > 1;
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
  const wantsMore = (): boolean => !isFull || countsOn;
  const afterSkipped = (part: string): string => {
    const skipped = line === start.line ? start.column - 1 - passed : 0;
    if (skipped <= 0) return part;
    const rest = withoutCodePoints(part, skipped);
    passed += rest === "" ? countCodePoints(part) : skipped;
    return rest;
  };
  const text = (piece: string, from: number, to: number): boolean => {
    hasText = true;
    if (line < start.line || isTaken || isFull) return true;
    held += afterSkipped(piece.slice(from, to));
    if (held.length <= maxUnits) return true;
    held = held.slice(0, maxUnits);
    handOver();
    return wantsMore();
  };
  const end = (): boolean => {
    if (line >= start.line && !isTaken && !isFull) handOver();
    line++;
    hasText = false;
    isTaken = false;
    return wantsMore();
  };
  return {
    /** Takes the next piece of the text; false when nothing more is to be learned from it. */
    push: createLineSplitter({ text, end }, request.lineEnds),
    /** Says that the text has ended. */
    finish: (): void => {
      if (hasText || request.emptyLastLine === true) end();
    },
    /** How many lines have ended. */
    lines: () => line - 1,
  };
}

/**
 * Splits a text that comes in pieces, even where "\r" and "\n" come in different pieces.
 * The function it returns answers `false` as soon as the sink does.
 */
export function createLineSplitter(sink: LineSink, lineEnds: LineEnds = "any"): (piece: string) => boolean {
  let afterReturn = false;
  return (piece) => {
    let from = afterReturn && piece.startsWith("\n") ? 1 : 0;
    if (piece !== "") afterReturn = false;
    const nextEnd = createEndFinder(piece, lineEnds);
    while (from < piece.length) {
      const end = nextEnd(from);
      if (end > from && !sink.text(piece, from, end)) return false;
      if (end === piece.length) return true;
      if (!sink.end()) return false;
      const isReturn = piece.charCodeAt(end) === RETURN;
      afterReturn = isReturn && end + 1 === piece.length;
      from = end + (isReturn && piece.charCodeAt(end + 1) === NEWLINE ? 2 : 1);
    }
    return true;
  };
}

/** Measures a line, in code points, of a text that begins at the place `from`; `push` is false once its end is known. */
export function createLineMeter(
  from: Place,
  line: number,
): { readonly push: (piece: string) => boolean; length(): number } {
  let current = from.line;
  let length = current === line ? from.column - 1 : 0;
  const text = (piece: string, from: number, to: number): boolean => {
    if (current === line) length += countCodePoints(piece.slice(from, to));
    return true;
  };
  return { push: createLineSplitter({ text, end: () => current++ < line }), length: () => length };
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

const encoder = new TextEncoder();

/** An empty page, to be filled by a line collector. */
export function createPage({ start, limit, maxPageBytes, maxLineChars }: PageRequest) {
  const content: string[] = [];
  let lines = 0;
  let next: Place | undefined;
  let bytes = 0;

  /** Adds what begins at `place`; false when the page ends inside this line, or before it if there is no room for it. */
  const add = (text: string, place: Place, isCut: boolean): boolean => {
    const prefix = `${String(place.line).padStart(4)} | `;
    const room = maxPageBytes - bytes - prefix.length - 1;
    const textBytes = Buffer.byteLength(text);
    if (textBytes > room && lines > 0) {
      next = place;
      return false;
    }
    const shown = textBytes > room ? fitting(text, room) : text;
    content.push(`${prefix}${shown}\n`);
    lines++;
    bytes += prefix.length + textBytes + 1;
    if (!isCut && shown.length === text.length) return true;
    next = { line: place.line, column: place.column + countCodePoints(shown) };
    return false;
  };

  return {
    start,
    // Enough to tell that a line is too long for its own limit, or for any page.
    maxUnits: Math.min(2 * maxLineChars + 1, maxPageBytes + 2),
    take: (text: string, place: Place): boolean => {
      // Only a line that is there can be named as the next one.
      if (lines === limit) {
        next = place;
        return false;
      }
      const isCut = text.length > maxLineChars && countCodePoints(text) > maxLineChars;
      // The line is too short for the column at which the page begins; the page stays empty.
      if (text === "" && place.column > 1) return false;
      return add(isCut ? firstCodePoints(text, maxLineChars) : text, place, isCut);
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
