import { isHighSurrogate, isLowSurrogate } from "@fstools/protocol";

/** A place in a text. */
export interface Place {
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
}

/** What ends a line: "\n", "\r\n" and a lone "\r", or "\n" only. */
export type LineEnds = "any" | "newline";

/** Takes the parts of a text's lines; either answers `false` to get no more. */
export interface LineSink {
  /** A part of the current line, not empty: a piece of the text from one index to another. */
  text(piece: string, from: number, to: number): boolean;
  /** The end of the current line. */
  end(): boolean;
}

/** Which lines are wanted, and what becomes of them. */
export interface LineRequest {
  /** Where the text begins that will be pushed. */
  readonly from: Place;
  /** The first character wanted. */
  readonly start: Place;
  /** The most UTF-16 units of a line that are handed over; it may be cut inside a pair there. */
  readonly maxUnits: number;
  /** @default "any" */
  readonly lineEnds?: LineEnds;
  /**
   * Whether what follows a last line end is a line too.
   * @default false
   */
  readonly emptyLastLine?: boolean;
  /** Goes on counting lines after `take` has had enough. */
  readonly countsOn: boolean;
  /** Takes the beginning of a line from `place` on; false when no more are wanted. */
  readonly take: (text: string, place: Place) => boolean;
}

/** Collects lines from a text that comes in pieces. */
export interface LineCollector {
  /** Takes the next piece; false when nothing more is to be learned from the text. */
  readonly push: (piece: string) => boolean;
  /** Says that the text is over. */
  finish(): void;
  /** How many lines have ended. */
  lines(): number;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** A collector of lines: every tool that shows lines of a file does it by this loop. */
export function createLineCollector(request: LineRequest): LineCollector {
  const { from, start, maxUnits, countsOn, take } = request;
  let { line } = from;
  let hasText = from.column > 1;
  // Characters of the current line that were passed by, in the line of `start` only.
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
    push: createLineSplitter({ text, end }, request.lineEnds),
    finish: () => {
      if (hasText || request.emptyLastLine === true) end();
    },
    lines: () => line - 1,
  };
}

/**
 * Splits a text that comes in pieces, also where "\r" and "\n" come in different pieces.
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

// Remembers the next "\r", so that a text without any is searched for it only once.
function createEndFinder(piece: string, lineEnds: LineEnds): (from: number) => number {
  const find = (character: string, from: number): number => {
    const index = piece.indexOf(character, from);
    return index === -1 ? piece.length : index;
  };
  let nextReturn = lineEnds === "any" ? find("\r", 0) : piece.length;
  return (from) => {
    if (nextReturn < from) nextReturn = find("\r", from);
    return Math.min(find("\n", from), nextReturn);
  };
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The number of code points in a well-formed text. */
export function countCodePoints(text: string): number {
  // The engine sees at once that a text of one-byte characters has no surrogates; most text has none.
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
