import { type Buffer, isUtf8 } from "node:buffer";
import { isLowSurrogate } from "@fstools/protocol";
import { createRecentMap, type Pacer, type SandboxFile } from "@fstools/sandbox";
import { readTextChunk, type ByteSource } from "../bytes/chunks.ts";
import { CHUNK_BYTES, type LineCounter, sharedLineCounter } from "../bytes/line-counter.ts";
import type { SettledText } from "../encoding/file-encoding.ts";
import { type TextEncoding, textPieces } from "../encoding/text-encoding.ts";
import { countCodePoints, type LineEnds, type Place } from "../lines.ts";

/** The position of a character: in the file, and in its text. */
export interface TextPosition extends Place {
  readonly byte: number;
}

/** A sparse index of a text: positions from which decoding can start, at least `spacingBytes` apart, from the first one on or from those of an earlier pass. */
export function createCheckpoints(
  start: TextPosition,
  spacingBytes: number,
  earlier: readonly TextPosition[] = [start],
) {
  const kept = [...earlier];
  const last = (): TextPosition => kept.at(-1) ?? start;
  return {
    /** Keeps the position if it is far enough from the last one. */
    offer: (position: TextPosition): void => {
      if (position.byte - last().byte >= spacingBytes) kept.push(position);
    },
    /** The last checkpoint at or before a line and column. */
    before: (line: number, column: number): TextPosition => {
      let low = 0;
      let high = kept.length;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        const position = kept[middle] ?? start;
        if (position.line < line || (position.line === line && position.column <= column)) low = middle;
        else high = middle;
      }
      return kept[low] ?? start;
    },
    last,
    /** All of them, to go on from there. */
    all: (): readonly TextPosition[] => kept,
  };
}

/** What one pass over a text learns, so that no later page needs another. */
export interface TextIndex {
  /** Undefined if there was no time to count them all. */
  readonly totalLines: number | undefined;
  /** False if bytes had to be replaced with U+FFFD. */
  readonly isFlawless: boolean;
  readonly checkpoints: ReturnType<typeof createCheckpoints>;
}

/** The sizes and helpers of a pass over a file. */
export interface ScanOptions {
  readonly counter: LineCounter;
  /** Bytes counted at once. */
  readonly chunkBytes: number;
  /** Bytes decoded at once. */
  readonly blockBytes: number;
  /** The least distance between two checkpoints. */
  readonly checkpointBytes: number;
  readonly pacer: Pacer;
  /** Whether time is up; asked only where the pacer is due. */
  readonly isOver?: () => boolean;
  /** Stops at the first U+FFFD if the text is not UTF-8: then it is not the file's encoding. */
  readonly stopAtFlaw?: boolean;
}

