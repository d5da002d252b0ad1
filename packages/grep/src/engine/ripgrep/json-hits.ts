import type { Buffer } from "node:buffer";
import { EngineError } from "../hit.ts";

/** A match that ripgrep's JSON reports, in bytes of what was searched. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const NEWLINE = 0x0a;
const MAX_KEY_BYTES = 32;

/**
 * Reads the matches from `rg --json`. Its strings repeat the text: they are skipped byte by byte, so that a match of
 * any length costs no memory.
 */
export function createJsonHits(): { read(piece: Buffer): Generator<Span> } {
  let inString = false;
  let isEscaped = false;
  let isLineStart = true;
  /** The string that was read last, if it is short enough for a key. */
  let text = "";
  let key = "";
  let digits = "";
  let base: number | undefined;
  let start: number | undefined;

  function endOfNumber(): Span | undefined {
    if (digits === "") return undefined;
    const value = Number(digits);
    digits = "";
    if (key === "absolute_offset") {
      base = value;
    } else if (key === "start") {
      start = value;
    } else if (key === "end" && base !== undefined && start !== undefined) {
      const span = { start: base + start, end: base + value };
      start = undefined;
      // An empty match does not count where matches may span lines.
      return span.end > span.start ? span : undefined;
    }
    return undefined;
  }

  return {
    *read(piece) {
      for (let at = 0; at < piece.length; at += 1) {
        const byte = piece[at] ?? 0;
        if (inString) {
          if (isEscaped) isEscaped = false;
          else if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) inString = false;
          else if (text.length < MAX_KEY_BYTES) text += String.fromCharCode(byte);
          else at = Math.max(at, nextSpecial(piece, at) - 1);
          continue;
        }
        if (isLineStart && byte !== OPEN_BRACE) throw new EngineError("rg_failed");
        isLineStart = byte === NEWLINE;
        if (byte >= 0x30 && byte <= 0x39) {
          digits += String.fromCharCode(byte);
          if (digits.length > 15) throw new EngineError("rg_failed");
          continue;
        }
        const span = endOfNumber();
        if (span !== undefined) yield span;
        if (byte === QUOTE) {
          inString = true;
          text = "";
        } else if (byte === COLON) {
          key = text;
        }
      }
    },
  };
}

/** The next quote or backslash, or the end. */
function nextSpecial(piece: Buffer, from: number): number {
  const quote = piece.indexOf(QUOTE, from);
  const end = quote === -1 ? piece.length : quote;
  const backslash = piece.subarray(from, end).indexOf(BACKSLASH);
  return backslash === -1 ? end : from + backslash;
}
