import { Buffer, isAscii } from "node:buffer";
import { createPacer, type Pacer } from "@fstools/sandbox";
import type { RE2JS } from "re2js";
import { findLineEnd, nextCharacter } from "../text/lines.ts";
import type { SearchText } from "../text/search-text.ts";
import type { Engine, Hit } from "./engine.ts";
import { invalidPattern, type Query } from "./query.ts";
import { leastSize, namesLineEnd, requiredLiteral, toRe2, unknownToRe2 } from "./re2.ts";

// What is searched in one go, at most: it cannot be interrupted.
const MAX_PIECE_BYTES = 48 * 1024;
const MIN_PIECE_BYTES = 256;
// The bytes of a piece times the instructions of the program: up to 50 ns each, which makes 50 ms.
const MAX_PIECE_WORK = 1024 * 1024;
const MAX_PROGRAM_SIZE = 5000;
// A longer match that lies across the end of a piece may be missed.
const MAX_OVERLAP_BYTES = 16 * 1024;
// How many times as large as a piece a window may become for one match.
const MAX_GROWTH = 8;
const CONTEXT_BYTES = 64;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

interface Span {
  readonly start: number;
  readonly end: number;
}

type Matcher = Awaited<ReturnType<typeof createMatcher>>;

type TakeHits = (hits: readonly Hit[]) => Promise<boolean>;

/** An engine without ripgrep, on re2js: linear in the text, but slower, so it looks for a literal first and lets the event loop turn. */
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

const TOO_LARGE = "compiled regex exceeds size limit";

