import { lstatSync, opendirSync, readdirSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { joinRelative } from "../path/relative-path.ts";
import { errnoCode } from "../errno.ts";

/** A name in a directory; FIFOs, sockets and devices count as files. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

/** A directory that is read a slice at a time. */
export interface DirectorySlices {
  /** The next visible entries, read until `isDue` says that it is time to pause; undefined at the end. */
  next(isDue: () => boolean): DirectoryEntry[] | undefined;
  close(): void;
}

// Up to this size (some 3,000 entries on ext4) one synchronous call takes half the time of slices, and 2 to 3 ms.
const MAX_SMALL_BYTES = 128 * 1024;
const ENTRIES_PER_READ = 1024;
const ENTRIES_PER_CLOCK = 64;

/** Whether a directory is so small, by its own size, that reading it at once cannot hold the event loop. */
export function isSmall(stats: Stats | BigIntStats): boolean {
  // Some file systems give no size at all, whatever the directory holds.
  return stats.size > 0 && stats.size <= MAX_SMALL_BYTES;
}

/** Says which entries are let through. */
export type EntryFilter = (entry: DirectoryEntry) => boolean;

/** Leaves out what the host's rules deny in the relative directory `directory`. */
export function visibleIn({ deny }: Boundary, directory: string): EntryFilter {
  return deny.isEmpty ? everything : ({ name }) => !deny.names(joinRelative(directory, name));
}

/** Reads a small directory at once. */
export function readAll(location: string, isVisible: EntryFilter = everything): DirectoryEntry[] {
  try {
    return readdirSync(location, { withFileTypes: true }).map(toEntry).filter(isVisible);
  } catch (error) {
    if (errnoCode(error) !== "ENOENT") throw error;
    // On a file system that does not tell the types Node asks for each, and fails for all if one just vanished.
    return readdirSync(location)
      .flatMap((name) => entryOf(`${location}/${name}`, name))
      .filter(isVisible);
  }
}

/** Opens a large directory for reading in slices; what the filter costs counts too. */
export function openSlices(location: string, isVisible: EntryFilter = everything): DirectorySlices {
  const directory = opendirSync(location, { bufferSize: ENTRIES_PER_READ });
  return {
    next: (isDue) => {
      const entries: DirectoryEntry[] = [];
      for (let count = 1; ; count += 1) {
        const dirent = directory.readSync();
        if (dirent === null) return entries.length > 0 ? entries : undefined;
        const entry = toEntry(dirent);
        if (isVisible(entry)) entries.push(entry);
        if (count % ENTRIES_PER_CLOCK === 0 && isDue()) return entries;
      }
    },
    close: () => {
      directory.closeSync();
    },
  };
}

function everything(): boolean {
  return true;
}

function entryOf(absolute: string, name: string): DirectoryEntry[] {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ name, kind: kindOf(stats) }];
}

function toEntry(dirent: Dirent): DirectoryEntry {
  return { name: dirent.name, kind: kindOf(dirent) };
}

/** The kind of an entry, by its own type or status. */
export function kindOf(entry: Dirent | Stats): DirectoryEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "file";
}
