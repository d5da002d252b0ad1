import { lstatSync } from "node:fs";
import { openSlices } from "./directory.ts";
import type { Boundary } from "./boundary.ts";
import { foldName, isAscii } from "../rules/deny-rules.ts";

// In a larger directory the spelling is not looked for; the name then counts as denied.
const MAX_BATCHES = 4096; // of 64 entries each

/**
 * A name as its directory's listing spells it: a disk that accepts `.ENV`, `ENV~1` or `.e\u00ADnv` for `.env` must not be
 * a way around the host's rules. Undefined if a rule denies it under that name, or if that cannot be found out.
 */
export function spelledOnDisk(boundary: Boundary, directory: string, name: string, device: number): string | undefined {
  const place = boundary.paths.absolute(directory);
  if (!mayBeSpelledOtherwise(boundary, place, name, device)) return name;
  const spelled = findSpelling(place, name);
  return spelled === undefined || boundary.deny.names(directory, spelled) ? undefined : spelled;
}

const folding = new WeakMap<Boundary, Map<number, boolean>>();

/**
 * Whether the disk of an entry takes its name in another case for the same one: then only a listing tells its spelling.
 * Asked once for each disk, so that a single folding directory (`chattr +F`) is not noticed.
 */
export function isOnFoldingDisk(boundary: Boundary, directory: string, name: string, device: number): boolean {
  const disks = folding.get(boundary) ?? new Map<number, boolean>();
  const known = disks.get(device);
  if (known !== undefined) return known;
  folding.set(boundary, disks);
  const other = swappedCase(name);
  if (other === name) return false;
  const folds = isSameEntry(directory, name, other);
  disks.set(device, folds);
  return folds;
}

/** True for short names and what Windows drops at the end; else whether the directory also accepts another spelling. */
function mayBeSpelledOtherwise(boundary: Boundary, directory: string, name: string, device: number): boolean {
  if (/~\d|[. ]$/u.test(name)) return true;
  // The rules fold whatever a disk may take for the same letters.
  if (isAscii(name)) return isOnFoldingDisk(boundary, directory, name, device);
  // A directory that folds names accepts at least one of these for the name, by whatever rules; some ignore a soft hyphen.
  const others = [swappedCase(name), name.toUpperCase(), name.toLowerCase(), `${name}\u00AD`];
  return others.some((other) => other !== name && isSameEntry(directory, name, other));
}

function swappedCase(name: string): string {
  return name.replaceAll(/[A-Za-z]/gu, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
}

function findSpelling(directory: string, name: string): string | undefined {
  let batches = 0;
  const slices = openSlices(directory);
  try {
    const names = slices.next(() => ++batches >= MAX_BATCHES).map((entry) => entry.name);
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
