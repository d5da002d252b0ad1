import { Buffer } from "node:buffer";
import iconv from "iconv-lite";
import { unfinishedBytes } from "../bytes/chunks.ts";
import { TextError } from "../error.ts";
import type { TextEncoding } from "./text-encoding.ts";

// Not character encodings, though iconv-lite has them.
const NOT_TEXT: ReadonlySet<string> = new Set(["hex", "base64", "binary"]);
const SPACE = 0x20;
const FIRST_NOT_ASCII = 0x80;
// GB18030 has characters of four bytes; beside bad bytes one may take a few more.
const MAX_CHARACTER_BYTES = 8;

/** Whether iconv-lite has a character encoding of this name. */
export function iconvKnows(name: string): boolean {
  return !NOT_TEXT.has(name) && iconv.encodingExists(name);
}

/** An encoding as iconv-lite converts it; `wellFormed` replaces halves of pairs. */
export function createIconvEncoding(
  encoding: string,
  wellFormed: (text: string) => string,
): Pick<TextEncoding, "decode" | "encode" | "cleanLength" | "characterBytes"> {
  return {
    decode: (bytes) => {
      const { text, rest } = decodeParts(bytes, encoding);
      return wellFormed(text + rest);
    },
    encode: (text) => iconv.encode(text, encoding, { addBOM: false }),
    cleanLength: cleanLengthFor(encoding),
    characterBytes: characterBytesFor(encoding),
  };
}

function characterBytesFor(encoding: string): TextEncoding["characterBytes"] {
  const unitBytes = bytesPerUnit(encoding);
  if (unitBytes > 1 || isSingleByte(encoding)) return () => unitBytes;
  return (bytes, at) => {
    if ((bytes[at] ?? 0) < FIRST_NOT_ASCII) return 1;
    for (let length = 1; length <= MAX_CHARACTER_BYTES && at + length <= bytes.length; length++) {
      if (heldBytes(bytes.subarray(at, at + length), encoding) === 0) return length;
    }
    return undefined;
  };
}

function cleanLengthFor(encoding: string): TextEncoding["cleanLength"] {
  const unitBytes = bytesPerUnit(encoding);
  if (unitBytes > 1) return (block) => block.length - (block.length % unitBytes);
  if (isSingleByte(encoding)) return (block) => block.length;
  if (encoding.startsWith("utf7")) return (block) => lengthUpToBlank(block) ?? stuck(encoding);
  if (encoding === "cesu8") return (block) => lengthBeforePair(block, block.length - unfinishedBytes(block));
  return (block) => lengthUpToBlank(block) ?? block.length - heldBytes(block, encoding);
}

function bytesPerUnit(encoding: string): number {
  return iconv.encode("A", encoding, { addBOM: false }).length;
}

// A decoder that produces text after every single byte holds nothing back.
function isSingleByte(encoding: string): boolean {
  return Array.from({ length: 256 }, (_, byte) => Buffer.from([byte])).every((bytes) => {
    return iconv.getDecoder(encoding, { stripBOM: false }).write(bytes) !== "";
  });
}

// In every encoding that extends ASCII, a blank or control character is a separate character and ends a shifted run.
function lengthUpToBlank(block: Buffer): number | undefined {
  for (let index = block.length - 1; index >= 0; index--) {
    if ((block[index] ?? 0) <= SPACE) return index + 1;
  }
  return undefined;
}

// A decoder of UTF-7 that holds nothing back may still be inside a shifted run, so only a blank will do.
function stuck(encoding: string): never {
  throw new TextError({ reason: "endless_run", encoding });
}

// CESU-8 writes each half of a pair as a character of three bytes.
function lengthBeforePair(block: Buffer, length: number): number {
  const [first, second = 0] = block.subarray(Math.max(0, length - 3), length);
  const endsWithHalf = length > 3 && first === 0xed && second >= 0xa0 && second <= 0xaf;
  return endsWithHalf ? length - 3 : length;
}

// At the end a decoder writes one character for each byte that it still held back.
function heldBytes(block: Buffer, encoding: string): number {
  return decodeParts(block, encoding).rest.length;
}

function decodeParts(bytes: Buffer, encoding: string): { readonly text: string; readonly rest: string } {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const text = decoder.write(bytes);
  const rest: unknown = decoder.end();
  // The one for CESU-8 ends with the number 0, and adds U+FFFD to that if a character is unfinished.
  return { text, rest: typeof rest === "string" ? rest.replace(/^0(?=\ufffd)/u, "") : "" };
}
