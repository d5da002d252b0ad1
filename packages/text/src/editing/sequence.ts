import type { Pacer } from "@fstools/sandbox";
import { STEPS_PER_CLOCK } from "./editable-text.ts";

/** Items that can be compared by number: the characters of a text, or its lines. */
interface Sequence {
  readonly length: number;
  readonly at: (index: number) => number;
}

/** Which places are wanted. */
export interface SearchOptions {
  /** Where the search begins. */
  readonly from?: number;
  /** Whether places may overlap; else the next one begins after the one before it. */
  readonly isOverlapping: boolean;
  /** Stops after so many. */
  readonly most: number;
  /** Whether a place counts. */
  readonly accepts?: (start: number) => boolean;
}

// V8 skips ahead by tables for so many characters; with longer texts its worst case is quadratic.
const MAX_NATIVE_CHARS = 250;
const CHUNK_CHARS = 1024 * 1024;

/** The places of a text in another, in order, in time linear in both. */
export async function findText(text: string, wanted: string, options: SearchOptions, pacer: Pacer): Promise<number[]> {
  const { from = 0, isOverlapping, most, accepts = () => true } = options;
  const head = wanted.slice(0, MAX_NATIVE_CHARS);
  const found: number[] = [];
  let steps = 0;
  let wasted = 0;
  for (let start = from; start + wanted.length <= text.length;) {
    if (pacer.due()) await pacer.rest();
    const chunk = text.slice(start, start + CHUNK_CHARS + wanted.length - 1);
    const last = chunk.length - wanted.length;
    let next = 0;
    for (let at = chunk.indexOf(head); at !== -1 && at <= last; at = chunk.indexOf(head, next)) {
      next = at + 1;
      // Asked first: it is cheap, and a comparison may not be.
      if (accepts(start + at)) {
        if (chunk.startsWith(wanted, at)) {
          found.push(start + at);
          if (found.length === most) return found;
          if (!isOverlapping) next = at + wanted.length;
        } else if ((wasted += wanted.length) > text.length) {
          // What begins alike again and again would be compared to its end each time.
          const rest = { ...options, from: start + at, most: most - found.length };
          return [...found, ...(await findSequence(charactersOf(text), charactersOf(wanted), rest, pacer))];
        }
      }
      steps += 1;
      if (steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
    start += Math.max(next, last + 1);
  }
  return found;
}

/** The places of a sequence in another, in order, in time linear in both: the way of Knuth, Morris and Pratt. */
async function findSequence(
  whole: Sequence,
  wanted: Sequence,
  { from = 0, isOverlapping, most, accepts = () => true }: SearchOptions,
  pacer: Pacer,
): Promise<number[]> {
  const found: number[] = [];
  if (wanted.length === 0 || from + wanted.length > whole.length) return found;
  const borders = await bordersOf(wanted, pacer);
  const borderOf = (length: number) => borders[length - 1] ?? 0;
  let matched = 0;
  for (let index = from; index < whole.length; index += 1) {
    const item = whole.at(index);
    while (matched > 0 && item !== wanted.at(matched)) matched = borderOf(matched);
    if (item === wanted.at(matched)) matched += 1;
    if (matched === wanted.length) {
      const start = index - matched + 1;
      const isAccepted = accepts(start);
      if (isAccepted) found.push(start);
      if (found.length === most) return found;
      matched = isAccepted && !isOverlapping ? 0 : borderOf(matched);
    }
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return found;
}

/** For each beginning of a sequence, the length of the longest shorter one that it ends with. */
async function bordersOf(wanted: Sequence, pacer: Pacer): Promise<Int32Array> {
  const borders = new Int32Array(wanted.length);
  let length = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    const item = wanted.at(index);
    while (length > 0 && item !== wanted.at(length)) length = borders[length - 1] ?? 0;
    if (item === wanted.at(length)) length += 1;
    borders[index] = length;
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return borders;
}

function charactersOf(text: string): Sequence {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}
