import { Buffer } from "node:buffer";
import { EngineError, type Hit } from "../engine.ts";

/** Matches in one of the texts that a process searches. */
export interface Found {
  /** Which one, in the order of its arguments. */
  readonly index: number;
  readonly hits: Hit[];
}

/** Reads what ripgrep prints about some texts, from pieces of any size. */
export interface OutputReader {
  /** @throws EngineError if ripgrep can't have printed this */
  read(piece: Buffer): Found[];
  /** How many texts it says that it searched, at its end. */
  searched(): number | undefined;
}

/** Makes ripgrep print rows of "name NUL line:column:offset:", whatever the length of the line, and figures at the end. */
export const ROW_ARGUMENTS = [
  "--with-filename",
  "--null",
  "--line-number",
  "--column",
  "--byte-offset",
  "--no-heading",
  "--max-columns=1",
  "--stats",
];

const NEWLINE = 0x0a;
const COLON = 0x3a;
// A path, three numbers and a remark; ripgrep never prints more.
const MAX_ROW_BYTES = 8192;

/** Creates a reader for rows about texts of these names. */
export function createRowReader(texts: readonly string[]): OutputReader {
  const names = texts.map((name) => Buffer.from(name));
  let rest: Buffer = Buffer.alloc(0);
  let index = 0;
  let lastLine = -1;
  let hasRowsEnded = false;

  /** Which text the name at the beginning of a row is that of; rows come in the order of the texts. */
  function indexOf(name: Buffer): number {
    for (let at = index; at < names.length; at += 1) if (names[at]?.equals(name) === true) return at;
    throw new EngineError("rg_failed");
  }

  function takeRow(name: Buffer, row: Buffer, found: Found[]): void {
    const at = indexOf(name);
    if (at !== index) lastLine = -1;
    index = at;
    const hit = parseRow(row);
    // One row per line, from the first to the last.
    if (hit.lineStart <= lastLine) throw new EngineError("rg_failed");
    lastLine = hit.lineStart;
    const last = found.at(-1);
    if (last?.index === index) last.hits.push(hit);
    else found.push({ index, hits: [hit] });
  }

  return {
    read: (piece) => {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const found: Found[] = [];
      let from = 0;
      while (!hasRowsEnded && from < bytes.length) {
        // An empty line comes before the figures.
        hasRowsEnded = bytes[from] === NEWLINE;
        const nameEnd = hasRowsEnded ? -1 : bytes.indexOf(0, from);
        const end = nameEnd === -1 ? -1 : bytes.indexOf(NEWLINE, nameEnd);
        if (end === -1) break;
        takeRow(bytes.subarray(from, nameEnd), bytes.subarray(nameEnd + 1, end), found);
        from = end + 1;
      }
      rest = bytes.subarray(from);
      if (rest.length > MAX_ROW_BYTES) throw new EngineError("rg_failed");
      return found;
    },
    searched: () => (hasRowsEnded ? searchedIn(rest.toString("latin1")) : undefined),
  };
}

/** The number of files that ripgrep's figures say it searched. */
export function searchedIn(figures: string): number | undefined {
  const count = /^(?<count>\d+) files searched$/mu.exec(figures)?.groups?.count;
  return count === undefined ? undefined : Number(count);
}

/** @throws EngineError if it is not such a row */
function parseRow(row: Buffer) {
  const numbers: number[] = [];
  let value = 0;
  let digits = 0;
  for (let at = 0; at < row.length && numbers.length < 3; at += 1) {
    const byte = row[at] ?? 0;
    if (byte === COLON && digits > 0) {
      numbers.push(value);
      value = 0;
      digits = 0;
    } else if (byte >= 0x30 && byte <= 0x39 && digits < 15) {
      value = value * 10 + (byte - 0x30);
      digits += 1;
    } else if (numbers.length === 2) {
      break;
    } else {
      throw new EngineError("rg_failed");
    }
  }
  const line = numbers[0] ?? 0;
  // ripgrep gives no column for an empty match at the end of a last line that nothing ends.
  const column = numbers.length === 3 ? (numbers[1] ?? 0) : 1;
  const lineStart = numbers.at(-1) ?? 0;
  if (numbers.length < 2 || line < 1 || column < 1) throw new EngineError("rg_failed");
  return { line, lineStart, start: lineStart + column - 1 };
}
