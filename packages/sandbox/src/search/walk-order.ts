import type { Pacer } from "../pacer.ts";
import { selectFirst } from "./select-first.ts";

/** This many names are sorted in a few milliseconds. */
const RUN_LENGTH = 4096;

/** Compares names by code point; plain comparison uses UTF-16 units and puts emoji before U+FF01. */
export function compareNames(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit);
  }
  return left.length - right.length;
}

/**
 * Compares the relative paths of two files in the order of a walk: the files of a directory first, by name, then its
 * sub-directories, by name, each with everything below it.
 */
export function compareWalkOrder(left: string, right: string): number {
  let start = 0;
  for (let index = 0; index < left.length && left[index] === right[index]; index += 1) {
    if (left[index] === "/") start = index + 1;
  }
  const leftEnd = left.indexOf("/", start);
  const rightEnd = right.indexOf("/", start);
  if (leftEnd < 0 !== rightEnd < 0) return leftEnd < 0 ? -1 : 1;
  return compareNames(
    left.slice(start, leftEnd < 0 ? undefined : leftEnd),
    right.slice(start, rightEnd < 0 ? undefined : rightEnd),
  );
}

/** The halves of a surrogate pair belong to code points above all single units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Moves the first `count` names in order to the front, unsorted. */
export async function selectFirstNames(names: string[], count: number, pacer: Pacer, from = 0): Promise<void> {
  await selectFirst(names, count, (left, right) => compareNames(left, right) < 0, pacer, from);
}

/** Returns names in order, and sorts them only as far as they are asked for. */
export interface NameQueue {
  /** The next name; undefined when there are no more. A promise only if enough are left that selecting takes time. */
  next(): string | undefined | Promise<string | undefined>;
}

/** Puts names in order as they are taken; the array itself is rearranged. */
export function createNameQueue(names: string[], pacer: Pacer): NameQueue {
  let run: string[] = [];
  let runIndex = 0;
  let taken = 0;
  function take(): string | undefined {
    const name = run[runIndex];
    runIndex += 1;
    return name;
  }
  function sortNextRun(): string | undefined {
    run = names.slice(taken, taken + RUN_LENGTH).sort(compareNames);
    runIndex = 0;
    taken += run.length;
    return take();
  }
  return {
    next() {
      if (runIndex < run.length || taken === names.length) return take();
      if (names.length - taken <= RUN_LENGTH) return sortNextRun();
      return selectFirstNames(names, RUN_LENGTH, pacer, taken).then(sortNextRun);
    },
  };
}
