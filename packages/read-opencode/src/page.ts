import { Buffer } from "node:buffer";
import type { Flavour } from "./flavour.ts";
import { MAX_PAGE_BYTES } from "./limits.ts";
import { lineText, MAX_LINE_BYTES } from "./line-text.ts";

const CARRIAGE_RETURN = 0x0d;

/** Gathers the lines of a page from their bytes, until the byte cap. */
export interface PageBuilder {
  readonly lines: readonly string[];
  /** Whether a line was left out because the page would have passed the byte cap. */
  readonly isCapped: boolean;
  /** How many of the lines are cut. */
  readonly cutLines: number;
  /** Whether bytes that are not UTF-8 are shown as U+FFFD. */
  readonly isDamaged: boolean;
  /** Takes more bytes of the current line, from one position in a chunk to another. */
  append(chunk: Uint8Array, from: number, to: number): void;
  /** Says that the current line is complete, by a newline or by the end of the file. */
  endLine(by: "newline" | "end"): void;
}

/** Starts an empty page. */
export function createPage(flavour: Flavour): PageBuilder {
  const lines: string[] = [];
  let pageBytes = 0;
  let isCapped = false;
  let cutLines = 0;
  let isDamaged = false;
  // All that is kept of a line, so that a line of any length takes no more memory than this.
  const start = Buffer.alloc(MAX_LINE_BYTES);
  let startLength = 0;
  let isAdded = false;

  const add = () => {
    isAdded = true;
    const line = lineText(start.subarray(0, startLength), flavour.cutMark);
    const bytes = Buffer.byteLength(line.text) + (lines.length === 0 ? 0 : 1);
    isCapped = pageBytes + bytes > MAX_PAGE_BYTES;
    if (isCapped) return;
    lines.push(line.text);
    pageBytes += bytes;
    cutLines += line.cut ? 1 : 0;
    isDamaged ||= line.damaged;
  };

  return {
    lines,
    get isCapped() {
      return isCapped;
    },
    get cutLines() {
      return cutLines;
    },
    get isDamaged() {
      return isDamaged;
    },
    append(chunk, from, to) {
      const kept = Math.min(to - from, MAX_LINE_BYTES - startLength);
      start.set(chunk.subarray(from, from + kept), startLength);
      startLength += kept;
      // What is shown is known: a line that the cap leaves out need not be read to its end.
      if (startLength === MAX_LINE_BYTES && !isAdded) add();
    },
    endLine(by) {
      const hasReturn = by === "newline" && start[startLength - 1] === CARRIAGE_RETURN;
      if (hasReturn && flavour.carriageReturnEndsLine) startLength -= 1;
      if (!isAdded) add();
      isAdded = false;
      startLength = 0;
    },
  };
}
