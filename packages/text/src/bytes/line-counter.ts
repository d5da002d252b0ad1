import { createPlainLineCounter, type LineCounter } from "./plain-line-counter.ts";
import { createWasmLineCounter } from "./line-counter-wasm.ts";

/** The most bytes that the shared counter takes at once. */
export const CHUNK_BYTES = 512 * 1024;

let shared: LineCounter | undefined;

/** The counter for big files: one for the process, so nothing in its memory may be relied on after an `await`. */
export function sharedLineCounter(): LineCounter {
  shared ??= createWasmLineCounter(CHUNK_BYTES) ?? createPlainLineCounter(CHUNK_BYTES);
  return shared;
}
