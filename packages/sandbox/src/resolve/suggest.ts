import { extname } from "node:path";
import leven from "leven";
import type { Boundary } from "../disk/boundary.ts";
import { joinRelative } from "../names/safe-path.ts";
import { peekDirectory } from "../disk/directory.ts";
import { resolvePath } from "./follow.ts";
import { SandboxError } from "../error.ts";

const MAX_SUGGESTIONS = 3;
/** More letters than a path can have. */
const MAX_DISTANCE = 4096;
const REPLACEMENT_CHARACTER = "\uFFFD";
// Work is counted, not timed, so that a busy machine gives the same answer.
const MAX_BATCHES = 64; // of 64 entries each: some 4,000
const MAX_LETTER_PAIRS = 2_000_000; // at 2 to 3 ns each

/** Existing paths that the caller may have meant by the names that `directory` lacks; looks at some 4,000 entries. */
export function suggest(boundary: Boundary, directory: string, absent: readonly string[]): string[] {
  const [wanted = "", ...rest] = absent;
  return closestNames(wanted, siblings(boundary, directory, rest.length > 0)).map((name) => {
    const path = joinRelative(directory, name);
    const whole = [path, ...rest].join("/");
    return rest.length > 0 && "found" in resolvePath(boundary, ".", whole) ? whole : path;
  });
}

/** Up to three: those that contain `wanted` or are part of it first, then those of the same stem, then small typos. */
export function closestNames(wanted: string, names: readonly string[]): string[] {
  const candidates: { readonly name: string; readonly rank: number }[] = [];
  let letterPairs = 0;
  for (const name of names) {
    // What is not UTF-8 cannot be named, so this would not open either.
    if (name.includes(REPLACEMENT_CHARACTER)) continue;
    letterPairs += wanted.length * name.length;
    if (letterPairs > MAX_LETTER_PAIRS) break;
    const rank = rankOf(wanted.toLowerCase(), name.toLowerCase());
    if (rank !== undefined) candidates.push({ name, rank });
  }
  return candidates
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** How many letters differ, after all that are closer by kind; undefined for what is nothing alike. */
function rankOf(wanted: string, name: string): number | undefined {
  const lengthDifference = Math.abs(name.length - wanted.length);
  if (name.includes(wanted) || wanted.includes(name)) return lengthDifference;
  if (stem(name) === stem(wanted)) return MAX_DISTANCE + leven(wanted, name);
  const maxDistance = Math.max(2, Math.floor(wanted.length / 4));
  if (lengthDifference > maxDistance) return undefined;
  const distance = leven(wanted, name, { maxDistance: maxDistance + 1 });
  const isTypo = distance <= maxDistance && distance < Math.min(wanted.length, name.length);
  return isTypo ? 2 * MAX_DISTANCE + distance : undefined;
}

function stem(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}

function siblings(boundary: Boundary, directory: string, onlyDirectories: boolean): string[] {
  try {
    // Through a verified descriptor, so that no name from outside is ever suggested.
    let batches = 0;
    const entries = peekDirectory(boundary, boundary.paths.place(directory), () => ++batches >= MAX_BATCHES);
    return entries.filter(({ kind }) => !onlyDirectories || kind !== "file").map(({ name }) => name);
  } catch (error) {
    // The path is missing either way; that its directory can't be listed only means that there is nothing to suggest.
    if (error instanceof SandboxError) return [];
    throw error;
  }
}
