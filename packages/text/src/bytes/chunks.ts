import { Buffer } from "node:buffer";
import type { SandboxFile } from "@fstools/sandbox";
import { TextError } from "../error.ts";

/** What reading needs of a file: its size when it was opened, and its bytes. */
export type ByteSource = Pick<SandboxFile, "size" | "read">;

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

/** The first bytes of a file, at most `length`; fewer where the file is shorter than its size, as in sysfs. */
export function readHead(source: ByteSource, length: number): Buffer {
  return readAvailable(source, Buffer.allocUnsafe(Math.min(length, source.size)), 0);
}

/** A file of which the bytes are there already; it may be shorter than its size. */
export function heldInMemory(source: ByteSource): ByteSource {
  const bytes = readHead(source, source.size);
  return { size: bytes.length, read: (target, position) => bytes.copy(target, 0, position) };
}

/**
 * Reads UTF-8 from `position` on and leaves off what may belong to the next chunk: an unfinished character, or a "\r"
 * that "\n" may follow. So every chunk can be counted and decoded by itself, and the next one begins where it ends.
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

function readAvailable(source: ByteSource, target: Buffer, position: number): Buffer {
  let filled = 0;
  while (filled < target.length) {
    const count = source.read(target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return target.subarray(0, filled);
}

function byteLength(leadByte: number): number {
  if (leadByte < 0xe0) return 2;
  return leadByte < 0xf0 ? 3 : 4;
}
