import { Buffer, isAscii } from "node:buffer";
import { type ByteSource, readFully, readTextChunk } from "./chunk.ts";
import type { Charset } from "./charset.ts";
import { isHighSurrogate } from "./code-points.ts";

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
  let decoder = charset.createDecoder();
  let half = "";
  for (let byte = startByte; byte < source.size;) {
    const block = readFully(source, memory.subarray(0, source.size - byte), byte);
    const isLast = byte + block.length === source.size;
    const cleanLength = isLast ? block.length : charset.cleanLength(block);
    const isFirst = byte === 0;
    const used = block.subarray(0, cleanLength ?? block.length);
    let text = half + decoder.write(used);
    byte += used.length;
    if (cleanLength !== undefined) {
      // A fresh decoder per block: iconv-lite loses characters when one that it held back becomes two UTF-16 units.
      text += decoder.end() ?? "";
      decoder = charset.createDecoder();
    }
    half = !isLast && isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : "";
    text = text.slice(0, text.length - half.length).replace(LONE_SURROGATE, "\ufffd");
    if (isFirst && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    yield { text, endByte: byte, isClean: cleanLength !== undefined && half === "" };
  }
}
