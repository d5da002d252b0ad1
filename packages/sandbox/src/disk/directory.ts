import { closeSync, lstatSync, type BigIntStats, type Stats } from "node:fs";
import { type Place, type SafePath } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import type { Boundary } from "./boundary.ts";
import { openVerified, type VerifiedDescriptor } from "./descriptor.ts";
import { fsError } from "./errno.ts";
import { entryKind, openSlices, type DirectoryEntry, type DirectorySlices, type EntryFilter } from "./listing.ts";

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
