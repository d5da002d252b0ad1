import { lstatSync, unlinkSync } from "node:fs";
import { entryPath } from "../disk/descriptor.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { errnoCode } from "../errno.ts";
import type { Boundary } from "../path/boundary.ts";
import { keepOutputs } from "./output-list.ts";

/** Removes what the store made and last changed before a time; what cannot be removed stays for the next time. */
export function removeOld(boundary: Boundary, directory: OpenedDirectory, before: number): void {
  keepOutputs(boundary, directory, (name) => {
    const path = entryPath(boundary, directory.path, directory.descriptor, name);
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) return false;
      if (stats.mtimeMs >= before) return true;
      unlinkSync(path);
      return false;
    } catch (error) {
      if (errnoCode(error) === undefined) throw error;
      return true;
    }
  });
}
