import { lstatSync, opendirSync, readdirSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { joinRelative } from "../path/relative-path.ts";
import { errnoCode } from "../errno.ts";

/** A name in a directory; FIFOs, sockets and devices count as files. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

/** A directory that is read a slice at a time: nothing tells beforehand how much it holds, its size least of all. */
export interface DirectorySlices {
  /** The next visible entries, read until `isDue` says that it is time to pause, or to the end. */
  next(isDue: () => boolean): DirectoryEntry[];
  /** Whether all has been read. */
  isAtEnd(): boolean;
  close(): void;
}

const ENTRIES_PER_READ = 64;
const ENTRIES_PER_CLOCK = 64;

/** Says which entries are let through. */
export type EntryFilter = (entry: DirectoryEntry) => boolean;

/** Leaves out what the host's rules deny in the relative directory `directory`. */
export function visibleIn({ deny }: Boundary, directory: string): EntryFilter {
  return deny.isEmpty ? everything : ({ name }) => !deny.names(joinRelative(directory, name));
}

/** Opens a directory for reading in slices; what the filter costs counts too. */
export function openSlices(location: string, isVisible: EntryFilter = everything): DirectorySlices {
  const directory = opendirSync(location, { bufferSize: ENTRIES_PER_READ });
  let isAtEnd = false;
  let isFirst = true;

  function read(isDue: () => boolean): DirectoryEntry[] {
    const entries: DirectoryEntry[] = [];
    for (let count = 1; ; count += 1) {
      const dirent = directory.readSync();
      if (dirent === null) {
        isAtEnd = true;
        return entries;
      }
      const entry = toEntry(dirent);
      if (isVisible(entry)) entries.push(entry);
      if (count % ENTRIES_PER_CLOCK === 0 && isDue()) return entries;
    }
  }

  return {
    next: (isDue) => {
      try {
        return read(isDue);
      } catch (error) {
        if (!isFirst || errnoCode(error) !== "ENOENT") throw error;
        // On a file system that does not tell the types Node asks for each, and fails if one just vanished.
        isAtEnd = true;
        return readdirSync(location)
          .flatMap((name) => entryOf(`${location}/${name}`, name))
          .filter(isVisible);
      } finally {
        isFirst = false;
      }
    },
    isAtEnd: () => isAtEnd,
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
export function kindOf(entry: Dirent | Stats | BigIntStats): DirectoryEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "file";
}
