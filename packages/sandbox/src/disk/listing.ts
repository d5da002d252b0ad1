import { lstatSync, opendirSync, readdirSync, statfsSync, type BigIntStats, type Dirent, type Stats } from "node:fs";
import { errnoCode } from "./errno.ts";
import type { Agreement } from "./observe.ts";

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

const ENTRIES_PER_READ = 64;
const ENTRIES_PER_CLOCK = 64;

/** Decides which entries pass. */
export type EntryFilter = (entry: DirectoryEntry) => boolean;

// At most 5,500 entries of at least 12 bytes. One call takes half as long as slices.
const MAX_SMALL_BYTES = 65_536;

/**
 * ext2 to ext4, XFS and F2FS: a directory's size is at least that of its entries. On others the size may mean nothing:
 * overlayfs reports 4,096 bytes for 300,000 entries.
 */
const TRUE_SIZES: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0xf2f52010]);
const devices = new Map<number | bigint, boolean>();

/** What a directory's status says about its size. */
type DirectoryStatus = Pick<Stats | BigIntStats, "dev" | "size">;

function isKnownSmall(location: string, { dev, size }: DirectoryStatus): boolean {
  if (size > MAX_SMALL_BYTES) return false;
  const hasTrueSizes = devices.get(dev) ?? TRUE_SIZES.has(statfsSync(location).type);
  devices.set(dev, hasTrueSizes);
  return hasTrueSizes;
}

/**
 * Opens a directory for reading in slices; the time that the filter takes counts too.
 * @param stats - of the directory itself, if it is open: one that is known to be small is read in one call.
 */
export function openSlices(
  location: string,
  isVisible: EntryFilter = everything,
  stats?: DirectoryStatus,
): DirectorySlices {
  if (stats !== undefined && isKnownSmall(location, stats)) return wholeSlice(location, isVisible);
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
        isAtEnd = true;
        return readOneByOne(location, isVisible);
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

// A swap that hits one reading but not the looks around it succeeds about once in 100,000 tries.
const AGREEING_READINGS = 4;
const MAX_READINGS = 16;

/**
 * Opens a directory by its path, for systems where a descriptor cannot be listed. The path may lead elsewhere for just the
 * moment of a reading, so it is read several times, unless nothing was renamed on the way for a second.
 * @param look - what the looks at the path agree on, if it leads to the directory that is meant.
 * @returns undefined if the path, or what was read, was never the same for long enough.
 */
export function openAgreedSlices(
  open: () => DirectorySlices,
  look: () => Agreement | undefined,
): DirectorySlices | undefined {
  let lastNames: string | undefined;
  let agreeing = 0;
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const slices = open();
    let isKept = false;
    try {
      const first = slices.next(() => true);
      const agreement = look();
      if (agreement === undefined) return undefined;
      const names = first.map(({ name }) => name).join("/");
      agreeing = names === lastNames ? agreeing + 1 : 1;
      lastNames = names;
      isKept = agreement.isCertain || agreeing === AGREEING_READINGS;
      if (isKept) return startingWith(first, slices);
    } finally {
      if (!isKept) slices.close();
    }
  }
  return undefined;
}

function startingWith(first: readonly DirectoryEntry[], slices: DirectorySlices): DirectorySlices {
  let isFirst = true;
  return {
    next: (isDue) => {
      if (!isFirst) return slices.next(isDue);
      isFirst = false;
      return slices.isAtEnd() || isDue() ? [...first] : [...first, ...slices.next(isDue)];
    },
    isAtEnd: () => !isFirst && slices.isAtEnd(),
    close: () => {
      slices.close();
    },
  };
}

function wholeSlice(location: string, isVisible: EntryFilter): DirectorySlices {
  return {
    next: () => {
      try {
        const entries = readdirSync(location, { withFileTypes: true }).map(toEntry);
        return isVisible === everything ? entries : entries.filter(isVisible);
      } catch (error) {
        if (errnoCode(error) !== "ENOENT") throw error;
        return readOneByOne(location, isVisible);
      }
    },
    isAtEnd: () => true,
    close: () => undefined,
  };
}

/** For a file system without entry types: Node asks for each one, and fails for all if one has just vanished. */
function readOneByOne(location: string, isVisible: EntryFilter): DirectoryEntry[] {
  return readdirSync(location)
    .flatMap((name) => entryOf(`${location}/${name}`, name))
    .filter(isVisible);
}

function everything(): boolean {
  return true;
}

function entryOf(absolute: string, name: string): DirectoryEntry[] {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  return stats === undefined ? [] : [{ name, kind: entryKind(stats) }];
}

function toEntry(dirent: Dirent): DirectoryEntry {
  return { name: dirent.name, kind: entryKind(dirent) };
}

/** The kind of an entry, by its own type or status. */
export function entryKind(entry: Dirent | Stats | BigIntStats): DirectoryEntry["kind"] {
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "file";
}
