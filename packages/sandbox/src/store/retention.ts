import { lstatSync, unlinkSync } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { entryPath } from "../disk/descriptor.ts";
import { errnoCode } from "../errno.ts";
import { openSlices } from "../disk/listing.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { createPacer } from "../kit/pacer.ts";

/** What to remove. */
export interface RetentionRule {
  /** Only files with such a name are ours. */
  readonly name: RegExp;
  /** Only files last changed before this time. */
  readonly before: number;
}

/** Removes our old files from an open directory; what cannot be removed stays for the next time. */
export async function removeOld(boundary: Boundary, directory: OpenedDirectory, rule: RetentionRule): Promise<void> {
  const place = (name: string): string => entryPath(boundary, directory.path, directory.descriptor, name);
  const slices = attempt(() => openSlices(place("")));
  const pacer = createPacer();
  try {
    for (;;) {
      const entries = attempt(() => slices?.next(pacer.due));
      if (entries === undefined) return;
      for (const { name, kind } of entries) {
        if (kind === "file" && rule.name.test(name)) removeIfOld(place(name), rule.before);
        if (pacer.due()) await pacer.rest();
      }
    }
  } finally {
    slices?.close();
  }
}

function removeIfOld(path: string, before: number): void {
  attempt(() => {
    if (lstatSync(path).mtimeMs < before) unlinkSync(path);
  });
}

/** What was saved must not be lost because something old could not be removed. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return undefined;
  }
}
