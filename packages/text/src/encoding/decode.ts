import { Buffer, isAscii } from "node:buffer";
import { type ByteSource, readFully, readTextChunk } from "../bytes/chunks.ts";
import type { Charset } from "./charset.ts";
import { isHighSurrogate } from "../bytes/code-points.ts";

/** A piece of decoded text; pieces follow each other without a gap. */
export interface TextPiece {
  /** Well-formed, and never ends inside a character. */
  readonly text: string;
  /** Where the piece ends in the file. */
  readonly endByte: number;
  /** Whether decoding can begin afresh at `endByte`. */
  readonly isClean: boolean;
}

const BYTE_ORDER_MARK = "\ufeff";
const LONE_SURROGATE = /\p{Surrogate}/gu;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes UTF-8 that begins and ends between characters; bad bytes become U+FFFD as the Encoding Standard says. */
export function decodeUtf8(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : utf8.decode(bytes);
}

/** The text of a UTF-8 file from a position between two characters, block by block. */
export function* utf8Pieces(source: ByteSource, startByte: number, blockBytes: number): Generator<TextPiece> {
  const memory = Buffer.allocUnsafeSlow(Math.min(blockBytes, source.size - startByte));
  for (let byte = startByte; byte < source.size;) {
    const block = readTextChunk(source, memory.subarray(0, source.size - byte), byte);
    byte += block.length;
    yield { text: decodeUtf8(block), endByte: byte, isClean: true };
  }
}

/** The text of a file in another encoding from a clean position, block by block; a byte order mark is left off. */
export function* decodedPieces(
  source: ByteSource,
  charset: Charset,
  startByte: number,
  blockBytes: number,
): Generator<TextPiece> {
  const memory = Buffer.allocUnsafeSlow(Math.min(blockBytes, source.size - startByte));
  let half = "";
  for (let byte = startByte; byte < source.size;) {
    const block = readFully(source, memory.subarray(0, source.size - byte), byte);
    const isLast = byte + block.length === source.size;
    // Each block by itself: decoders of iconv-lite that go on from block to block lose characters at the border.
    const bytes = isLast ? block : block.subarray(0, charset.cleanLength(block));
    const decoded = half + charset.decode(bytes);
    half = !isLast && isHighSurrogate(decoded.charCodeAt(decoded.length - 1)) ? decoded.slice(-1) : "";
    const text = decoded.slice(0, decoded.length - half.length).replace(LONE_SURROGATE, "\ufffd");
    const isMarked = byte === 0 && text.startsWith(BYTE_ORDER_MARK);
    byte += bytes.length;
    yield { text: isMarked ? text.slice(1) : text, endByte: byte, isClean: half === "" };
  }
}
