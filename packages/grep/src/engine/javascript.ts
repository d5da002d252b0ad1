import { Buffer, isAscii } from "node:buffer";
import { createPacer, type Pacer } from "@fstools/sandbox";
import type { RE2JS } from "re2js";
import { findLineEnd } from "../text/lines.ts";
import type { SearchText } from "../text/search-text.ts";
import { invalidPattern } from "./dialect.ts";
import type { Engine, Hit, Query } from "./engine.ts";
import { mostRepetitions, namesLineEnd, requiredLiteral, toRe2, unknownToRe2 } from "./re2.ts";

/** What is searched in one go, at most: it cannot be interrupted. */
const MAX_PIECE_BYTES = 48 * 1024;
const MIN_PIECE_BYTES = 1024;
/** The bytes of a piece times the instructions of the program: up to 50 ns each, which makes 50 ms. */
const MAX_PIECE_WORK = 1024 * 1024;
const MAX_PROGRAM_SIZE = 5000;
/** A longer match that lies across the end of a piece may be missed. */
const MAX_OVERLAP_BYTES = 16 * 1024;
/** How many times as large as a piece a window may become for one match. */
const MAX_GROWTH = 8;
const CONTEXT_BYTES = 64;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * An engine without ripgrep, on re2js: linear in the text like ripgrep, but slower. So it first looks for a literal
 * that every match must contain, and lets the event loop turn between pieces that are smaller for larger patterns.
 */
export function createJavascriptEngine(query: Query, signal: AbortSignal): Engine {
  const pacer = createPacer(signal);
  let created: Promise<Matcher> | undefined;
  return {
    name: "javascript",
    batchSize: 1,
    search: async (texts, sink) => {
      const matcher = await (created ??= createMatcher(query));
      for (const text of texts) {
        const take = (hits: readonly Hit[]) => sink.add(text, hits);
        if (!(await (query.isWhole ? searchSpans : searchLines)(text, matcher, pacer, take))) return false;
        sink.end(text);
      }
      return true;
    },
  };
}

/** A compiled pattern. */
interface Matcher {
  /** How much it may look at in one go. */
  readonly pieceBytes: number;
  readonly isFirstEnough: boolean;
  /** Whether this text cannot match, because a literal is missing; a quick test. */
  lacksLiteral(bytes: Buffer): boolean;
  /** Whether there is a match in the text. */
  test(bytes: Buffer): boolean;
  /** The first match from a position on. */
  find(bytes: Buffer, from: number): { readonly start: number; readonly end: number } | undefined;
}

/** Takes matches of the text that is searched; false if no more are wanted. */
type TakeHits = (hits: readonly Hit[]) => Promise<boolean>;

