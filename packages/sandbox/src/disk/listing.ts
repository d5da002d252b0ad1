import { lstatSync, opendirSync, readdirSync, statfsSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import { errnoCode } from "./errno.ts";

/** A name in a directory; FIFOs, sockets and devices count as files. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
}

/** A directory that is read a slice at a time: on most file systems its size is not known beforehand. */
export interface DirectorySlices {
  /** The next visible entries, read until `isDue` says to pause, or to the end. */
  next(isDue: () => boolean): DirectoryEntry[];
  /** Whether everything has been read. */
  isAtEnd(): boolean;
  close(): void;
}

const ENTRIES_PER_SLICE = 64;

/** Decides which entries pass. */
export type EntryFilter = (entry: DirectoryEntry) => boolean;

// At most 5,500 entries of at least 12 bytes. One call takes half as long as slices.
const MAX_SMALL_BYTES = 65_536;

/** ext2 to ext4, XFS, F2FS: at least the size of the entries. Overlayfs reports 4,096 bytes for 300,000 of them. */
const TRUE_SIZES: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0xf2f52010]);
const devices = new Map<number | bigint, boolean>();

function isKnownSmall(location: string, { dev, size }: BigIntStats | Stats): boolean {
  if (size > MAX_SMALL_BYTES) return false;
  const hasTrueSizes = devices.get(dev) ?? TRUE_SIZES.has(statfsSync(location).type);
  devices.set(dev, hasTrueSizes);
  return hasTrueSizes;
}

/** Opens a directory for reading in slices, filtered, or at once if its `stats` are given and say that it is small. */
export function openSlices(
  location: string,
  isVisible: EntryFilter = () => true,
  stats?: BigIntStats | Stats,
): DirectorySlices {
  const isSmall = stats !== undefined && isKnownSmall(location, stats);
  const directory = isSmall ? undefined : opendirSync(location, { bufferSize: ENTRIES_PER_SLICE });
  let isAtEnd = isSmall;
  let isFirst = true;

  function read(isDue: () => boolean): DirectoryEntry[] {
    if (directory === undefined) return readdirSync(location, { withFileTypes: true }).map(toEntry).filter(isVisible);
    const entries: DirectoryEntry[] = [];
    for (let count = 1; ; count += 1) {
      const dirent = directory.readSync();
      if (dirent === null) {
        isAtEnd = true;
        return entries;
      }
      const entry = toEntry(dirent);
      if (isVisible(entry)) entries.push(entry);
      if (count % ENTRIES_PER_SLICE === 0 && isDue()) return entries;
    }
  }

  return {
    next: (isDue) => {
      try {
        return read(isDue);
      } catch (error) {
        if (!isFirst || errnoCode(error) !== "ENOENT") throw error;
        isAtEnd = true;
        return readOneByOne(location, isVisible);
      } finally {
        isFirst = false;
      }
    },
    isAtEnd: () => isAtEnd,
    close: () => directory?.closeSync(),
  };
}

/** For a file system without entry types: Node asks for each one, and fails for all if one has just vanished. */
function readOneByOne(location: string, isVisible: EntryFilter): DirectoryEntry[] {
  const entries = readdirSync(location).flatMap((name): DirectoryEntry[] => {
    const stats = lstatSync(`${location}/${name}`, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ name, kind: entryKind(stats) }];
  });
  return entries.filter(isVisible);
}

function toEntry(dirent: Dirent): DirectoryEntry {
  return { name: dirent.name, kind: entryKind(dirent) };
}

/** The kind of an entry, by its own type or status. */
export function entryKind(entry: Dirent | Stats | BigIntStats): DirectoryEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "file";
}
