import { isHighSurrogate } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { type ByteSource, collectLines, countLines, encodingNamed } from "@fstools/text";
import { type Flavour, MAX_LINE_LENGTH, MAX_PAGE_BYTES } from "./flavour.ts";

export interface LineRequest {
  /** The first one, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly flavour: Flavour;
  readonly pacer: Pacer;
}

export interface LinePage {
  readonly lines: readonly string[];
  /** What ended the page. */
  readonly end: "bytes" | "limit" | "file";
  /** Lines of the file, as far as it was read: all of them where the notice under the page gives their number. */
  readonly total: number;
  readonly cutLines: number;
  /** Whether bytes that are not UTF-8 are shown as U+FFFD. */
  readonly isDamaged: boolean;
}

/** Reads one page of lines, and no further into the file than the page and its notice need. */
export async function readLines(source: ByteSource, request: LineRequest): Promise<LinePage> {
  const { offset, limit, flavour, pacer } = request;
  const { lineEnds } = flavour;
  const lines: string[] = [];
  const page: { end: LinePage["end"]; bytes: number; cutLines: number } = { end: "file", bytes: 0, cutLines: 0 };
  const take = (text: string): boolean => {
    const isCut = text.length > MAX_LINE_LENGTH;
    const line = isCut ? beginning(text) + flavour.cutMark : text;
    const bytes = Buffer.byteLength(line) + (lines.length === 0 ? 0 : 1);
    if (lines.length === limit) page.end = "limit";
    else if (page.bytes + bytes > MAX_PAGE_BYTES) page.end = "bytes";
    if (page.end !== "file") return false;
    lines.push(line);
    page.bytes += bytes;
    page.cutLines += isCut ? 1 : 0;
    return true;
  };
  const encoding = await encodingNamed("utf-8", source.head(3));
  const wanted = {
    from: { byte: encoding.markBytes, line: 1, column: 1 },
    start: { line: offset, column: 1 },
    maxUnits: MAX_LINE_LENGTH + 1,
    lineEnds,
    emptyLastLine: lineEnds === "newline",
    countsOn: false,
    take,
  };
  const collected = await collectLines(source, encoding, wanted, { pacer });
  const { end, cutLines } = page;
  const isCounted = end === "limit" && flavour.countsPastLimit;
  const seen = end === "file" ? collected.lines : offset + lines.length;
  const total = isCounted ? await countLines(source, collected.from, { pacer, lineEnds }) : seen;
  const isDamaged = collected.hasBadBytes && lines.some((line) => line.includes("\ufffd"));
  return { lines, end, total, cutLines, isDamaged };
}

/** As much of a long line as is shown: one unit less where the last would be half of a pair. */
function beginning(line: string): string {
  const shown = line.slice(0, MAX_LINE_LENGTH);
  return isHighSurrogate(shown.charCodeAt(shown.length - 1)) ? shown.slice(0, -1) : shown;
}
