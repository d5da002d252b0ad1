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

/** Cuts what comes in pieces of any size at a byte; what is between two of them is no longer than `maxBytes`. */
export function createSplitter(separator: number, maxBytes: number) {
  let rest: Buffer[] = [];
  let length = 0;
  return {
    /** @throws EngineError if it is longer */
    *split(piece: Buffer): Generator<Buffer> {
      let from = 0;
      for (let end = piece.indexOf(separator); end !== -1; end = piece.indexOf(separator, from)) {
        yield Buffer.concat([...rest, piece.subarray(from, end)]);
        [rest, length, from] = [[], 0, end + 1];
      }
      rest.push(piece.subarray(from));
      length += piece.length - from;
      if (length > maxBytes) throw new EngineError("rg_failed");
    },
    /** What came after the last separator. */
    rest: () => Buffer.concat(rest).toString("utf8"),
  };
}

/** Makes ripgrep print rows of "name NUL line:column:offset:", whatever the length of the line, and figures at the end. */
export const ROW_ARGUMENTS = [
  ...["--with-filename", "--null", "--line-number", "--column", "--byte-offset", "--no-heading"],
  ...["--max-columns=1", "--stats"],
];

// A path, three numbers and a remark; ripgrep never prints more.
const MAX_ROW_BYTES = 8192;

/** Creates a reader for rows about texts of these names. */
export function createRowReader(names: readonly string[]): OutputReader {
  const lines = createSplitter(NEWLINE, MAX_ROW_BYTES);
  let index = 0;
  let lastLine = -1;
  /** A row as far as it is read, or the figures. */
  let printed = "";
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
      const found: Found[] = [];
      for (const line of lines.split(piece)) {
        // An empty line comes before the figures.
        hasRowsEnded ||= printed === "" && line.length === 0;
        // A name may have line breaks.
        printed += `${line.toString("utf8")}\n`;
        const nameEnd = hasRowsEnded ? -1 : printed.indexOf("\0");
        if (nameEnd !== -1) {
          takeRow(printed.slice(0, nameEnd), printed.slice(nameEnd + 1), found);
          printed = "";
        }
        if (printed.length > MAX_ROW_BYTES) throw new EngineError("rg_failed");
      }
      return found;
    },
    searched: () => (hasRowsEnded ? searchedIn(printed) : undefined),
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
  const messages = createSplitter(NEWLINE, MAX_MESSAGE_BYTES);
  let index = 0;
  let searched: number | undefined;

  function hitsOf(message: z.output<typeof messageSchema>): Found[] {
    if (message.type === "summary") searched = message.data.stats.searches;
    if (message.type !== "match") return [];
    const { path, absolute_offset: offset, submatches } = message.data;
    index = names.indexOf(path.text, index);
    if (index === -1) throw new EngineError("rg_failed");
    const hits = submatches
      .map(({ start, end }) => ({ start: offset + start, end: offset + end }))
      // An empty match does not count where matches may span lines.
      .filter(({ start, end }) => start < end);
    return [{ index, hits }];
  }

  return {
    read: (piece) => [...messages.split(piece)].flatMap((json) => hitsOf(parse(json.toString("utf8")))),
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
