import { closeSync } from "node:fs";
import type { Boundary } from "./boundary.ts";
import { agreedPlace, entryPath, openVerified, type VerifiedDescriptor } from "./descriptor.ts";
import { SandboxError } from "../error.ts";
import { fsError } from "./errno.ts";
import { openAgreedSlices, openSlices, visibleIn, type DirectoryEntry } from "./listing.ts";
import { createPacer } from "../pacer.ts";
import type { Place, SafePath } from "../names/safe-path.ts";

/**
 * Lists a directory through a verified descriptor, in batches, without blocking the event loop.
 * @throws SandboxError, or the signal's reason.
 */
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
  /**
   * The next entries, without denied ones: read until `isDue` says to pause, or to the end.
   * @throws SandboxError
   */
  next(isDue: () => boolean): readonly DirectoryEntry[];
  /** Whether everything has been read. */
  isAtEnd(): boolean;
  close(): void;
}

/**
 * Opens a directory through a descriptor that is known to lead inside the sandbox.
 * @throws SandboxError
 */
export function openDirectory<Path extends Place>(
  boundary: Boundary,
  place: Path,
  { descriptor, relative, stats }: VerifiedDescriptor = openVerified(boundary, place, "directory"),
): SandboxDirectory<Path> {
  const lostRace = () => new SandboxError({ reason: "outside", path: place.relative });
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw fsError(error, place.relative);
    }
  };
  try {
    const location = entryPath(boundary, place, descriptor, "");
    const open = () => openSlices(location, visibleIn(boundary, relative), stats);
    const look = () => agreedPlace(boundary, descriptor, place.absolute);
    const slices = attempt(() => (boundary.usesProc ? open() : openAgreedSlices(open, look)));
    if (slices === undefined) throw lostRace();
    return {
      path: place,
      next: (isDue) => {
        const entries = attempt(() => slices.next(isDue));
        // What was listed by path counts only while the path still leads to the verified directory.
        if (!boundary.usesProc && look() === undefined) throw lostRace();
        return entries;
      },
      isAtEnd: () => slices.isAtEnd(),
      close: () => {
        slices.close();
        closeSync(descriptor);
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
