import { Buffer } from "node:buffer";
import { countCodePoints, type LineEnds } from "../lines.ts";
import { LINE_COUNTER_MODULE } from "./line-counter-module.ts";

/** The most bytes that a counter takes at once. */
export const CHUNK_BYTES = 512 * 1024;

/** Counts line ends in bytes that were read into its own memory. */
export interface LineCounter {
  /** The place in the counter's memory for `length` bytes from `position` of a file; valid until the next call. */
  place(position: number, length: number): Buffer;
  /** Line ends in bytes of the last place; these must not begin between "\r" and "\n". */
  count(bytes: Buffer, lineEnds: LineEnds): number;
  /** Code points in bytes of the last place, which must be valid UTF-8. */
  codePoints(bytes: Buffer): number;
}

let shared: LineCounter | undefined;

/** The counter for big files: one for the process, so nothing in its memory may be relied on after an `await`. */
export function sharedLineCounter(): LineCounter {
  shared ??= createWasmLineCounter() ?? createPlainLineCounter();
  return shared;
}

// The kernel copies five times faster to an address that is congruent to the file's offset (measured on x86-64).
const ALIGNMENT = 64;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

type Count = (from: number, to: number) => number;

// Neither TypeScript's "es2023" library nor Node's types declare it.
declare const WebAssembly:
  | {
      validate(bytes: Uint8Array): boolean;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => {
        readonly exports: Readonly<Record<"newlines" | "mixedLineEnds" | "codePoints", Count>> & {
          readonly memory: { readonly buffer: ArrayBuffer };
        };
      };
    }
  | undefined;

/** The counter of line-counter.wat; undefined where the engine has no WebAssembly SIMD. */
export function createWasmLineCounter(): LineCounter | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  const code = Buffer.from(LINE_COUNTER_MODULE, "base64");
  if (!WebAssembly.validate(code)) return undefined;
  const counter = new WebAssembly.Instance(new WebAssembly.Module(code));
  const { memory, newlines, mixedLineEnds, codePoints } = counter.exports;
  const bytes = Buffer.from(memory.buffer);
  return {
    place: (position, length) => {
      const from = ALIGNMENT + (position % ALIGNMENT);
      // What an earlier chunk left there could be a "\r".
      bytes[from - 1] = 0;
      return bytes.subarray(from, from + length);
    },
    count: (part, lineEnds) => {
      const count = lineEnds === "any" && part.includes(RETURN) ? mixedLineEnds : newlines;
      return count(part.byteOffset, part.byteOffset + part.length);
    },
    codePoints: ({ byteOffset, length }) => codePoints(byteOffset, byteOffset + length),
  };
}

/** A counter without WebAssembly: for engines that lack its SIMD. */
export function createPlainLineCounter(): LineCounter {
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  return {
    place: (_position, length) => memory.subarray(0, length),
    count: (bytes, lineEnds) => {
      let [count, before] = [0, NEWLINE];
      for (const byte of bytes) {
        if (lineEnds === "newline") count += byte === NEWLINE ? 1 : 0;
        else if (byte === RETURN || (byte === NEWLINE && before !== RETURN)) count += 1;
        before = byte;
      }
      return count;
    },
    codePoints: (bytes) => countCodePoints(bytes.toString()),
  };
}