/** What it takes to find a line. */
export interface SeekOptions extends Pick<ScanOptions, "pacer">, Partial<Pick<ScanOptions, "counter" | "chunkBytes">> {
  /** @default "any" */
  readonly lineEnds?: LineEnds;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const REPLACEMENT = 0xfffd;
const MAX_CHECKPOINTS = 4096;
// A write right after this one may leave the size and the time of change the same.
const SETTLED_AFTER_MS = 2000;
const MAX_INDEXED_FILES = 32;

/** One pass over a file, up to its size when it was opened; continues where an earlier pass ran out of time. */
export async function scanText(
  source: ByteSource,
  encoding: TextEncoding,
  options: ScanOptions,
  earlier?: TextIndex,
): Promise<TextIndex> {
  const start = { byte: encoding.isUtf8 ? encoding.markBytes : 0, line: 1, column: 1 };
  const spacingBytes = Math.max(options.checkpointBytes, source.size / MAX_CHECKPOINTS);
  const checkpoints = createCheckpoints(start, spacingBytes, earlier?.checkpoints.all());
  const scan = encoding.isUtf8 ? scanUtf8 : scanDecoded;
  const { totalLines, isFlawless } = await scan(source, encoding, checkpoints, options);
  return { totalLines, isFlawless: isFlawless && earlier?.isFlawless !== false, checkpoints };
}

async function scanUtf8(
  source: ByteSource,
  encoding: TextEncoding,
  checkpoints: TextIndex["checkpoints"],
  options: ScanOptions,
): Promise<Omit<TextIndex, "checkpoints">> {
  const { counter, pacer } = options;
  let { byte, line, column } = checkpoints.last();
  let isFlawless = true;
  while (byte < source.size) {
    const chunk = readChunkAt(source, byte, options);
    const ends = counter.lineEnds(chunk);
    const isValid = ends.isAscii || isUtf8(chunk);
    isFlawless &&= isValid;
    const lastEnd = ends.count === 0 ? 0 : lengthUpToLastEnd(chunk, ends.hasReturn);
    const rest = chunk.subarray(lastEnd);
    const chars = isValid ? counter.codePoints(rest) : countCodePoints(encoding.decode(rest));
    if (ends.count > 0) {
      line += ends.count;
      column = 1;
      checkpoints.offer({ byte: byte + lastEnd, line, column });
    }
    byte += chunk.length;
    column += chars;
    if (ends.count === 0) checkpoints.offer({ byte, line, column });
    if (!pacer.due()) continue;
    if (options.isOver?.() === true && byte < source.size) return { totalLines: undefined, isFlawless };
    await pacer.rest();
  }
  return { totalLines: linesUpTo({ line, column }), isFlawless };
}

/** Line ends of other encodings are found in the decoded text. */
async function scanDecoded(
  source: ByteSource,
  encoding: TextEncoding,
  checkpoints: TextIndex["checkpoints"],
  options: ScanOptions,
): Promise<Omit<TextIndex, "checkpoints">> {
  const { pacer } = options;
  const { byte, line, column } = checkpoints.last();
  const cursor = { line, column, afterReturn: false, isFlawless: true };
  for (const { text, endByte } of textPieces(source, encoding, byte, options.blockBytes)) {
    advance(cursor, text);
    if (options.stopAtFlaw === true && !cursor.isFlawless) break;
    if (!cursor.afterReturn) checkpoints.offer({ byte: endByte, line: cursor.line, column: cursor.column });
    if (!pacer.due()) continue;
    if (options.isOver?.() === true && endByte < source.size) {
      // An encoding that is only tried must be checked to the end.
      return { totalLines: undefined, isFlawless: cursor.isFlawless && options.stopAtFlaw !== true };
    }
    await pacer.rest();
  }
  return { totalLines: linesUpTo(cursor), isFlawless: cursor.isFlawless };
}

/** The position of a line's first byte in UTF-8, found from an earlier position; of the last line if there are fewer. */
export async function seekLine(
  source: ByteSource,
  from: TextPosition,
  line: number,
  options: SeekOptions,
): Promise<TextPosition> {
  const { counter = sharedLineCounter(), pacer, lineEnds = "any" } = options;
  let position = from;
  for (let { byte } = from; position.line < line && byte < source.size;) {
    const chunk = readChunkAt(source, byte, options);
    const { count, hasReturn } = counter.lineEnds(chunk, lineEnds);
    const wanted = line - position.line;
    if (count > 0) {
      const length =
        count < wanted
          ? lengthUpToLastEnd(chunk, hasReturn && lineEnds === "any")
          : lengthOfLines(chunk, wanted, lineEnds);
      position = { byte: byte + length, line: position.line + Math.min(count, wanted), column: 1 };
    }
    byte += chunk.length;
    if (pacer.due()) await pacer.rest();
  }
  return position;
}

/** The number of lines of UTF-8, counted from the beginning of one on. */
export async function countLines(source: ByteSource, from: TextPosition, options: SeekOptions): Promise<number> {
  const { counter = sharedLineCounter(), pacer, lineEnds } = options;
  let { line } = from;
  let hasLastLine = false;
  for (let { byte } = from; byte < source.size;) {
    const chunk = readChunkAt(source, byte, options);
    byte += chunk.length;
    line += counter.lineEnds(chunk, lineEnds).count;
    hasLastLine = counter.lineEnds(chunk.subarray(-1), lineEnds).count === 0;
    if (pacer.due()) await pacer.rest();
  }
  return hasLastLine ? line : line - 1;
}

function readChunkAt(source: ByteSource, byte: number, options: SeekOptions): Buffer {
  const { counter = sharedLineCounter(), chunkBytes = CHUNK_BYTES } = options;
  const target = counter.place(byte, Math.min(chunkBytes, source.size - byte));
  return readTextChunk(source, target, byte);
}

function lengthUpToLastEnd(chunk: Buffer, hasReturn: boolean): number {
  // Searching backwards for a "\r" that is not there would cost as much as counting.
  return Math.max(chunk.lastIndexOf(NEWLINE), hasReturn ? chunk.lastIndexOf(RETURN) : -1) + 1;
}

function lengthOfLines(chunk: Buffer, count: number, lineEnds: LineEnds): number {
  let left = count;
  let index = 0;
  for (; left > 0 && index < chunk.length; index++) {
    const byte = chunk[index];
    const isLoneReturn = byte === RETURN && lineEnds === "any" && chunk[index + 1] !== NEWLINE;
    if (byte === NEWLINE || isLoneReturn) left--;
  }
  return index;
}

function advance(
  cursor: { line: number; column: number; afterReturn: boolean; isFlawless: boolean },
  text: string,
): void {
  // After a "\r" a "\n" ends no further line.
  let { line, column, afterReturn, isFlawless } = cursor;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === RETURN || (unit === NEWLINE && !afterReturn)) {
      line++;
      column = 1;
    } else if (unit !== NEWLINE) {
      if (!isLowSurrogate(unit)) column++;
      if (unit === REPLACEMENT) isFlawless = false;
    }
    afterReturn = unit === RETURN;
  }
  Object.assign(cursor, { line, column, afterReturn, isFlawless });
}

/** The number of lines in a text that ends at this place; a last line without a line end counts. */
function linesUpTo({ line, column }: Place): number {
  return column > 1 ? line : line - 1;
}

/** A text whose encoding is settled and whose index is made. */
export type IndexedText = SettledText<TextIndex>;

type FileIdentity = Pick<SandboxFile, "mtimeMs" | "size" | "version">;

export type IndexCache = ReturnType<typeof createIndexCache>;

/** The indexes of recently read files of more than `indexedFileBytes`. */
export function createIndexCache(indexedFileBytes: number) {
  const texts = createRecentMap<IndexedText>(MAX_INDEXED_FILES);
  return {
    /** The index of this version of a file, read with this `encoding` parameter. */
    get: (file: FileIdentity, encoding: string | undefined) => texts.get(keyOf(file, encoding)),
    /** Keeps an index whose construction began at `startedAtMs`, unless the file is small or was still changing then. */
    keep: (file: FileIdentity, encoding: string | undefined, text: IndexedText, startedAtMs: number): void => {
      const isSettled = startedAtMs - file.mtimeMs >= SETTLED_AFTER_MS;
      if (isSettled && file.size > indexedFileBytes) texts.set(keyOf(file, encoding), text);
    },
  };
}

function keyOf({ version }: FileIdentity, encoding = ""): string {
  // The time of the last change of status can't be set back, unlike that of the last change of content.
  const { device, inode, size, mtimeNs, ctimeNs } = version;
  return [device, inode, size, mtimeNs, ctimeNs, encoding].join(":");
}
