import { closeSync, lstatSync, opendirSync, readdirSync, statfsSync } from "node:fs";
import type { BigIntStats, Dirent, Stats } from "node:fs";
import type { Place, SafePath } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import type { Boundary } from "./boundary.ts";
import { openVerified, type VerifiedDescriptor } from "./open.ts";
import { errnoCode, fsError } from "./errno.ts";
import type { DirectoryEntry, DirectorySlices } from "./verifier.ts";

/** Lists a directory in batches, without blocking the event loop. @throws SandboxError, or the signal's reason */
export async function* readDirectory(
  boundary: Boundary,
  place: Place,
  signal?: AbortSignal,
): AsyncGenerator<readonly DirectoryEntry[]> {
  signal?.throwIfAborted();
  const directory = openDirectory(boundary, place);
  try {
    const pacer = createPacer(signal);
    for (;;) {
      yield directory.next(pacer.due);
      signal?.throwIfAborted();
      if (directory.isAtEnd()) return;
      await pacer.rest();
    }
  } finally {
    directory.close();
  }
}

/** The first entries of a directory: as many as are read before `isDue` returns true. */
export function peekDirectory(boundary: Boundary, place: Place, isDue: () => boolean): readonly DirectoryEntry[] {
  const directory = openDirectory(boundary, place);
  try {
    return directory.next(isDue);
  } finally {
    directory.close();
  }
}

/** A directory that is open for listing; the caller that opened it closes it. */
export interface SandboxDirectory<Path extends Place = SafePath> {
  readonly path: Path;
  /** The next entries, without denied ones: read until `isDue` says to pause, or to the end. @throws SandboxError */
  next(isDue: () => boolean): readonly DirectoryEntry[];
  /** Whether everything has been read. */
  isAtEnd(): boolean;
  /** Whether it is the list of several roots, all of which are shown. */
  readonly isList: boolean;
  /** What is at a name in it, without following a link: "missing" also if it is denied. @throws SandboxError */
  look(name: string): ReturnType<typeof statusOf>;
  close(): void;
}

/** Opens a directory through a descriptor that is known to lead inside the sandbox. @throws SandboxError */
export function openDirectory<Path extends Place>(
  boundary: Boundary,
  place: Path,
  verified?: VerifiedDescriptor,
): SandboxDirectory<Path> {
  if (boundary.paths.isList(place.relative)) return listOfRoots(boundary, place);
  const { descriptor, relative, stats } = verified ?? openVerified(boundary, place, "directory");
  const isVisible = visibleIn(boundary, relative);
  const open = () => boundary.verifier.list(place, descriptor, (location) => openSlices(location, isVisible, stats));
  let slices: DirectorySlices | undefined;
  return {
    path: place,
    isList: false,
    next: (isDue) => attempt(place, () => (slices ??= open()).next(isDue)),
    isAtEnd: () => slices?.isAtEnd() === true,
    look: (name) => {
      if (boundary.deny.names(relative, name)) return "missing";
      return statusOf(attempt(place, () => boundary.verifier.lstatEntry(place, descriptor, name)));
    },
    close: () => {
      slices?.close();
      closeSync(descriptor);
    },
  };
}

function listOfRoots<Path extends Place>({ tops, paths, verifier }: Boundary, place: Path): SandboxDirectory<Path> {
  const entries = tops.map(({ path: name }): DirectoryEntry => ({ name, kind: "directory" }));
  return {
    path: place,
    isList: true,
    next: () => entries.splice(0),
    isAtEnd: () => entries.length === 0,
    look: (name) => {
      const root = paths.place(name);
      return statusOf(attempt(root, () => verifier.throughParent(root, (location) => lstatSync(location))));
    },
    close: () => undefined,
  };
}

function attempt<Result>({ relative }: Place, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw fsError(error, relative);
  }
}

function statusOf(seen: { readonly result: Stats | BigIntStats | undefined } | undefined) {
  if (seen === undefined) return "unknown";
  if (seen.result === undefined) return "missing";
  const { size, mtimeMs } = seen.result;
  return { kind: entryKind(seen.result), size: Number(size), mtimeMs: Number(mtimeMs) };
}

/** Leaves out what the host's rules deny in the relative directory `directory`; undefined if there are no rules. */
export function visibleIn({ deny }: Boundary, directory: string): EntryFilter | undefined {
  return deny.isEmpty ? undefined : ({ name }) => !deny.names(directory, name);
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
