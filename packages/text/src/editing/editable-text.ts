import { Buffer } from "node:buffer";
import { isLowSurrogate } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { isFlawless, type TextEncoding } from "../encoding/text-encoding.ts";

/** A whole file as text in which passages are found and replaced. */
export interface EditableText {
  readonly bytes: Buffer;
  readonly encoding: TextEncoding;
  /** The text with the file's own line ends, without a byte order mark. */
  readonly raw: string;
  /** The same with "\n" for every line end; all positions and lines are those of this text. */
  readonly plain: string;
  /** Whether every byte is text in the encoding; where one is not, U+FFFD stands for it. */
  readonly isFlawless: boolean;
  readonly lines: LineStarts;
}

/** A part of a text, from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where the lines of a text begin. Lines count from 1; a last one without a line end counts. */
interface LineStarts {
  readonly count: number;
  /** The end of the text for the line after the last. */
  startOf(line: number): number;
  /** The line that a position lies in: one more than there are line ends before it. */
  lineAt(position: number): number;
}

const BLOCK_BYTES = 1024 * 1024;
const WALKED_BYTES = 1024;
const BLOCK_CHARS = 256 * 1024;
/** How many small steps to take before the clock is read. */
export const STEPS_PER_CLOCK = 1024;

/** Decodes a whole file and finds its lines, in slices that do not block the event loop. */
export async function readEditable(bytes: Buffer, encoding: TextEncoding, pacer: Pacer): Promise<EditableText> {
  const parts: string[] = [];
  for (const block of blocksOf(bytes, encoding, BLOCK_BYTES)) {
    parts.push(encoding.decode(block));
    if (pacer.due()) await pacer.rest();
  }
  const raw = parts.join("");
  const plain = await withPlainLineEnds(raw, pacer);
  const lines = await findLines(plain, pacer);
  return { bytes, encoding, raw, plain, lines, isFlawless: isFlawless(encoding, bytes, raw) };
}

/** The bytes of a file after its byte order mark, in blocks between which decoding can start anew. */
function* blocksOf(bytes: Buffer, encoding: TextEncoding, blockBytes: number): Generator<Buffer> {
  for (let at = encoding.markBytes; at < bytes.length;) {
    const block = bytes.subarray(at, at + blockBytes);
    const isLast = at + block.length === bytes.length;
    // A block without such a place is decoded as it is.
    const length = (isLast ? 0 : encoding.cleanLength(block)) || block.length;
    yield block.subarray(0, length);
    at += length;
  }
}

/** Makes every line end of a text "\n". */
export async function withPlainLineEnds(text: string, pacer: Pacer): Promise<string> {
  if (!text.includes("\r")) return text;
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const cut = from + BLOCK_CHARS;
    const end = text[cut - 1] === "\r" && text[cut] === "\n" ? cut + 1 : cut;
    parts.push(text.slice(from, end).replaceAll(/\r\n?/gu, "\n"));
    from = end;
    if (pacer.due()) await pacer.rest();
  }
  return parts.join("");
}

