import { isHighSurrogate, isLowSurrogate } from "@fstools/protocol";

const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** The number of code points in a well-formed text. */
export function countCodePoints(text: string): number {
  // The engine sees at once that a text of one-byte characters has no surrogates; most text has none.
  if (!HIGH_SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let index = 0; index < text.length; index++) if (!isLowSurrogate(text.charCodeAt(index))) count++;
  return count;
}

/** The first `count` code points of a well-formed text. */
export function firstCodePoints(text: string, count: number): string {
  return text.slice(0, indexAfter(text, count));
}

/** A well-formed text without its first `count` code points. */
export function withoutCodePoints(text: string, count: number): string {
  return text.slice(indexAfter(text, count));
}

function indexAfter(text: string, count: number): number {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--) {
    index += isHighSurrogate(text.charCodeAt(index)) ? 2 : 1;
  }
  return index;
}