/** @throws ToolError INVALID_PARAM */
async function createMatcher(query: Query): Promise<Matcher> {
  const lineEnd = query.isWhole ? undefined : namesLineEnd(query.pattern);
  if (lineEnd !== undefined) throw invalidPattern(query.pattern, `the literal "${lineEnd}" is not allowed in a regex`);
  const unknown = unknownToRe2(query.pattern);
  if (unknown !== undefined) throw invalidPattern(query.pattern, unknown);
  // Loaded on use: it is as large as everything else, and most hosts have ripgrep.
  const { RE2JS: Regex } = await import("re2js");
  const flags =
    Regex.MULTILINE | (query.isCaseSensitive ? 0 : Regex.CASE_INSENSITIVE) | (query.isMultiline ? Regex.DOTALL : 0);
  const compile = (isForAscii: boolean): RE2JS => {
    try {
      return Regex.compile(toRe2(query, isForAscii), flags);
    } catch (error) {
      throw invalidPattern(query.pattern, error instanceof Error ? withoutFlags(error.message) : "");
    }
  };
  if (mostRepetitions(query.pattern) > MAX_PROGRAM_SIZE) throw invalidPattern(query.pattern, TOO_LARGE);
  const forAscii = compile(true);
  const size = forAscii.programSize();
  if (size > MAX_PROGRAM_SIZE) throw invalidPattern(query.pattern, TOO_LARGE);
  let forAll: RE2JS | undefined;
  const regexFor = (isPlain: boolean): RE2JS => (isPlain ? forAscii : (forAll ??= compile(false)));
  return {
    pieceBytes: Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, Math.floor(MAX_PIECE_WORK / size))),
    isFirstEnough: query.isFirstEnough,
    lacksLiteral: literalTest(query),
    test: (bytes) => {
      const isPlain = isAscii(bytes);
      return regexFor(isPlain).test(bytes.toString(isPlain ? "latin1" : "utf8"));
    },
    find: (bytes, from) => {
      const matcher = regexFor(isAscii(bytes)).matcher(bytes);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

const TOO_LARGE = "compiled regex exceeds size limit";

/** An error of re2js without what it puts in front of the pattern. */
function withoutFlags(message: string): string {
  return message.replace(/^error parsing regexp: /u, "").replace(/`(?:\(\?[ims]+\))+/u, "`");
}

function literalTest(query: Query): (bytes: Buffer) => boolean {
  const literal = requiredLiteral(query.pattern);
  if (literal === undefined) return () => false;
  if (query.isCaseSensitive) {
    const wanted = Buffer.from(literal);
    return (bytes) => !bytes.includes(wanted);
  }
  const wanted = fold(literal);
  return (bytes) =>
    !(isAscii(bytes) ? bytes.toString("latin1").toUpperCase() : fold(bytes.toString("utf8"))).includes(wanted);
}

/** The same for all letters that a case-insensitive expression treats as equal. */
function fold(text: string): string {
  // Some, such as the Kelvin sign, only change to lower case, and others, such as the micro sign, only to upper case.
  return text.toLowerCase().toUpperCase();
}

/** Searches line by line. */
async function searchLines(text: SearchText, matcher: Matcher, pacer: Pacer, take: TakeHits): Promise<boolean> {
  const { pieceBytes, isFirstEnough } = matcher;
  let line = 1;
  for (let at = 0; ;) {
    const window = text.slice(at, at + pieceBytes);
    if (window.length === 0) return true;
    const isLast = window.length < pieceBytes;
    const piece = window.subarray(0, isLast ? window.length : window.lastIndexOf(NEWLINE) + 1);
    let hits: Hit[];
    let next: number | undefined = at + piece.length;
    if (piece.length > 0) {
      hits = matcher.lacksLiteral(piece) ? [] : await hitsInLines(piece, matcher, at, line, pacer);
      line += countNewlines(piece);
    } else {
      const lineEnd = await findLineEnd(text, at, pacer);
      const found = await findInWindows(text, matcher, at, lineEnd.end, at, pacer);
      hits = found === undefined ? [] : [{ line, lineStart: at, start: found.start }];
      next = lineEnd.next;
      line += 1;
    }
    if (hits.length > 0 && !(await take(hits))) return false;
    if (next === undefined || (hits.length > 0 && isFirstEnough)) return true;
    at = next;
    if (pacer.due()) await pacer.rest();
  }
}

/** The lines of a piece that match. */
async function hitsInLines(
  piece: Buffer,
  matcher: Matcher,
  offset: number,
  firstLine: number,
  pacer: Pacer,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  // A match across lines would not count, but without one there is none within a line either.
  if (!piece.includes(RETURN) && !matcher.test(piece)) return hits;
  let line = firstLine;
  for (let from = 0; from < piece.length; line += 1) {
    const newline = piece.indexOf(NEWLINE, from);
    const next = newline === -1 ? piece.length : newline + 1;
    let end = newline === -1 ? piece.length : newline;
    if (piece[end - 1] === RETURN && end > from && newline !== -1) end -= 1;
    const bytes = piece.subarray(from, end);
    if (!matcher.lacksLiteral(bytes) && matcher.test(bytes)) {
      const start = matcher.find(bytes, 0)?.start ?? 0;
      hits.push({ line, lineStart: offset + from, start: offset + from + start });
    }
    from = next;
    if (pacer.due()) await pacer.rest();
  }
  return hits;
}

/** Searches for matches that may span lines. */
async function searchSpans(text: SearchText, matcher: Matcher, pacer: Pacer, take: TakeHits): Promise<boolean> {
  if (!text.isLarge && matcher.lacksLiteral(text.slice(0, Infinity))) return true;
  for (let from = 0; ;) {
    if (text.slice(from, from + 1).length === 0) return true;
    const found = await findInWindows(text, matcher, 0, Infinity, from, pacer);
    if (found === undefined) return true;
    const { start, end } = found;
    // An empty match does not count here; the next one begins a character later.
    if (start < end && !(await take([{ start, end }]))) return false;
    if (start < end && matcher.isFirstEnough) return true;
    from = start === end ? end + characterLength(text, end) : end;
    if (pacer.due()) await pacer.rest();
  }
}

function characterLength(text: SearchText, at: number): number {
  const bytes = text.slice(at + 1, at + 4);
  const next = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return 1 + (next === -1 ? bytes.length : next);
}

/**
 * The first match between two positions, from a third on, searched in windows that overlap. One that touches the end of
 * its window may continue, or be none at all where its line goes on: it is looked at again in a larger one.
 */
async function findInWindows(
  text: SearchText,
  matcher: Matcher,
  first: number,
  last: number,
  from: number,
  pacer: Pacer,
): Promise<{ readonly start: number; readonly end: number } | undefined> {
  const { pieceBytes } = matcher;
  const overlap = Math.min(MAX_OVERLAP_BYTES, Math.floor(pieceBytes / 2));
  let size = pieceBytes;
  let doubtful: number | undefined;
  for (let at = from; ;) {
    const windowStart = characterStart(text, Math.max(first, at - CONTEXT_BYTES), first);
    const wanted = Math.min(last, at + size);
    const bytes = text.slice(windowStart, wanted);
    const windowEnd = windowStart + bytes.length;
    const isEnd = windowEnd < wanted || windowEnd >= last;
    const isPossible = !matcher.lacksLiteral(bytes) && matcher.test(bytes);
    const found = isPossible ? matcher.find(bytes, at - windowStart) : undefined;
    if (found !== undefined) {
      const [start, end] = [windowStart + found.start, windowStart + found.end];
      const isAgain = start === doubtful;
      if (isEnd || end < windowEnd - 1 || (isAgain && size >= MAX_GROWTH * pieceBytes)) return { start, end };
      size = 2 * (isAgain ? size : pieceBytes);
      doubtful = start;
      at = start;
    } else if (isEnd) {
      return undefined;
    } else {
      size = pieceBytes;
      at = Math.max(at + 1, characterStart(text, windowEnd - overlap, first));
    }
    if (pacer.due()) await pacer.rest();
  }
}

/** The beginning of the character that a position lies in. */
function characterStart(text: SearchText, at: number, first: number): number {
  for (let back = 0; back < 4 && at - back > first; back += 1) {
    if (((text.slice(at - back, at - back + 1)[0] ?? 0) & 0xc0) !== 0x80) return at - back;
  }
  return at;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
