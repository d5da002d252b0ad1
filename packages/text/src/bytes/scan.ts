import { isUtf8, type Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { createCheckpoints, type TextPosition } from "../line-index/checkpoints.ts";
import { type ByteSource, readTextChunk } from "./chunks.ts";
import { countCodePoints } from "./code-points.ts";
import { decodeUtf8 } from "../encoding/decode.ts";
import type { LineCounter, LineEnds } from "./line-counter.ts";
import { linesUpTo, type TextIndex } from "../line-index/text-index.ts";

/** The sizes and helpers of a pass over UTF-8. */
export interface ScanMeans {
  readonly counter: LineCounter;
  readonly chunkBytes: number;
  readonly checkpointBytes: number;
  readonly pacer: Pacer;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const MAX_LOOKED_AT = 1024;

/** One pass over a UTF-8 file from `startByte` (after a byte order mark) to the size it had when it was opened. */
export async function scanUtf8(source: ByteSource, startByte: number, means: ScanMeans): Promise<TextIndex> {
  const { counter, pacer } = means;
  let position: TextPosition = { byte: startByte, line: 1, column: 1 };
  const checkpoints = createCheckpoints(position, means.checkpointBytes);
  let isFlawless = true;
  while (position.byte < source.size) {
    const chunk = readChunkAt(source, position.byte, means);
    const ends = counter.lineEnds(chunk);
    const isValid = ends.isAscii || isUtf8(chunk);
    const end = endOfChunk(position, chunk, ends, (bytes) => {
      return isValid ? counter.codePoints(bytes) : countCodePoints(decodeUtf8(bytes));
    });
    isFlawless &&= isValid;
    checkpoints.offer(ends.count > 0 ? end.lastLine : end.position);
    position = end.position;
    if (pacer.due()) await pacer.rest();
  }
  return { totalLines: linesUpTo(position), isFlawless, checkpoints };
}

/** The position of a line's first byte, found from an earlier position. */
export async function seekLine(
  source: ByteSource,
  from: TextPosition,
  line: number,
  means: ScanMeans,
): Promise<TextPosition> {
  let position = from;
  while (position.line < line && position.byte < source.size) {
    const chunk = readChunkAt(source, position.byte, means);
    const { count } = means.counter.lineEnds(chunk);
    const missing = line - position.line;
    const used = count < missing ? chunk.length : lengthOfLines(chunk, missing, means.counter);
    position = { byte: position.byte + used, line: position.line + Math.min(count, missing), column: 1 };
    if (means.pacer.due()) await means.pacer.rest();
  }
  return position;
}

function readChunkAt(source: ByteSource, byte: number, { counter, chunkBytes }: ScanMeans): Buffer {
  const target = counter.place(byte, Math.min(chunkBytes, source.size - byte));
  return readTextChunk(source, target, byte);
}

interface ChunkEnd {
  /** Where the chunk's last line begins. */
  readonly lastLine: TextPosition;
  /** Where the chunk ends. */
  readonly position: TextPosition;
}

function endOfChunk(
  start: TextPosition,
  chunk: Buffer,
  { count, hasReturn }: LineEnds,
  codePoints: (bytes: Buffer) => number,
): ChunkEnd {
  const length = count === 0 ? 0 : lengthUpToLastEnd(chunk, hasReturn);
  const lastLine = count === 0 ? start : { byte: start.byte + length, line: start.line + count, column: 1 };
  const rest = chunk.subarray(length);
  const column = lastLine.column + codePoints(rest);
  return { lastLine, position: { byte: start.byte + chunk.length, line: lastLine.line, column } };
}

function lengthUpToLastEnd(chunk: Buffer, hasReturn: boolean): number {
  // Searching backwards for a "\r" that is not there would cost as much as counting.
  return Math.max(chunk.lastIndexOf(NEWLINE), hasReturn ? chunk.lastIndexOf(RETURN) : -1) + 1;
}

/** Halves the chunk as long as counting is faster than looking at each byte. */
function lengthOfLines(chunk: Buffer, count: number, counter: LineCounter): number {
  let left = count;
  let index = 0;
  for (let length = chunk.length >>> 1; length > MAX_LOOKED_AT; length >>>= 1) {
    const half = chunk.subarray(index, index + length);
    // Between "\r" and "\n" nothing can be halved.
    const ends = half.at(-1) === RETURN ? undefined : counter.lineEnds(half).count;
    if (ends === undefined || ends >= left) continue;
    left -= ends;
    index += length;
  }
  for (; left > 0 && index < chunk.length; index++) {
    const byte = chunk[index];
    if (byte === NEWLINE || (byte === RETURN && chunk[index + 1] !== NEWLINE)) left--;
  }
  return index;
}
