import { Buffer } from "node:buffer";
import { type ByteSource, readFully } from "../bytes/chunks.ts";
import type { TextEncoding } from "./text-encoding.ts";

/** A piece of decoded text; pieces follow each other without a gap, and decoding can start anew after each. */
export interface TextPiece {
  /** Well-formed, and never ends inside a character. */
  readonly text: string;
  /** Where the piece ends in the file. */
  readonly endByte: number;
}

const BYTE_ORDER_MARK = "\ufeff";

/** The text of a file from a position between two characters, block by block; a byte order mark is left out. */
export function* textPieces(
  source: ByteSource,
  encoding: TextEncoding,
  startByte: number,
  blockBytes: number,
): Generator<TextPiece> {
  const memory = Buffer.allocUnsafeSlow(Math.min(blockBytes, source.size - startByte));
  for (let byte = startByte; byte < source.size;) {
    const block = readFully(source, memory.subarray(0, source.size - byte), byte);
    const isLast = byte + block.length === source.size;
    // Each block on its own: iconv-lite's decoders lose characters at the border if they continue from block to block.
    const bytes = isLast ? block : block.subarray(0, encoding.cleanLength(block));
    const text = encoding.decode(bytes);
    const isMarked = byte === 0 && text.startsWith(BYTE_ORDER_MARK);
    byte += bytes.length;
    yield { text: isMarked ? text.slice(1) : text, endByte: byte };
  }
}
