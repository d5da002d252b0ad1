import type { Buffer } from "node:buffer";
import type { TextEncoding } from "./encoding/text-encoding.ts";

/** Where the lines of a whole file begin, in bytes. */
export interface LineMap {
  /** The number of lines; a last line without a line end counts. */
  readonly lines: number;
  /** The line that a byte belongs to, its line end included. */
  lineAt(byte: number): number;
  /** The first byte of a line; the end of the file for the line after the last. */
  startOf(line: number): number;
}

/** Finds every line of a file that is held in memory; the byte order mark belongs to the first. */
export function createLineMap(encoding: TextEncoding, bytes: Buffer): LineMap {
  const starts = [0, ...lineEnds(encoding, bytes)];
  const hasLastLine = starts.at(-1) !== bytes.length && bytes.length > encoding.markBytes;
  const lines = hasLastLine ? starts.length : starts.length - 1;
  return {
    lines,
    lineAt: (byte) => {
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        if ((starts[middle] ?? 0) <= byte) low = middle;
        else high = middle;
      }
      return low + 1;
    },
    startOf: (line) => starts[line - 1] ?? bytes.length,
  };
}

/** The position after each line end. */
function lineEnds(encoding: TextEncoding, bytes: Buffer): number[] {
  const [newline, carriageReturn] = [encoding.encode("\n"), encoding.encode("\r")];
  const width = newline.length;
  const find = (unit: Buffer, from: number): number => {
    for (let at = bytes.indexOf(unit, from); at !== -1; at = bytes.indexOf(unit, at + 1)) {
      // Half of one character and half of the next may look like a line end.
      if (at % width === 0) return at;
    }
    return bytes.length;
  };
  const ends: number[] = [];
  // Remembered, so that a file without any is searched for it only once.
  let nextNewline = find(newline, 0);
  let nextReturn = find(carriageReturn, 0);
  for (let at = 0; at < bytes.length;) {
    if (nextNewline < at) nextNewline = find(newline, at);
    if (nextReturn < at) nextReturn = find(carriageReturn, at);
    const end = Math.min(nextNewline, nextReturn);
    if (end === bytes.length) break;
    const isPair = nextNewline < bytes.length && nextNewline === nextReturn + width;
    at = end + (isPair ? 2 * width : width);
    ends.push(at);
  }
  return ends;
}
