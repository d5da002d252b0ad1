import { Buffer } from "node:buffer";
import type * as Iconv from "iconv-lite";
import { unfinishedBytes } from "../bytes/chunks.ts";
import { TextError } from "../error.ts";

const SPACE = 0x20;
const FIRST_NOT_ASCII = 0x80;
// GB18030 has characters of four bytes; beside bad bytes one may take a few more.
const MAX_CHARACTER_BYTES = 8;

interface Codec {
  readonly iconv: Pick<typeof Iconv, "encode" | "getDecoder">;
  readonly encoding: string;
}

/** An encoding as iconv-lite converts it, which is loaded when first used: that takes longer than a page of UTF-8. */
export async function createIconvEncoding(encoding: string) {
  const { default: iconv } = await import("iconv-lite");
  const codec = { iconv, encoding };
  return {
    decode: (bytes: Buffer): string => {
      const { text, rest } = decodeParts(codec, bytes);
      return text + rest;
    },
    encode: (text: string): Buffer => iconv.encode(text, encoding, { addBOM: false }),
    cleanLength: cleanLengthFor(codec),
    characterBytes: characterBytesFor(codec),
  };
}

function characterBytesFor(codec: Codec): (bytes: Buffer, at: number) => number | undefined {
  const unitBytes = bytesPerUnit(codec);
  if (unitBytes > 1 || isSingleByte(codec)) return () => unitBytes;
  return (bytes, at) => {
    if ((bytes[at] ?? 0) < FIRST_NOT_ASCII) return 1;
    for (let length = 1; length <= MAX_CHARACTER_BYTES && at + length <= bytes.length; length++) {
      if (heldBytes(codec, bytes.subarray(at, at + length)) === 0) return length;
    }
    return undefined;
  };
}

function cleanLengthFor(codec: Codec): (block: Buffer) => number {
  const { encoding } = codec;
  const unitBytes = bytesPerUnit(codec);
  if (unitBytes > 1) return (block) => block.length - (block.length % unitBytes);
  if (isSingleByte(codec)) return (block) => block.length;
  if (encoding.startsWith("utf7")) return (block) => lengthUpToBlank(block) ?? stuck(encoding);
  if (encoding === "cesu8") return (block) => lengthBeforePair(block, block.length - unfinishedBytes(block));
  return (block) => lengthUpToBlank(block) ?? block.length - heldBytes(codec, block);
}

function bytesPerUnit({ iconv, encoding }: Codec): number {
  return iconv.encode("A", encoding, { addBOM: false }).length;
}

// A decoder that produces text after every single byte holds nothing back.
function isSingleByte({ iconv, encoding }: Codec): boolean {
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
function heldBytes(codec: Codec, block: Buffer): number {
  return decodeParts(codec, block).rest.length;
}

function decodeParts({ iconv, encoding }: Codec, bytes: Buffer): { readonly text: string; readonly rest: string } {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const text = decoder.write(bytes);
  const rest: unknown = decoder.end();
  // The one for CESU-8 ends with the number 0, and adds U+FFFD to that if a character is unfinished.
  return { text, rest: typeof rest === "string" ? rest.replace(/^0(?=\ufffd)/u, "") : "" };
}