/** How often a character is in a text. */
export async function countOf(character: string, text: string, pacer: Pacer): Promise<number> {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    count += 1;
    if (count % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return count;
}

/** Finds the lines of a text in which "\n" is the only line end. */
async function findLines(text: string, pacer: Pacer): Promise<LineStarts> {
  const lineEnds = await countOf("\n", text, pacer);
  const count = lineEnds + (text === "" || text.endsWith("\n") ? 0 : 1);
  const starts = new Int32Array(count + 1);
  starts[count] = text.length;
  let line = 0;
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1)) {
    line += 1;
    starts[line] = end + 1;
    if (line % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  const begun = starts.subarray(0, lineEnds + 1);
  return {
    count,
    startOf: (wanted) => starts[wanted - 1] ?? text.length,
    lineAt: (position) => countUpTo(begun, position),
  };
}

/** How many of some numbers, which are in order, are at most `most`. */
export function countUpTo(numbers: Int32Array, most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A line without its end. */
export function lineText({ plain, lines }: EditableText, line: number): string {
  const end = lines.startOf(line + 1);
  return plain.slice(lines.startOf(line), isEnded({ plain, lines }, line) ? end - 1 : end);
}

/** Whether a line has its line end; only the last may lack it. */
export function isEnded({ plain, lines }: Pick<EditableText, "plain" | "lines">, line: number): boolean {
  return line < lines.count || plain.endsWith("\n");
}

/** Where positions of the plain text, in order, are in the raw one. */
export async function rawPositions(
  { raw, plain }: EditableText,
  positions: readonly number[],
  pacer: Pacer,
): Promise<readonly number[]> {
  if (raw.length === plain.length) return positions;
  let pairs = 0;
  let next = raw.indexOf("\r\n");
  let steps = 0;
  const found: number[] = [];
  for (const position of positions) {
    for (; next !== -1 && next - pairs < position; next = raw.indexOf("\r\n", next + 2)) {
      pairs += 1;
      steps += 1;
      if (steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
    found.push(position + pairs);
    steps += 1;
    if (steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return found;
}

/** Where positions of the raw text, in order, are in the file; undefined for one inside a character. */
export async function bytePositions(
  text: EditableText,
  positions: readonly number[],
  pacer: Pacer,
): Promise<readonly (number | undefined)[]> {
  const { bytes, encoding, raw } = text;
  const { markBytes, isUtf16, isUtf8 } = encoding;
  if (isUtf16) return positions.map((position) => markBytes + 2 * position);
  // In UTF-8 no character has more bytes than UTF-16 units but one of ASCII, which has as many.
  if (isUtf8 && raw.length === bytes.length - markBytes) return positions.map((position) => markBytes + position);
  return isUtf8 && text.isFlawless ? utf8Positions(text, positions, pacer) : decodedPositions(text, positions, pacer);
}

async function utf8Positions(
  { raw, encoding }: EditableText,
  positions: readonly number[],
  pacer: Pacer,
): Promise<readonly number[]> {
  const found: number[] = [];
  let byte = encoding.markBytes;
  let at = 0;
  for (const position of positions) {
    while (at < position) {
      // Halves of a pair would be counted as characters of three bytes each.
      const cut = Math.min(position, at + BLOCK_CHARS);
      const next = cut < position && isLowSurrogate(raw.charCodeAt(cut)) ? cut + 1 : cut;
      byte += Buffer.byteLength(raw.slice(at, next));
      at = next;
      if (pacer.due()) await pacer.rest();
    }
    found.push(byte);
  }
  return found;
}

/** Decodes the file once more, in small blocks, and looks at the characters of those that have a position. */
async function decodedPositions(
  { bytes, encoding, raw }: EditableText,
  positions: readonly number[],
  pacer: Pacer,
): Promise<readonly (number | undefined)[]> {
  const found: (number | undefined)[] = [];
  let byte = encoding.markBytes;
  let at = 0;
  for (const block of blocksOf(bytes, encoding, WALKED_BYTES)) {
    const text = encoding.decode(block);
    if (!raw.startsWith(text, at)) break;
    let [offset, seen]: [number | undefined, number] = [0, at];
    for (let next = positions[found.length]; next !== undefined && next < at + text.length;) {
      while (offset !== undefined && seen < next) {
        const length = encoding.characterBytes(block, offset);
        seen += length === 1 ? 1 : encoding.decode(block.subarray(offset, offset + (length ?? 0))).length;
        offset = length === undefined ? undefined : offset + length;
      }
      found.push(offset === undefined || seen !== next ? undefined : byte + offset);
      next = positions[found.length];
    }
    byte += block.length;
    at += text.length;
    if (pacer.due()) await pacer.rest();
  }
  const end = byte === bytes.length ? byte : undefined;
  return positions.map((position, index) => (index < found.length ? found[index] : position === at ? end : undefined));
}
