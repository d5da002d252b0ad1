import { closeSync, mkdirSync, rmdirSync } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { joinRelative } from "../path/relative-path.ts";
import { entryPath, openVerified } from "../disk/descriptor.ts";
import { errnoCode } from "../errno.ts";

/**
 * Makes the directories `names` below the relative directory `nearest`, each in one that was verified.
 * Returns those that it made, outermost first.
 * @throws SandboxError or the system's error, after what it made was removed again.
 */
export function makeParents(boundary: Boundary, nearest: string, names: readonly string[]): string[] {
  const made: string[] = [];
  let parent = nearest;
  try {
    for (const name of names) {
      const relative = joinRelative(parent, name);
      if (withinDirectory(boundary, parent, name, makeDirectory)) made.push(relative);
      parent = relative;
    }
    return made;
  } catch (error) {
    removeParents(boundary, made);
    throw error;
  }
}

/** Removes directories that were made in vain, as far as they are still empty. */
export function removeParents(boundary: Boundary, made: readonly string[]): void {
  for (const relative of made.toReversed()) {
    const at = relative.lastIndexOf("/");
    try {
      withinDirectory(boundary, relative.slice(0, Math.max(at, 0)) || ".", relative.slice(at + 1), rmdirSync);
    } catch {
      // Somebody uses it by now, or it is gone; either way it is not ours any more.
      return;
    }
  }
}

function makeDirectory(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    // What is there is verified when the next name is made in it.
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
    return work(entryPath(boundary, directory, descriptor, name));
  } finally {
    closeSync(descriptor);
  }
}