/** Compiles the pattern. @throws ToolError INVALID_PARAM */
async function createMatcher(query: Query) {
  const { pattern, isCaseSensitive, isMultiline, isWhole, isFirstEnough } = query;
  const lineEnd = isWhole ? undefined : namesLineEnd(pattern);
  if (lineEnd !== undefined) throw invalidPattern(pattern, `the literal "${lineEnd}" is not allowed in a regex`);
  const unknown = unknownToRe2(pattern);
  if (unknown !== undefined) throw invalidPattern(pattern, unknown);
  // Loaded on use: it is as large as everything else, and most hosts have ripgrep.
  const { RE2JS: Regex } = await import("re2js");
  const flags = Regex.MULTILINE | (isCaseSensitive ? 0 : Regex.CASE_INSENSITIVE) | (isMultiline ? Regex.DOTALL : 0);
  const compile = (isForAscii: boolean): RE2JS => {
    try {
      return Regex.compile(toRe2(query, isForAscii), flags);
    } catch (error) {
      const message = error instanceof Error ? error.message : "";
      // Without what re2js puts in front of the pattern.
      const details = message.replace(/^error parsing regexp: /u, "").replace(/`(?:\(\?[ims]+\))+/u, "`");
      throw invalidPattern(pattern, details);
    }
  };
  if (leastSize(pattern) > MAX_PROGRAM_SIZE) throw invalidPattern(pattern, TOO_LARGE);
  const forAscii = compile(true);
  const size = forAscii.programSize();
  if (size > MAX_PROGRAM_SIZE) throw invalidPattern(pattern, TOO_LARGE);
  let forAll: RE2JS | undefined;
  const regexFor = (isPlain: boolean): RE2JS => (isPlain ? forAscii : (forAll ??= compile(false)));
  const lacksLiteral = literalTest(query);
  const mayMatch = (bytes: Buffer): boolean => {
    if (lacksLiteral(bytes)) return false;
    const isPlain = isAscii(bytes);
    return regexFor(isPlain).test(bytes.toString(isPlain ? "latin1" : "utf8"));
  };
  return {
    /** How much it may look at in one go. */
    pieceBytes: Math.min(MAX_PIECE_BYTES, Math.max(MIN_PIECE_BYTES, Math.floor(MAX_PIECE_WORK / size))),
    isFirstEnough,
    /** Whether there may be a match; a quick test. */
    mayMatch,
    /** The first match from a position on. */
    find: (bytes: Buffer, from: number): Span | undefined => {
      if (!mayMatch(bytes)) return undefined;
      const matcher = regexFor(isAscii(bytes)).matcher(bytes);
      return matcher.find(from) ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

function literalTest({ pattern, isCaseSensitive }: Query): (bytes: Buffer) => boolean {
  const literal = requiredLiteral(pattern);
  if (literal === undefined) return () => false;
  if (isCaseSensitive) {
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

async function searchLines(text: SearchText, matcher: Matcher, pacer: Pacer, take: TakeHits): Promise<boolean> {
  const { pieceBytes, isFirstEnough } = matcher;
  for (let at: number | undefined = 0; at !== undefined;) {
    const window = text.slice(at, at + pieceBytes);
    if (window.length === 0) return true;
    const isLast = window.length < pieceBytes;
    const piece = window.subarray(0, isLast ? window.length : window.lastIndexOf(NEWLINE) + 1);
    let hits: Hit[];
    if (piece.length > 0) {
      // A match across lines does not count, but without one there is none within a line either.
      hits = matcher.mayMatch(piece) ? await hitsInLines(piece, matcher, at, pacer) : [];
      at += piece.length;
    } else {
      const { end, next } = await findLineEnd(text, at, pacer);
      const found = await findInWindows(text, matcher, { first: at, last: end, from: at }, pacer);
      hits = found === undefined ? [] : [{ start: found.start }];
      at = next;
    }
    if (hits.length > 0 && !(await take(hits))) return false;
    if (hits.length > 0 && isFirstEnough) return true;
    if (pacer.due()) await pacer.rest();
  }
  return true;
}

/** The first match of each line of a piece that begins at `offset`. */
async function hitsInLines(piece: Buffer, matcher: Matcher, offset: number, pacer: Pacer): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (let from = 0; from < piece.length;) {
    const newline = piece.indexOf(NEWLINE, from);
    let end = newline === -1 ? piece.length : newline;
    if (piece[end - 1] === RETURN && end > from && newline !== -1) end -= 1;
    const found = matcher.find(piece.subarray(from, end), 0);
    if (found !== undefined) hits.push({ start: offset + from + found.start });
    from = newline === -1 ? piece.length : newline + 1;
    if (pacer.due()) await pacer.rest();
  }
  return hits;
}

/** Searches for matches that may span lines. */
async function searchSpans(text: SearchText, matcher: Matcher, pacer: Pacer, take: TakeHits): Promise<boolean> {
  for (let from = 0; text.slice(from, from + 1).length > 0;) {
    const found = await findInWindows(text, matcher, { first: 0, last: Infinity, from }, pacer);
    if (found === undefined) return true;
    const { start, end } = found;
    // An empty match does not count here; the next one begins a character later.
    if (start < end && !(await take([found]))) return false;
    if (start < end && matcher.isFirstEnough) return true;
    from = start === end ? nextCharacter(text, end + 1) : end;
    if (pacer.due()) await pacer.rest();
  }
  return true;
}

/** The first match from a position on, in windows that overlap: one that touches the end is looked at again in a larger one. */
async function findInWindows(
  text: SearchText,
  matcher: Matcher,
  { first, last, from }: { readonly first: number; readonly last: number; readonly from: number },
  pacer: Pacer,
): Promise<Span | undefined> {
  const { pieceBytes } = matcher;
  const overlap = Math.min(MAX_OVERLAP_BYTES, Math.floor(pieceBytes / 2));
  let size = pieceBytes;
  for (let at = from; ;) {
    const windowStart = characterStart(text, Math.max(first, at - CONTEXT_BYTES), first);
    const wanted = Math.min(last, at + size);
    const bytes = text.slice(windowStart, wanted);
    const windowEnd = windowStart + bytes.length;
    const isEnd = windowEnd < wanted || windowEnd >= last;
    const found = matcher.find(bytes, at - windowStart);
    if (found !== undefined) {
      const [start, end] = [windowStart + found.start, windowStart + found.end];
      if (isEnd || end < windowEnd - 1 || (start === at && size > pieceBytes)) return { start, end };
      [at, size] = [start, MAX_GROWTH * pieceBytes];
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
