import { type Buffer, isUtf8 } from "node:buffer";
import { isLowSurrogate } from "@fstools/protocol";
import { createRecentMap, type Pacer, type SandboxFile } from "@fstools/sandbox";
import { readTextChunk, type ByteSource } from "../bytes/chunks.ts";
import { CHUNK_BYTES, sharedLineCounter } from "../bytes/line-counter.ts";
import { textPieces, type SettledText, type TextEncoding } from "../encoding/text-encoding.ts";
import { countCodePoints, type LineEnds, type Place } from "../lines.ts";

/** The position of a character: in the file, and in its text. */
export interface TextPosition extends Place {
  readonly byte: number;
}

/** A sparse index of a text: positions from which decoding can start, in order. */
export type Checkpoints = readonly [TextPosition, ...TextPosition[]];

/** The last checkpoint at or before a line and column. */
export function checkpointBefore(checkpoints: Checkpoints, place: Place): TextPosition {
  return checkpoints.findLast((one) => isUpTo(one, place)) ?? checkpoints[0];
}

/** Whether a place is at another, or before it. */
export function isUpTo(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.column <= other.column);
}

/** What one pass over a text learns, so that no later page needs another. */
export interface TextIndex {
  /** Undefined if there was no time to count them all. */
  readonly totalLines: number | undefined;
  /** False if bytes had to be replaced with U+FFFD. */
  readonly isFlawless: boolean;
  readonly checkpoints: Checkpoints;
}

/** The sizes and helpers of a pass over a file. */
export interface ScanOptions {
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
export interface SeekOptions extends Pick<ScanOptions, "pacer">, Partial<Pick<ScanOptions, "chunkBytes">> {
  /** @default "any" */
  readonly lineEnds?: LineEnds;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const REPLACEMENT = "\ufffd";
const MAX_CHECKPOINTS = 4096;
// A write right after this one may leave the size and the time of change the same.
const SETTLED_AFTER_MS = 2000;
const MAX_INDEXED_FILES = 32;

/** A part of a file that was scanned. */
interface ScannedPart {
  readonly end: TextPosition;
  /** The last position in it from which decoding can start. */
  readonly checkpoint: TextPosition | undefined;
  readonly isFlawless: boolean;
}

/** One pass over a file, up to its size when it was opened; continues where an earlier pass ran out of time. */
export async function scanText(
  source: ByteSource,
  encoding: TextEncoding,
  options: ScanOptions,
  earlier?: TextIndex,
): Promise<TextIndex> {
  const { pacer, isOver = () => false, stopAtFlaw = false } = options;
  const start = { byte: encoding.isUtf8 ? encoding.markBytes : 0, line: 1, column: 1 };
  const spacingBytes = Math.max(options.checkpointBytes, source.size / MAX_CHECKPOINTS);
  const checkpoints: [TextPosition, ...TextPosition[]] = [...(earlier?.checkpoints ?? ([start] as const))];
  let last = checkpoints.at(-1) ?? start;
  let end = last;
  let isFlawless = earlier?.isFlawless !== false;
  const scan = encoding.isUtf8 ? scanUtf8 : scanDecoded;
  for (const part of scan(source, encoding, last, options)) {
    ({ end } = part);
    isFlawless &&= part.isFlawless;
    if (stopAtFlaw && !isFlawless) break;
    if (part.checkpoint !== undefined && part.checkpoint.byte - last.byte >= spacingBytes) {
      last = part.checkpoint;
      checkpoints.push(last);
    }
    if (!pacer.due()) continue;
    if (isOver() && end.byte < source.size) {
      // An encoding that is only tried must be checked to the end.
      return { totalLines: undefined, isFlawless: isFlawless && !stopAtFlaw, checkpoints };
    }
    await pacer.rest();
  }
  // A last line without a line end counts.
  return { totalLines: end.column > 1 ? end.line : end.line - 1, isFlawless, checkpoints };
}

function* scanUtf8(
  source: ByteSource,
  encoding: TextEncoding,
  from: TextPosition,
  options: ScanOptions,
): Generator<ScannedPart> {
  let { byte, line, column } = from;
  while (byte < source.size) {
    const chunk = readChunkAt(source, byte, options);
    const count = sharedLineCounter().count(chunk, "any");
    const isFlawless = isUtf8(chunk);
    const lastEnd = count === 0 ? 0 : lengthUpToLastEnd(chunk, "any");
    const rest = chunk.subarray(lastEnd);
    line += count;
    if (count > 0) column = 1;
    const afterLastEnd = { byte: byte + lastEnd, line, column };
    column += isFlawless ? sharedLineCounter().codePoints(rest) : countCodePoints(encoding.decode(rest));
    byte += chunk.length;
    const end = { byte, line, column };
    yield { end, checkpoint: count === 0 ? end : afterLastEnd, isFlawless };
  }
}

/** Line ends of other encodings are found in the decoded text. */
function* scanDecoded(
  source: ByteSource,
  encoding: TextEncoding,
  from: TextPosition,
  { blockBytes }: ScanOptions,
): Generator<ScannedPart> {
  let { line, column } = from;
  let afterReturn = false;
  for (const { text, endByte } of textPieces(source, encoding, from.byte, blockBytes)) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      // After a "\r" a "\n" ends no further line.
      if (unit === RETURN || (unit === NEWLINE && !afterReturn)) {
        line++;
        column = 1;
      } else if (unit !== NEWLINE && !isLowSurrogate(unit)) {
        column++;
      }
      afterReturn = unit === RETURN;
    }
    const end = { byte: endByte, line, column };
    yield { end, checkpoint: afterReturn ? undefined : end, isFlawless: !text.includes(REPLACEMENT) };
  }
}

/** The position of a line's first byte in UTF-8, found from an earlier position; of the last line if there are fewer. */
export async function seekLine(
  source: ByteSource,
  from: TextPosition,
  line: number,
  options: SeekOptions,
): Promise<TextPosition> {
  const { pacer, lineEnds = "any" } = options;
  let position = from;
  for (let { byte } = from; position.line < line && byte < source.size;) {
    const chunk = readChunkAt(source, byte, options);
    const count = sharedLineCounter().count(chunk, lineEnds);
    const wanted = line - position.line;
    if (count > 0) {
      const length = count < wanted ? lengthUpToLastEnd(chunk, lineEnds) : lengthOfLines(chunk, wanted, lineEnds);
      position = { byte: byte + length, line: position.line + Math.min(count, wanted), column: 1 };
    }
    byte += chunk.length;
    if (pacer.due()) await pacer.rest();
  }
  return position;
}

/** The number of lines of UTF-8, counted from the beginning of one on. */
export async function countLines(source: ByteSource, from: TextPosition, options: SeekOptions): Promise<number> {
  const { byte, line } = await seekLine(source, from, Infinity, options);
  return byte < source.size ? line : line - 1;
}

function readChunkAt(source: ByteSource, byte: number, { chunkBytes = CHUNK_BYTES }: Partial<ScanOptions>): Buffer {
  return readTextChunk(source, sharedLineCounter().place(byte, Math.min(chunkBytes, source.size - byte)), byte);
}

function lengthUpToLastEnd(chunk: Buffer, lineEnds: LineEnds): number {
  return Math.max(chunk.lastIndexOf(NEWLINE), lineEnds === "any" ? chunk.lastIndexOf(RETURN) : -1) + 1;
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
  const { device, inode, size, mtimeNs, ctimeNs } = version;
  // The time of the last change of status can't be set back, unlike that of the last change of content.
  return [device, inode, size, mtimeNs, ctimeNs, encoding].join(":");
}
