import { Buffer, isAscii } from "node:buffer";
import { createPacer, type Pacer } from "@fstools/sandbox";
import type { RE2JS } from "re2js";
import { invalidPattern, namesLineEnd, requiredLiteral, toRe2, unknownToRe2 } from "./dialect.ts";
import { searchTexts, type Engine, type Hit, type HitSink, type Query, type Wanted } from "./hit.ts";
import { findLineEnd } from "./lines.ts";
import type { SearchText } from "./search-text.ts";

/** Looked at in one go: at 3 MB/s, the slowest that re2js is, that takes 10 to 20 ms. */
const PIECE_BYTES = 48 * 1024;
/** A line that is longer is searched in windows, and so is a text where matches may span lines. */
const OVERLAP_BYTES = 16 * 1024;
const CONTEXT_BYTES = 64;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * An engine without ripgrep, on re2js: linear in the text like ripgrep, but slower. So it first looks for a literal
 * that every match must contain, and lets the event loop turn between pieces.
 */
export function createJavascriptEngine(query: Query, signal: AbortSignal): Engine {
  return {
    name: "javascript",
    search: async (texts, sink) => {
      const matcher = await createMatcher(query);
      const pacer = createPacer(signal);
      await searchTexts(texts, sink, (text) =>
        query.isWhole ? searchSpans(text, matcher, pacer, sink) : searchLines(text, matcher, pacer, sink),
      );
    },
  };
}

/** A compiled pattern. */
interface Matcher {
  /** Whether this text cannot match, because a literal is missing; a quick test. */
  lacksLiteral(bytes: Buffer): boolean;
  /** Whether there is a match in the text. */
  test(bytes: Buffer): boolean;
  /** The first match from a position on. */
  find(bytes: Buffer, from: number): { readonly start: number; readonly end: number } | undefined;
}

/** An error of re2js without what it puts in front of the pattern. */
function withoutFlags(message: string): string {
  return message.replace(/^error parsing regexp: /u, "").replace(/`(?:\(\?[ims]+\))+/u, "`");
}

/** @throws ToolError INVALID_PARAM */
async function createMatcher(query: Query): Promise<Matcher> {
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
  const lineEnd = query.isWhole ? undefined : namesLineEnd(query.pattern);
  if (lineEnd !== undefined) throw invalidPattern(query.pattern, `the literal "${lineEnd}" is not allowed in a regex`);
  const unknown = unknownToRe2(query.pattern);
  if (unknown !== undefined) throw invalidPattern(query.pattern, unknown);
  const forAscii = compile(true);
  let forAll: RE2JS | undefined;
  const regexFor = (isPlain: boolean): RE2JS => (isPlain ? forAscii : (forAll ??= compile(false)));
  const lacksLiteral = literalTest(query);
  return {
    lacksLiteral,
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
async function searchLines(text: SearchText, matcher: Matcher, pacer: Pacer, sink: HitSink): Promise<Wanted> {
  let line = 1;
  for (let at = 0; ;) {
    const window = text.slice(at, at + PIECE_BYTES);
    if (window.length === 0) return true;
    const isLast = window.length < PIECE_BYTES;
    const length = isLast ? window.length : window.lastIndexOf(NEWLINE) + 1;
    if (length > 0) {
      const piece = window.subarray(0, length);
      const lines = countNewlines(piece);
      if (!matcher.lacksLiteral(piece)) {
        for (const hit of hitsInLines(piece, matcher, at, line)) {
          const wanted = await sink.hit(text, hit);
          if (wanted !== true) return wanted;
          if (pacer.due()) await pacer.rest();
        }
      }
      line += lines;
      at += length;
    } else {
      const { end, next } = await findLineEnd(text, at, pacer);
      const found = await findInWindows(text, matcher, at, end, at, pacer);
      const wanted = found === undefined || (await sink.hit(text, { line, lineStart: at, start: found.start }));
      if (wanted !== true) return wanted;
      if (next === undefined) return true;
      line += 1;
      at = next;
    }
    if (pacer.due()) await pacer.rest();
  }
}

/** The lines of a piece that match. */
function* hitsInLines(piece: Buffer, matcher: Matcher, offset: number, firstLine: number): Generator<Hit> {
  // A match across lines would not count, but without one there is none within a line either.
  if (!piece.includes(RETURN) && !matcher.test(piece)) return;
  let line = firstLine;
  for (let from = 0; from < piece.length; line += 1) {
    const newline = piece.indexOf(NEWLINE, from);
    const next = newline === -1 ? piece.length : newline + 1;
    let end = newline === -1 ? piece.length : newline;
    if (piece[end - 1] === RETURN && end > from && newline !== -1) end -= 1;
    const bytes = piece.subarray(from, end);
    if (!matcher.lacksLiteral(bytes) && matcher.test(bytes)) {
      const start = matcher.find(bytes, 0)?.start ?? 0;
      yield { line, lineStart: offset + from, start: offset + from + start };
    }
    from = next;
  }
}

/**
 * Searches one text from a position on for matches that may span lines.
 * @throws ToolError INVALID_PARAM, the signal's reason
 */
export async function searchSpansFrom(
  start: number,
  text: SearchText,
  query: Query,
  signal: AbortSignal,
  sink: HitSink,
): Promise<Wanted> {
  return searchSpans(text, await createMatcher(query), createPacer(signal), sink, start);
}

/** Searches for matches that may span lines. */
async function searchSpans(
  text: SearchText,
  matcher: Matcher,
  pacer: Pacer,
  sink: HitSink,
  first = 0,
): Promise<Wanted> {
  if (text.isHeld && matcher.lacksLiteral(text.bytes)) return true;
  for (let from = first; ;) {
    if (text.slice(from, from + 1).length === 0) return true;
    const found = await findInWindows(text, matcher, 0, Infinity, from, pacer);
    if (found === undefined) return true;
    const { start, end } = found;
    // An empty match does not count here; the next one begins a character later.
    const wanted = start === end || (await sink.hit(text, { line: undefined, lineStart: undefined, start, end }));
    if (wanted !== true) return wanted;
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
 * The first match between two positions, from a third on, searched in windows that overlap. A match that touches the
 * end of its window may continue, so the window grows.
 */
async function findInWindows(
  text: SearchText,
  matcher: Matcher,
  first: number,
  last: number,
  from: number,
  pacer: Pacer,
): Promise<{ readonly start: number; readonly end: number } | undefined> {
  let size = PIECE_BYTES;
  for (let at = from; ;) {
    const start = characterStart(text, Math.max(first, at - CONTEXT_BYTES), first);
    const wanted = Math.min(last, at + size);
    const bytes = text.slice(start, wanted);
    const end = start + bytes.length;
    const isEnd = end < wanted || end >= last;
    const isPossible = !matcher.lacksLiteral(bytes) && matcher.test(bytes);
    const found = isPossible ? matcher.find(bytes, at - start) : undefined;
    if (found !== undefined && (isEnd || start + found.end < end - 1)) {
      return { start: start + found.start, end: start + found.end };
    }
    if (found !== undefined) size *= 2;
    else if (isEnd) return undefined;
    else at = Math.max(at + 1, characterStart(text, end - OVERLAP_BYTES, first));
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
