import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync } from "node:fs";
import { agreedPlace, entryPath, GUARDED, locate, O_PATH } from "../disk/descriptor.ts";
import {
  kindOf,
  openAgreedSlices,
  openSlices,
  visibleIn,
  type DirectoryEntry,
  type DirectorySlices,
  type EntryFilter,
} from "../disk/listing.ts";
import { isOnFoldingDisk } from "../disk/spelled-on-disk.ts";
import { errnoCode, reasonOf } from "../disk/errno.ts";
import { createPacer, type Pacer } from "../pacer.ts";
import type { Boundary } from "../disk/boundary.ts";
import { joinRelative, parentOf, relativeInside } from "../names/safe-path.ts";

/** Why a directory could not be searched; "unreadable" is any failure of the system but missing permission. */
export type SkipReason = "permission" | "unnameable" | "unreadable";

/** How the reading of a directory ended; one that vanished, or was replaced by a file or a link, is "gone". */
export type ReadingEnd = "complete" | "stopped" | "gone" | SkipReason;

/** Receives entries; returns false to stop the reading. */
export type TakeEntries = (entries: readonly DirectoryEntry[]) => boolean;

/** What Node puts in place of bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = "\uFFFD";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | GUARDED;

interface Reading {
  readonly boundary: Boundary;
  readonly relative: string;
  readonly absolute: string;
  readonly descriptor: number;
}

/**
 * Passes the entries of a directory to `take`, without denied ones, as seen through a descriptor that leads to exactly
 * this path: no name, no count of names and no reason for a failure comes from anywhere else.
 * A small directory comes at once, a large one in slices between which the event loop turns.
 * @param onlyNames - the only names that count, if they are few: they are looked up, since there may be 100,000 others.
 */
export function readForSearch(
  boundary: Boundary,
  relative: string,
  onlyNames: readonly string[] | undefined,
  take: TakeEntries,
): ReadingEnd | Promise<ReadingEnd> {
  let reading: Reading | undefined;
  let isReadOn = false;
  try {
    reading = openForSearch(boundary, relative);
    if (reading === undefined) return "gone";
    const found = onlyNames === undefined ? undefined : lookUp(reading, onlyNames);
    if (found !== undefined) return handOver(reading, found, take);
    const pacer = createPacer();
    const slices = slicesOf(reading, onlyNames);
    if (slices === undefined) return "gone";
    try {
      const end = handOver(reading, slices.next(pacer.due), take);
      isReadOn = end === "complete" && !slices.isAtEnd();
      return isReadOn ? readOn(reading, slices, pacer, take) : end;
    } finally {
      if (!isReadOn) slices.close();
    }
  } catch (error) {
    return reading === undefined ? confirmed(boundary, relative, error) : endOf(error, relative);
  } finally {
    if (reading !== undefined && !isReadOn) closeSync(reading.descriptor);
  }
}

/** Undefined if the path leads elsewhere. */
function openForSearch(boundary: Boundary, relative: string): Reading | undefined {
  const absolute = boundary.paths.absolute(relative);
  const reading = { boundary, relative, absolute, descriptor: openSync(absolute, FLAGS) };
  if (isStillThere(reading)) return reading;
  closeSync(reading.descriptor);
  return undefined;
}

/** A directory on the way may have become a link to outside, so only what its parent confirms is reported. */
function confirmed(boundary: Boundary, relative: string, error: unknown): ReadingEnd {
  const end = endOf(error, relative);
  if (end === "gone" || relative === "." || errnoCode(error) === "ENAMETOOLONG") return end;
  const [directory, name] = parentOf(relative);
  let parent: Reading | undefined;
  try {
    parent = openForSearch(boundary, directory);
    if (parent !== undefined) closeSync(openSync(locationOf(parent, name), FLAGS));
    return "gone";
  } catch (again) {
    return endOf(again, relative) === end ? end : "gone";
  } finally {
    if (parent !== undefined) closeSync(parent.descriptor);
  }
}

/** Whether the descriptor leads to the path by which it was opened, through no link. */
function isStillThere({ boundary, relative, absolute, descriptor }: Reading): boolean {
  const location = locate(boundary, descriptor, absolute);
  // On Windows the two have different separators.
  return location === absolute || (location !== undefined && relativeInside(boundary.root, location) === relative);
}

