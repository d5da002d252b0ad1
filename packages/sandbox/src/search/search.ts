import { lstatSync } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { createConfirmer, REPLACEMENT_CHARACTER, type Confirmation } from "./confirm.ts";
import { joinRelative, segments } from "../path/relative-path.ts";
import { errnoCode, reasonOf } from "../errno.ts";
import { isSmall, kindOf, openSlices, readAll, visibleIn, type DirectoryEntry } from "../disk/listing.ts";
import { createPacer } from "../kit/pacer.ts";
import type { SafePath } from "../path/safe-path.ts";

/** Why a directory could not be listed; "unreadable" is any failure of the system but missing permission. */
export type SkipReason = "permission" | "unnameable" | "unreadable";

/** How the listing of a directory ended. */
export type ListingEnd = "complete" | "stopped" | SkipReason;

/** Receives entries; returns false to stop the listing. */
export type TakeEntries = (entries: readonly DirectoryEntry[]) => boolean;

/** A quick search below a directory: plain reads that nothing vouches for, and a check of what is worth reporting. */
export interface Search {
  /**
   * Hands over the entries of a directory, without denied ones.
   * A small directory comes at once, a large one in slices between which the event loop turns; one that vanished is empty.
   * @param directory - relative to the start of the search, "" for the start itself; made of names from this search.
   */
  list(directory: string, take: TakeEntries): Promise<ListingEnd>;
  /** One entry by its exact name, without a listing; undefined if it is not there or denied. */
  look(directory: string, name: string): DirectoryEntry | SkipReason | undefined;
  /** Whether a name really is there, inside, not denied, and neither a directory nor a link to one inside. */
  confirm(directory: string, name: string): Confirmation;
  /** Frees what `confirm` holds open. */
  close(): void;
}

/** Starts a search; whoever starts it closes it. */
export function createSearch(boundary: Boundary, start: SafePath): Search {
  boundary.paths.check(start);
  const confirmer = createConfirmer(boundary);
  const place = (directory: string): string => {
    if (directory.includes("..") && segments(directory).includes("..")) throw new TypeError("A search only goes down.");
    return directory === "" ? start.relative : joinRelative(start.relative, directory);
  };
  return {
    list: async (directory, take) => list(boundary, place(directory), take),
    look: (directory, name) => look(boundary, place(directory), name),
    confirm: (directory, name) => confirmer.confirm(place(directory), name),
    close: confirmer.close,
  };
}

async function list(boundary: Boundary, relative: string, take: TakeEntries): Promise<ListingEnd> {
  const absolute = boundary.paths.absolute(relative);
  try {
    const stats = lstatSync(absolute);
    if (stats.isDirectory() && !isSmall(stats)) return await listInSlices(boundary, relative, absolute, take);
    const entries = stats.isDirectory() ? readAll(absolute, visibleIn(boundary, relative)) : [];
    return take(entries) ? "complete" : "stopped";
  } catch (error) {
    return endOf(error, relative);
  }
}

function look(boundary: Boundary, directory: string, name: string): DirectoryEntry | SkipReason | undefined {
  const relative = joinRelative(directory, name);
  if (boundary.deny.names(relative)) return undefined;
  try {
    // Elsewhere than on Linux a name of another case would be found as well.
    if (!boundary.usesProc) return readAll(boundary.paths.absolute(directory)).find((entry) => entry.name === name);
    const stats = lstatSync(boundary.paths.absolute(relative), { throwIfNoEntry: false });
    return stats === undefined ? undefined : { name, kind: kindOf(stats) };
  } catch (error) {
    if (errnoCode(error) === "ENAMETOOLONG") return undefined;
    const end = endOf(error, relative);
    return end === "permission" || end === "unreadable" ? end : undefined;
  }
}

async function listInSlices(
  boundary: Boundary,
  relative: string,
  absolute: string,
  take: TakeEntries,
): Promise<ListingEnd> {
  const slices = openSlices(absolute, visibleIn(boundary, relative));
  try {
    // The caller stops by way of `take`, which also knows about aborts.
    const pacer = createPacer();
    for (;;) {
      const entries = slices.next(pacer.due);
      if (entries === undefined) return "complete";
      if (!take(entries)) return "stopped";
      await pacer.rest();
    }
  } finally {
    slices.close();
  }
}

function endOf(error: unknown, relative: string): ListingEnd {
  const code = errnoCode(error);
  if (code === undefined) throw error;
  if (code === "ENOENT" && relative.includes(REPLACEMENT_CHARACTER)) return "unnameable";
  // It was there when its parent was read, so it was removed since, or replaced by a file or a link.
  if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return "complete";
  return reasonOf(error) === "permission" ? "permission" : "unreadable";
}
