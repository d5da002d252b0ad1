import { closeSync, type BigIntStats } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { entryPath, expectInside, locate, openVerified } from "./descriptor.ts";
import { fsError } from "../errno.ts";
import { isSmall, openSlices, readAll, visibleIn, type DirectoryEntry, type EntryFilter } from "./listing.ts";
import { createPacer } from "../kit/pacer.ts";
import type { SafePath } from "../path/safe-path.ts";

/**
 * Lists a directory through a verified descriptor, in batches, without holding the event loop.
 * @throws SandboxError, or the signal's reason.
 */
export async function* readDirectory(
  boundary: Boundary,
  path: SafePath,
  signal?: AbortSignal,
): AsyncGenerator<readonly DirectoryEntry[]> {
  signal?.throwIfAborted();
  const directory = openDirectory(boundary, path);
  try {
    if (isSmall(directory.stats)) yield directory.release(directory.attempt(readAll));
    else yield* readInSlices(directory, signal);
  } finally {
    directory.close();
  }
}

/** The first entries of a directory, as many as can be read until `isDue`. */
export function peekDirectory(boundary: Boundary, path: SafePath, isDue: () => boolean): readonly DirectoryEntry[] {
  const directory = openDirectory(boundary, path);
  try {
    const slices = directory.attempt(openSlices);
    try {
      return directory.release(directory.attempt(() => slices.next(isDue)) ?? []);
    } finally {
      slices.close();
    }
  } finally {
    directory.close();
  }
}

interface OpenDirectory {
  readonly stats: BigIntStats;
  /** Does something with the directory, given a path that leads to it and what may be seen there. */
  attempt<Result>(work: (location: string, isVisible: EntryFilter) => Result): Result;
  /** Lets through what was listed. */
  release(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[];
  close(): void;
}

function openDirectory(boundary: Boundary, path: SafePath): OpenDirectory {
  const { descriptor, stats, relative } = openVerified(boundary, path, "directory");
  const location = entryPath(boundary, path, descriptor, "");
  const isVisible = visibleIn(boundary, relative);
  return {
    stats,
    attempt: (work) => {
      try {
        return work(location, isVisible);
      } catch (error) {
        throw fsError(error, path.relative);
      }
    },
    release: (entries) => {
      // What was listed by path counts only if the path still leads to the directory that was verified.
      if (!boundary.usesProc) expectInside(boundary, locate(boundary, descriptor, path.absolute) ?? "", path);
      return entries;
    },
    close: () => {
      closeSync(descriptor);
    },
  };
}

async function* readInSlices(
  directory: OpenDirectory,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly DirectoryEntry[]> {
  const slices = directory.attempt(openSlices);
  try {
    const pacer = createPacer(signal);
    for (;;) {
      const entries = directory.attempt(() => slices.next(pacer.due));
      if (entries === undefined) return;
      yield directory.release(entries);
      await pacer.rest();
    }
  } finally {
    slices.close();
  }
}
