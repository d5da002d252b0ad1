import type { Buffer } from "node:buffer";
import type { SandboxFile } from "@fstools/sandbox";
import { TextError } from "../error.ts";

/** What reading needs of a file: its size when it was opened, and its bytes. */
export type ByteSource = Pick<SandboxFile, "size" | "head" | "read">;

const RETURN = 0x0d;
const MAX_CHARACTER_BYTES = 4;

/**
 * Fills `target` from `position` on.
 * @throws TextError "changed" if the file ends before the size that it had when it was opened
 */
export function readFully(source: ByteSource, target: Buffer, position: number): Buffer {
  if (source.read(target, position) < target.length) throw new TextError({ reason: "changed" });
  return target;
}

/** A file whose bytes are in memory already; it may be shorter than its size. */
export function heldInMemory(source: ByteSource): ByteSource {
  const bytes = source.head(source.size);
  return {
    size: bytes.length,
    head: (length) => bytes.subarray(0, length),
    read: (target, position) => bytes.copy(target, 0, position),
  };
}

/**
 * Reads UTF-8 from `position` on and leaves out what may belong to the next chunk: an unfinished character, or a "\r"
 * that "\n" may follow. So every chunk can be counted and decoded on its own, and the next one begins where it ends.
 */
export function readTextChunk(source: ByteSource, target: Buffer, position: number): Buffer {
  const chunk = readFully(source, target, position);
  const isLast = position + chunk.length >= source.size;
  if (isLast) return chunk;
  return chunk.subarray(0, chunk.length - (chunk.at(-1) === RETURN ? 1 : unfinishedBytes(chunk)));
}

/** How many bytes at the end of UTF-8 belong to a character that may continue. */
export function unfinishedBytes(chunk: Buffer): number {
  for (let count = 1; count < MAX_CHARACTER_BYTES && count <= chunk.length; count++) {
    const byte = chunk[chunk.length - count] ?? 0;
    // A lead byte always begins a new character, so nothing before it is unfinished, even in bad bytes.
    if (byte >= 0xc0) return leadByteLength(byte) > count ? count : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

/** How long a character of UTF-8 is by its first byte. */
export function leadByteLength(leadByte: number): number {
  if (leadByte < 0xc0) return 1;
  if (leadByte < 0xe0) return 2;
  return leadByte < 0xf0 ? 3 : 4;
}
