import { Buffer, isAscii } from "node:buffer";
import { countCodePoints, type LineEnds } from "../lines.ts";
import { LINE_COUNTER_MODULE } from "./line-counter-module.ts";

/** The most bytes that the shared counter takes at once. */
export const CHUNK_BYTES = 512 * 1024;

/** Counts in bytes that were read into its own memory. */
export interface LineCounter {
  /** The place in the counter's memory for `length` bytes from `position` of a file; valid until the next call. */
  place(position: number, length: number): Buffer;
  /** Line ends in bytes of the last place; these must not begin between "\r" and "\n". By default, any ends count. */
  lineEnds(
    bytes: Buffer,
    lineEnds?: LineEnds,
  ): { readonly count: number; readonly hasReturn: boolean; readonly isAscii: boolean };
  /** Code points in bytes of the last place, which must be valid UTF-8. */
  codePoints(bytes: Buffer): number;
}

let shared: LineCounter | undefined;

/** The counter for big files: one for the process, so nothing in its memory may be relied on after an `await`. */
export function sharedLineCounter(): LineCounter {
  shared ??= createWasmLineCounter(CHUNK_BYTES) ?? createPlainLineCounter(CHUNK_BYTES);
  return shared;
}

// The kernel copies five times faster to an address that is congruent to the file's offset (measured on x86-64).
const ALIGNMENT = 64;
const NOT_ASCII = 1 << 29;
const HAS_RETURN = 1 << 30;
const COUNT_MASK = (1 << 28) - 1;

// Neither TypeScript's "es2023" library nor Node's types declare it.
declare const WebAssembly:
  | {
      validate(bytes: Uint8Array): boolean;
      readonly Module: new (bytes: Uint8Array) => object;
      readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
    }
  | undefined;

/** The counter of line-counter.wat; undefined where the engine has no WebAssembly SIMD. */
export function createWasmLineCounter(capacity: number): LineCounter | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  const code = Buffer.from(LINE_COUNTER_MODULE, "base64");
  if (!WebAssembly.validate(code)) return undefined;
  const { memory, lineEnds, codePoints } = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  if (!isMemory(memory) || !isCountFunction(lineEnds) || !isCountFunction(codePoints)) return undefined;
  const bytes = Buffer.from(memory.buffer);
  if (capacity + 2 * ALIGNMENT > bytes.length) return undefined;
  return {
    place: (position, length) => {
      const from = ALIGNMENT + (position % ALIGNMENT);
      // What an earlier chunk left there could be a "\r".
      bytes[from - 1] = 0;
      return bytes.subarray(from, from + length);
    },
    lineEnds: ({ byteOffset, length }, kind = "any") => {
      const packed = lineEnds(byteOffset, byteOffset + length, kind === "any" ? 1 : 0);
      return {
        count: packed & COUNT_MASK,
        hasReturn: (packed & HAS_RETURN) !== 0,
        isAscii: (packed & NOT_ASCII) === 0,
      };
    },
    codePoints: ({ byteOffset, length }) => codePoints(byteOffset, byteOffset + length),
  };
}

function isMemory(value: unknown): value is { readonly buffer: ArrayBuffer } {
  return typeof value === "object" && value !== null && "buffer" in value && value.buffer instanceof ArrayBuffer;
}

function isCountFunction(value: unknown): value is (from: number, to: number, countsReturns?: number) => number {
  return typeof value === "function";
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const RETURN_NEWLINE = Buffer.from("\r\n");

/** A counter without WebAssembly: for engines that lack its SIMD. */
export function createPlainLineCounter(capacity: number): LineCounter {
  const memory = Buffer.allocUnsafeSlow(capacity);
  return {
    place: (_position, length) => memory.subarray(0, length),
    lineEnds: (bytes, lineEnds = "any") => {
      const hasReturn = bytes.includes(RETURN);
      const newlines = occurrences(bytes, NEWLINE);
      const countsReturns = hasReturn && lineEnds === "any";
      const count = newlines + (countsReturns ? occurrences(bytes, RETURN) - occurrences(bytes, RETURN_NEWLINE) : 0);
      return { count, hasReturn, isAscii: isAscii(bytes) };
    },
    codePoints: (bytes) => countCodePoints(bytes.toString("utf8")),
  };
}

// Native search: ten times faster than a loop over bytes in ordinary text.
function occurrences(bytes: Buffer, wanted: number | Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) count++;
  return count;
}
