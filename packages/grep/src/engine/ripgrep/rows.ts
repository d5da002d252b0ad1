import { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { EngineError, type Wanted } from "../hit.ts";
import type { RipgrepProcess } from "./process.ts";

/** What ripgrep says about a line that matches. */
export interface Row {
  readonly line: number;
  /** Where the match begins in the line, in bytes, from 1. */
  readonly column: number;
  /** Where the line begins in what was searched. */
  readonly lineStart: number;
}

/** Makes ripgrep print rows of "line:column:offset:", whatever the length of the line. */
export const ROW_ARGUMENTS = [
  "--no-filename",
  "--line-number",
  "--column",
  "--byte-offset",
  "--no-heading",
  "--max-columns=1",
];

/** Passes each row that a process prints to `take`, until that wants no more. */
export async function readRows(
  process: RipgrepProcess,
  pacer: Pacer,
  take: (row: Row) => Promise<Wanted> | Wanted,
): Promise<Wanted> {
  const reader = createRowReader();
  for await (const chunk of process.output()) {
    for (const row of reader.read(chunk)) {
      const taken = take(row);
      // Of a million rows most are only counted, and a promise each would cost more than the row.
      const wanted = taken instanceof Promise ? await taken : taken;
      if (wanted !== true) return wanted;
      if (pacer.due()) await pacer.rest();
    }
  }
  return true;
}

const NEWLINE = 0x0a;
const COLON = 0x3a;
// Three numbers and a remark; ripgrep never prints more.
const MAX_ROW_BYTES = 512;

/** Reads rows of "line:column:offset:…" from the pieces in which they come. */
export function createRowReader(): { read(piece: Buffer): Generator<Row> } {
  let rest: Buffer = Buffer.alloc(0);
  let last = -1;
  return {
    *read(piece) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      let from = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
        const row = parseRow(bytes, from, end);
        // One row per line, from the first to the last.
        if (row.lineStart <= last) throw new EngineError("rg_failed");
        last = row.lineStart;
        yield row;
        from = end + 1;
      }
      rest = bytes.subarray(from);
      if (rest.length > MAX_ROW_BYTES) throw new EngineError("rg_failed");
    },
  };
}

/** @throws EngineError if it is not such a row */
function parseRow(bytes: Buffer, from: number, end: number): Row {
  const numbers: number[] = [];
  let value = 0;
  let digits = 0;
  for (let at = from; at < end && numbers.length < 3; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === COLON && digits > 0) {
      numbers.push(value);
      value = 0;
      digits = 0;
    } else if (byte >= 0x30 && byte <= 0x39 && digits < 15) {
      value = value * 10 + (byte - 0x30);
      digits += 1;
    } else {
      throw new EngineError("rg_failed");
    }
  }
  const [line, column, lineStart] = numbers;
  if (line === undefined || column === undefined || lineStart === undefined || line < 1 || column < 1) {
    throw new EngineError("rg_failed");
  }
  return { line, column, lineStart };
}