function locationOf({ boundary, absolute, descriptor }: Reading, name = ""): string {
  return entryPath(boundary, { absolute }, descriptor, name);
}

function handOver(reading: Reading, entries: readonly DirectoryEntry[], take: TakeEntries): ReadingEnd {
  // What was read by path counts only while the path still leads to the verified directory.
  if (!reading.boundary.usesProc && !isStillThere(reading)) return "gone";
  return take(entries) ? "complete" : "stopped";
}

/** Undefined if what was read by path may belong to another directory than the one that was opened. */
function slicesOf(reading: Reading, onlyNames: readonly string[] | undefined): DirectorySlices | undefined {
  const { boundary, absolute, descriptor } = reading;
  const open = () => openSlices(locationOf(reading), filterOf(reading, onlyNames), fstatSync(descriptor));
  return boundary.usesProc ? open() : openAgreedSlices(open, () => agreedPlace(boundary, descriptor, absolute));
}

function filterOf({ boundary, relative }: Reading, onlyNames: readonly string[] | undefined): EntryFilter {
  const isVisible = visibleIn(boundary, relative);
  return onlyNames === undefined ? isVisible : (entry) => onlyNames.includes(entry.name) && isVisible(entry);
}

/** Undefined where only the listing tells: a disk that folds case would find a name in another spelling as well. */
function lookUp(reading: Reading, names: readonly string[]): DirectoryEntry[] | undefined {
  const { boundary, relative } = reading;
  // A name that is not UTF-8 is only known from a listing.
  if (!boundary.usesProc || names.some((name) => name.includes(REPLACEMENT_CHARACTER))) return undefined;
  try {
    const found: DirectoryEntry[] = [];
    for (const name of names) {
      if (boundary.deny.names(joinRelative(relative, name))) continue;
      const stats = lstatSync(locationOf(reading, name), { throwIfNoEntry: false });
      if (stats === undefined) continue;
      if (isOnFoldingDisk(boundary, reading.absolute, name, stats.dev)) return undefined;
      found.push({ name, kind: kindOf(stats) });
    }
    return found;
  } catch (error) {
    // A directory that may be listed but not entered shows only its names; a name may be too long to exist.
    if (["EACCES", "ENAMETOOLONG"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
}

/**
 * Whether a descriptor leads to a file at exactly this path, through no link. False proves nothing: then the
 * directories on the way have to be read.
 * @param isLikely - it is opened without asking first whether anything is there.
 */
export function isFileAt(boundary: Boundary, relative: string, isLikely = false): boolean {
  if (!boundary.usesProc || boundary.deny.covers(relative)) return false;
  const absolute = boundary.paths.absolute(relative);
  try {
    // If nothing is there, this takes a third of the time of a failed open.
    if (!isLikely && !existsSync(absolute)) return false;
    const descriptor = openSync(absolute, O_PATH | constants.O_NOFOLLOW);
    try {
      if (locate(boundary, descriptor, absolute) !== absolute) return false;
      const stats = fstatSync(descriptor);
      const slash = absolute.lastIndexOf("/");
      const [directory, name] = [absolute.slice(0, slash), absolute.slice(slash + 1)];
      return kindOf(stats) === "file" && !isOnFoldingDisk(boundary, directory, name, stats.dev);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return false;
  }
}

async function readOn(reading: Reading, slices: DirectorySlices, pacer: Pacer, take: TakeEntries): Promise<ReadingEnd> {
  try {
    for (;;) {
      await pacer.rest();
      // The caller stops through `take`, which also knows about aborts.
      const end = handOver(reading, slices.next(pacer.due), take);
      if (end !== "complete" || slices.isAtEnd()) return end;
    }
  } catch (error) {
    return endOf(error, reading.relative);
  } finally {
    slices.close();
    closeSync(reading.descriptor);
  }
}

function endOf(error: unknown, relative: string): ReadingEnd {
  const code = errnoCode(error);
  if (code === undefined) throw error;
  if (code === "ENOENT" && relative.includes(REPLACEMENT_CHARACTER)) return "unnameable";
  // It was there when its parent was read, so it has been removed since, or replaced by a file or a link.
  if (["ENOENT", "ENOTDIR", "ELOOP", "EMLINK"].includes(code)) return "gone";
  return reasonOf(error) === "permission" ? "permission" : "unreadable";
}
