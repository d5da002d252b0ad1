import type { Buffer } from "node:buffer";
import { TextError } from "../error.ts";
import { type ByteSource, readAvailable, readHead } from "./head.ts";

const RETURN = 0x0d;
const MAX_CHARACTER_BYTES = 4;

/**
 * Fills `target` from `position` on.
 * @throws TextError "changed" if the file ends before the size that it had when it was opened
 */
export function readFully(source: ByteSource, target: Buffer, position: number): Buffer {
  const bytes = readAvailable(source, target, position);
  if (bytes.length < target.length) throw new TextError({ reason: "changed" });
  return bytes;
}

/** A file of which the bytes are there already; it may be shorter than its size. */
export function heldInMemory(source: ByteSource): ByteSource {
  const bytes = readHead(source, source.size);
  return { size: bytes.length, read: (target, position) => bytes.copy(target, 0, position) };
}

/**
 * Reads UTF-8 from `position` on and leaves off what may belong to the next chunk: an unfinished character, or a "\r"
 * that "\n" may follow. So every chunk can be counted and decoded on its own, and the next one begins where it ends.
 */
export function readTextChunk(source: ByteSource, target: Buffer, position: number): Buffer {
  const chunk = readFully(source, target, position);
  const isLast = position + chunk.length >= source.size;
  if (isLast) return chunk;
  return chunk.subarray(0, chunk.length - (chunk.at(-1) === RETURN ? 1 : unfinishedBytes(chunk)));
}

/** How many bytes at the end of UTF-8 are a character of which more may follow. */
export function unfinishedBytes(chunk: Buffer): number {
  for (let count = 1; count < MAX_CHARACTER_BYTES && count <= chunk.length; count++) {
    const byte = chunk[chunk.length - count] ?? 0;
    // A lead byte always begins a character of its own, so before it nothing is unfinished, in bad bytes too.
    if (byte >= 0xc0) return byteLength(byte) > count ? count : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function byteLength(leadByte: number): number {
  if (leadByte < 0xe0) return 2;
  return leadByte < 0xf0 ? 3 : 4;
}
