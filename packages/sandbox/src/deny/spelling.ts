import { lstatSync } from "node:fs";
import { openSlices } from "../disk/listing.ts";
import type { Boundary } from "../path/boundary.ts";
import { foldName } from "./fold.ts";
import { joinRelative } from "../path/safe-path.ts";

// A directory with more entries is not searched for the spelling of one; the name then counts as denied.
const MAX_CLOCKS = 4096; // of 64 entries each

/**
 * A name in a relative directory as the directory's listing has it: the host's rules are about names, and a disk that
 * takes `.ENV`, `ENV~1` or `.e\u00ADnv` for `.env` must not get around them.
 * @returns undefined if a rule denies it under its real name, or if that cannot be found out.
 */
export function spelledOnDisk(boundary: Boundary, directory: string, name: string): string | undefined {
  const place = boundary.paths.absolute(directory);
  if (!mayBeSpelledOtherwise(place, name)) return name;
  const spelled = findSpelling(place, name);
  return spelled === undefined || boundary.deny.names(joinRelative(directory, spelled)) ? undefined : spelled;
}

/** Short names, and what Windows drops at the end; else whether the directory answers to another spelling as well. */
function mayBeSpelledOtherwise(directory: string, name: string): boolean {
  if (/~\d|[. ]$/u.test(name)) return true;
  return otherSpellings(name).some((other) => isSameEntry(directory, name, other));
}

/** Spellings of which a directory that folds names takes one for the name, whatever its rules are. */
function otherSpellings(name: string): string[] {
  const swapped = name.replaceAll(/[A-Za-z]/gu, (letter) => {
    const upper = letter.toUpperCase();
    return upper === letter ? letter.toLowerCase() : upper;
  });
  // About these letters all rules agree.
  if (swapped !== name) return [swapped];
  const upper = name.toUpperCase();
  const otherCase = upper === name ? name.toLowerCase() : upper;
  // A directory that folds case by Unicode's rules also passes over a soft hyphen.
  return [...(otherCase === name ? [] : [otherCase]), `${name}\u00AD`];
}

function findSpelling(directory: string, name: string): string | undefined {
  let clocks = 0;
  const slices = openSlices(directory);
  try {
    const names = slices.next(() => ++clocks >= MAX_CLOCKS).map((entry) => entry.name);
    if (names.includes(name)) return name;
    const folded = foldName(name);
    const alike = names.filter((candidate) => foldName(candidate) === folded);
    return [...alike, ...names].find((candidate) => isSameEntry(directory, name, candidate));
  } finally {
    slices.close();
  }
}

function isSameEntry(directory: string, name: string, other: string): boolean {
  const options = { bigint: true, throwIfNoEntry: false } as const;
  const otherStats = lstatSync(`${directory}/${other}`, options);
  if (otherStats === undefined) return false;
  const stats = lstatSync(`${directory}/${name}`, options);
  return stats?.ino === otherStats.ino && stats.dev === otherStats.dev;
}
