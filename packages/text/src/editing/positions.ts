import { Buffer } from "node:buffer";
import { isLowSurrogate } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import type { TextEncoding } from "../encoding/text-encoding.ts";
import { blocksOf, STEPS_PER_CLOCK, type EditableText } from "./editable-text.ts";

const BLOCK_BYTES = 1024;
const BLOCK_CHARS = 1024 * 1024;

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
  if (isUtf8 && raw.length === bytes.length - markBytes) {
    return markBytes === 0 ? positions : positions.map((position) => markBytes + position);
  }
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
  for (const block of blocksOf(bytes, encoding, BLOCK_BYTES)) {
    const text = encoding.decode(block);
    if (!raw.startsWith(text, at)) break;
    const inBlock = createCharacterWalk(block, encoding);
    for (let next = positions[found.length]; next !== undefined && next < at + text.length;) {
      const offset = inBlock(next - at);
      found.push(offset === undefined ? undefined : byte + offset);
      next = positions[found.length];
    }
    byte += block.length;
    at += text.length;
    if (pacer.due()) await pacer.rest();
  }
  const end = byte === bytes.length ? byte : undefined;
  return positions.map((position, index) => (index < found.length ? found[index] : position === at ? end : undefined));
}

/** Walks through the characters of a block, up to positions that come in order. */
function createCharacterWalk(block: Buffer, encoding: TextEncoding): (position: number) => number | undefined {
  let byte = 0;
  let at = 0;
  return (position) => {
    while (at < position) {
      const length = encoding.characterBytes(block, byte);
      if (length === undefined) return undefined;
      at += length === 1 ? 1 : encoding.decode(block.subarray(byte, byte + length)).length;
      byte += length;
    }
    return at === position ? byte : undefined;
  };
}
