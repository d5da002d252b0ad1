import { closeSync, mkdirSync, rmdirSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { joinRelative, parentOf } from "../names/safe-path.ts";
import { openVerified } from "../disk/descriptor.ts";
import { errnoCode } from "../disk/errno.ts";
import { flushDirectory } from "./temporary-file.ts";

/**
 * Makes the directories `names` below the relative directory `nearest`, each inside a verified one.
 * Returns those that it made, outermost first.
 * @throws SandboxError or the system's error, after what it made was removed again.
 */
export function makeParents(boundary: Boundary, nearest: string, names: readonly string[], mode?: number): string[] {
  const made: string[] = [];
  let parent = nearest;
  try {
    for (const name of names) {
      const relative = joinRelative(parent, name);
      if (withinDirectory(boundary, parent, name, (path) => makeDirectory(path, mode))) made.push(relative);
      parent = relative;
    }
    return made;
  } catch (error) {
    removeParents(boundary, made);
    throw error;
  }
}

/** Waits until the new directories are on the disk: each is an entry of the one above it. */
export async function flushParents(boundary: Boundary, made: readonly string[]): Promise<void> {
  for (const relative of made) {
    const [parent] = parentOf(relative);
    try {
      const { descriptor } = openVerified(boundary, boundary.paths.place(parent), "directory");
      await flushDirectory(descriptor).finally(() => {
        closeSync(descriptor);
      });
    } catch {
      // The change is made; that its directory cannot be opened any more does not undo it.
    }
  }
}

/** Removes directories that were made for nothing, those that are still empty. */
export function removeParents(boundary: Boundary, made: readonly string[]): void {
  // Each is tried again, as a disk may fail for a moment.
  for (const relative of made.toReversed().flatMap((one) => [one, one])) {
    try {
      withinDirectory(boundary, ...parentOf(relative), rmdirSync);
    } catch {
      // It is in use by now, or gone; either way it is not ours any more.
    }
  }
}

function makeDirectory(path: string, mode?: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // What is there is verified when the next name is created in it.
    if (errnoCode(error) === "EEXIST") return false;
    throw error;
  }
}

function withinDirectory<Result>(
  boundary: Boundary,
  parent: string,
  name: string,
  work: (path: string) => Result,
): Result {
  const directory = boundary.paths.place(parent);
  const { descriptor } = openVerified(boundary, directory, "directory");
  try {
    return work(boundary.verifier.entryPath(directory, descriptor, name));
  } finally {
    closeSync(descriptor);
  }
}
