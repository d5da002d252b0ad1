import type { Pacer } from "@fstools/sandbox";
import type { Flavour } from "./flavour.ts";
import { countNewlines, NEWLINE, positionAfterNewlines } from "./newlines.ts";
import { createPage, type PageBuilder } from "./page.ts";

/** Which lines to read, and how they look. */
export interface LineRequest {
  /** The first line, from 1. */
  readonly offset: number;
  readonly limit: number;
  readonly flavour: Flavour;
  readonly pacer: Pacer;
}

/** A page of a file's lines. */
export interface LinePage {
  readonly lines: readonly string[];
  /** What ended the page: the byte cap, `limit`, or the file. */
  readonly end: "bytes" | "limit" | "file";
  /** Lines of the file, as far as it was read: all of them where the notice under the page tells their number. */
  readonly total: number;
  /** How many of the lines are cut. */
  readonly cutLines: number;
  /** Whether bytes that are not UTF-8 are shown as U+FFFD. */
  readonly isDamaged: boolean;
}

/** Reads one page of lines, and no further into the file than the page and its notice need. */
export async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  { offset, limit, flavour, pacer }: LineRequest,
): Promise<LinePage> {
  const lastOfPage = offset + limit - 1;
  const page = createPage(flavour);
  let lineNumber = 1;
  let lastByte = NEWLINE;

  for await (const chunk of chunks) {
    let position = 0;
    if (lineNumber < offset) {
      const passed = Math.min(offset - lineNumber, countNewlines(chunk));
      lineNumber += passed;
      position = lineNumber < offset ? chunk.length : positionAfterNewlines(chunk, passed);
    }
    while (position < chunk.length && lineNumber <= lastOfPage && !page.isCapped) {
      const newline = chunk.indexOf(NEWLINE, position);
      page.append(chunk, position, newline === -1 ? chunk.length : newline);
      position = newline === -1 ? chunk.length : newline + 1;
      if (newline === -1) continue;
      page.endLine("newline");
      lineNumber += 1;
      if (pacer.due()) await pacer.rest();
    }
    if (page.isCapped || (lineNumber > lastOfPage && !flavour.countsPastLimit)) break;
    lineNumber += countNewlines(chunk.subarray(position));
    lastByte = chunk.at(-1) ?? lastByte;
  }
  const hasLastLine = flavour.emptyLastLine || lastByte !== NEWLINE;
  if (hasLastLine && lineNumber >= offset && lineNumber <= lastOfPage && !page.isCapped) page.endLine("end");
  return finish(page, offset, hasLastLine ? lineNumber : lineNumber - 1);
}

function finish(page: PageBuilder, offset: number, total: number): LinePage {
  const { lines, cutLines, isDamaged } = page;
  const isLast = offset - 1 + lines.length >= total;
  return { lines, end: page.isCapped ? "bytes" : isLast ? "file" : "limit", total, cutLines, isDamaged };
}
