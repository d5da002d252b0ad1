import { Buffer } from "node:buffer";
import { LINE_COUNTER_MODULE } from "./line-counter-module.ts";
import type { LineCounter } from "./plain-line-counter.ts";

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

type CountFunction = (from: number, to: number, countsReturns?: number) => number;

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

function isCountFunction(value: unknown): value is CountFunction {
  return typeof value === "function";
}
