import { Buffer } from "node:buffer";
import { isRecord } from "@fstools/protocol";
import { EngineError, type Hit } from "../engine.ts";
import type { Found, OutputReader } from "./rows.ts";

/** Makes ripgrep print where each match begins and ends, and figures at the end. */
export const SPAN_ARGUMENTS = ["--json"];

const NEWLINE = 0x0a;
/** Of a message, which repeats the lines of its matches. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Creates a reader for `rg --json` about texts of these names. */
export function createSpanReader(names: readonly string[]): OutputReader {
  let pieces: Buffer[] = [];
  let length = 0;
  let index = 0;
  let searched: number | undefined;

  function readMessage(message: string, found: Found[]): void {
    const { type, data } = parse(message);
    if (type === "summary") searched = numberOf(recordOf(data.stats).searches);
    if (type !== "match") return;
    index = names.indexOf(String(recordOf(data.path).text), index);
    if (index === -1) throw new EngineError("rg_failed");
    found.push({ index, hits: hitsOf(data) });
  }

  return {
    read: (piece) => {
      const found: Found[] = [];
      let from = 0;
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
        pieces.push(piece.subarray(from, end));
        readMessage(Buffer.concat(pieces).toString("utf8"), found);
        pieces = [];
        length = 0;
        from = end + 1;
      }
      pieces.push(piece.subarray(from));
      length += piece.length - from;
      if (length > MAX_MESSAGE_BYTES) throw new EngineError("rg_failed");
      return found;
    },
    searched: () => searched,
  };
}

function hitsOf({ absolute_offset: offset, submatches }: Record<string, unknown>): Hit[] {
  const base = numberOf(offset);
  if (!Array.isArray(submatches)) throw new EngineError("rg_failed");
  return submatches
    .map((submatch: unknown) => recordOf(submatch))
    .map(({ start, end }) => ({ start: base + numberOf(start), end: base + numberOf(end) }))
    .filter(({ start, end }) => start < end); // An empty match does not count where matches may span lines.
}

/** @throws EngineError if it is no message of ripgrep */
function parse(message: string) {
  try {
    const { type, data } = recordOf(JSON.parse(message));
    return { type, data: recordOf(data) };
  } catch (error) {
    throw new EngineError("rg_failed", error);
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new EngineError("rg_failed");
  return value;
}

function numberOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new EngineError("rg_failed");
  return value;
}
