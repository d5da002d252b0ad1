import { Buffer } from "node:buffer";
import { createWasmLineCounter } from "./line-counter-wasm.ts";

/** What a counter found in some bytes. */
export interface LineEnds {
  /** Each "\n", "\r\n" and lone "\r" is one. */
  readonly count: number;
  readonly hasReturn: boolean;
  readonly isAscii: boolean;
}

/** Counts in bytes that were read into its own memory. */
export interface LineCounter {
  /** The place in the counter's memory for `length` bytes from `position` of a file; valid until the next call. */
  place(position: number, length: number): Buffer;
  /** Line ends in bytes of the last place; these must not begin between "\r" and "\n". */
  lineEnds(bytes: Buffer): LineEnds;
  /** Code points in bytes of the last place, which must be valid UTF-8. */
  codePoints(bytes: Buffer): number;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** The most bytes that the shared counter takes at once. */
export const CHUNK_BYTES = 512 * 1024;

let shared: LineCounter | undefined;

/** The counter for big files: one for the process, so nothing in its memory may be relied on after an `await`. */
export function sharedLineCounter(): LineCounter {
  shared ??= createWasmLineCounter(CHUNK_BYTES) ?? createPlainLineCounter(CHUNK_BYTES);
  return shared;
}

/** A counter in plain JavaScript: for small files, and where WebAssembly SIMD is missing. */
export function createPlainLineCounter(capacity: number): LineCounter {
  const memory = Buffer.allocUnsafeSlow(capacity);
  return {
    place: (_position, length) => memory.subarray(0, length),
    lineEnds: (bytes) => {
      let count = 0;
      let hasReturn = false;
      let seen = 0;
      let previous = 0;
      // eslint-disable-next-line @typescript-eslint/prefer-for-of -- ten times slower over bytes
      for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index] ?? 0;
        if (byte === RETURN) {
          count++;
          hasReturn = true;
        } else if (byte === NEWLINE && previous !== RETURN) count++;
        seen |= byte;
        previous = byte;
      }
      return { count, hasReturn, isAscii: seen < 0x80 };
    },
    codePoints: (bytes) => {
      let count = 0;
      // eslint-disable-next-line @typescript-eslint/prefer-for-of -- ten times slower over bytes
      for (let index = 0; index < bytes.length; index++) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) count++;
      return count;
    },
  };
}
