import { Buffer } from "node:buffer";
import { z } from "@fstools/protocol";
import { EngineError, type Hit } from "../engine.ts";

/** Matches in one of the texts that a process searches; `index` is its place among the arguments. */
export interface Found {
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

const NEWLINE = 0x0a;

/** Makes ripgrep print rows of "name NUL line:column:offset:", whatever the length of the line, and figures at the end. */
export const ROW_ARGUMENTS = [
  ...["--with-filename", "--null", "--line-number", "--column", "--byte-offset", "--no-heading"],
  ...["--max-columns=1", "--stats"],
];

// A path, three numbers and a remark; ripgrep never prints more.
const MAX_ROW_BYTES = 8192;

/** Creates a reader for rows about texts of these names. */
export function createRowReader(names: readonly string[]): OutputReader {
  let rest: Buffer = Buffer.alloc(0);
  let index = 0;
  let lastLine = -1;
  let hasRowsEnded = false;

  function takeRow(name: string, row: string, found: Found[]): void {
    const hit = parseRow(row);
    // Rows come in the order of the texts, one per line, from the first to the last.
    const at = names.indexOf(name, index);
    if (at === -1 || (at === index && hit.lineStart <= lastLine)) throw new EngineError("rg_failed");
    index = at;
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
        takeRow(bytes.toString("utf8", from, nameEnd), bytes.toString("latin1", nameEnd + 1, end), found);
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
function parseRow(row: string) {
  // ripgrep gives no column for an empty match at the end of a last line that nothing ends.
  const [, line, column = "1", offset] = /^(\d{1,15}):(?:(\d{1,15}):)?(\d{1,15}):/u.exec(row) ?? [];
  if (!(Number(line) >= 1 && Number(column) >= 1)) throw new EngineError("rg_failed");
  return { line: Number(line), lineStart: Number(offset), start: Number(offset) + Number(column) - 1 };
}

/** Makes ripgrep print where each match begins and ends, and figures at the end. */
export const SPAN_ARGUMENTS = ["--json"];

// Of a message, which repeats the lines of its matches.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const position = z.int().nonnegative();
const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("summary"), data: z.object({ stats: z.object({ searches: position }) }) }),
  z.object({
    type: z.literal("match"),
    data: z.object({
      path: z.object({ text: z.string() }),
      absolute_offset: position,
      submatches: z.array(z.object({ start: position, end: position })),
    }),
  }),
  z.object({ type: z.enum(["begin", "end", "context"]) }),
]);

/** Creates a reader for `rg --json` about texts of these names. */
export function createSpanReader(names: readonly string[]): OutputReader {
  let pieces: Buffer[] = [];
  let length = 0;
  let index = 0;
  let searched: number | undefined;

  function readMessage(json: string, found: Found[]): void {
    const message = parse(json);
    if (message.type === "summary") searched = message.data.stats.searches;
    if (message.type !== "match") return;
    const { path, absolute_offset: offset, submatches } = message.data;
    index = names.indexOf(path.text, index);
    if (index === -1) throw new EngineError("rg_failed");
    const hits = submatches
      .map(({ start, end }) => ({ start: offset + start, end: offset + end }))
      // An empty match does not count where matches may span lines.
      .filter(({ start, end }) => start < end);
    found.push({ index, hits });
  }

  return {
    read: (piece) => {
      const found: Found[] = [];
      let from = 0;
      for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
        readMessage(Buffer.concat([...pieces, piece.subarray(from, end)]).toString("utf8"), found);
        [pieces, length, from] = [[], 0, end + 1];
      }
      pieces.push(piece.subarray(from));
      length += piece.length - from;
      if (length > MAX_MESSAGE_BYTES) throw new EngineError("rg_failed");
      return found;
    },
    searched: () => searched,
  };
}

/** @throws EngineError if it is no message of ripgrep */
function parse(json: string) {
  try {
    return messageSchema.parse(JSON.parse(json));
  } catch (error) {
    throw new EngineError("rg_failed", error);
  }
}
