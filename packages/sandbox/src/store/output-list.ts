import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { entryPath, locate } from "../disk/descriptor.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { errnoCode } from "../disk/errno.ts";
import type { Boundary } from "../disk/boundary.ts";
import { OUTPUT_NAME } from "./output-name.ts";

/** Where a store notes, in its own directory, which files it made. */
export const LIST_NAME = ".fstools-outputs";

const PRIVATE_FILE = 0o600;
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
// A million names: far more than a store makes before it removes the old ones.
const MAX_LIST_BYTES = 64 * 1024 * 1024;

/** Adds a name; if the list is not ours, or cannot be written, the file is just never removed. */
export function noteOutput(boundary: Boundary, directory: OpenedDirectory, name: string): void {
  withList(boundary, directory, (descriptor) => {
    // The name before may have been written in part only.
    writeFileSync(descriptor, `\n${name}\n`);
  });
}

/** Removes what is on the list and was last changed before a time; what cannot be removed stays for the next time. */
export function removeOutputs(boundary: Boundary, directory: OpenedDirectory, before: number): void {
  withList(boundary, directory, (descriptor) => {
    const names = readFileSync(descriptor, "utf8").split("\n");
    const place = (name: string): string => entryPath(boundary, directory.path, directory.descriptor, name);
    const kept = names.filter((name) => OUTPUT_NAME.test(name) && isKept(place(name), before));
    ftruncateSync(descriptor, 0);
    writeFileSync(descriptor, kept.map((name) => `${name}\n`).join(""));
  });
}

function isKept(path: string, before: number): boolean {
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
}

function withList(boundary: Boundary, directory: OpenedDirectory, work: (descriptor: number) => void): void {
  try {
    const place = entryPath(boundary, directory.path, directory.descriptor, LIST_NAME);
    const descriptor = openSync(place, FLAGS, PRIVATE_FILE);
    try {
      const absolute = join(directory.path.absolute, LIST_NAME);
      if (isOurs(descriptor) && locate(boundary, descriptor, absolute) === absolute) work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
  }
}

/** A repository can contain such a list, but git cannot store mode 0600; Windows has no such modes and owners. */
function isOurs(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  const isPrivate = (stats.mode & 0o777) === PRIVATE_FILE && stats.uid === process.getuid?.();
  return stats.isFile() && stats.nlink === 1 && isPrivate && stats.size <= MAX_LIST_BYTES;
}
