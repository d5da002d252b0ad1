import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Boundary } from "../disk/boundary.ts";
import { openVerified } from "../disk/open.ts";
import { errnoCode } from "../disk/errno.ts";
import { joinRelative, parentOf, type Place } from "../names/safe-path.ts";
import { StaleTargetError } from "./write-error.ts";

/** A verified directory that is held open while its entries change. */
export interface HeldDirectory {
  readonly path: Place;
  readonly descriptor: number;
  /** The path of an entry: where the system can, one that cannot be redirected. */
  entry(name: string): string;
  /** @throws StaleTargetError if the directory is no longer where it was */
  expectInPlace(): void;
  /**
   * Makes sure that what was just opened or created as an entry lies where the directory should be. With `/proc` that was
   * done through the open directory, so it is the one that is asked: an entry's path may be too long for the system.
   * @throws StaleTargetError
   */
  expectEntry(descriptor: number, name: string): void;
  readonly close: () => void;
}

/** An entry of a verified directory. */
export interface HeldEntry {
  readonly boundary: Boundary;
  readonly directory: HeldDirectory;
  readonly name: string;
}

/** What tells a file from all others. */
export type FileIdentity = Pick<fs.BigIntStats, "dev" | "ino">;

/** Creates a file that nobody else creates, through no link. */
export const EXCLUSIVE = fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW | fs.constants.O_WRONLY;
// Up to this size one synchronous write is faster than a thread of the pool, and too short to be noticed.
const SMALL_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

const readAsync = promisify(fs.read);
const writeAsync = promisify(fs.write);

/** Waits until what was written is on the disk. */
export const flush: (descriptor: number) => Promise<void> = promisify(fs.fsync);

/**
 * Opens a directory to change what is in it.
 * @throws SandboxError, or StaleTargetError if it is not at exactly this place
 */
export function holdDirectory(boundary: Boundary, path: Place): HeldDirectory {
  const { verifier } = boundary;
  const { descriptor, relative } = openVerified(boundary, path, "directory");
  const expectAt = (opened: number, absolute: string): void => {
    if (verifier.locate(opened, absolute) !== absolute) throw new StaleTargetError();
  };
  // Without `/proc` a path leads elsewhere while somebody swaps its directory, perhaps only for a moment.
  const isCertain = verifier.verification === "descriptor";
  const held: HeldDirectory = {
    path,
    descriptor,
    entry: (name) => verifier.entryPath(path, descriptor, name),
    expectInPlace: () => {
      expectAt(descriptor, path.absolute);
    },
    expectEntry: (opened, name) => {
      if (isCertain) held.expectInPlace();
      else expectAt(opened, join(path.absolute, name));
    },
    close: () => {
      fs.closeSync(descriptor);
    },
  };
  if (relative === path.relative) return held;
  held.close();
  throw new StaleTargetError();
}

/** Does something with an entry whose directory is held meanwhile. */
export async function withEntry<Result>(
  boundary: Boundary,
  relative: string,
  work: (entry: HeldEntry) => Promise<Result>,
): Promise<Result> {
  const [parent, name] = parentOf(relative);
  const directory = holdDirectory(boundary, boundary.paths.place(parent));
  return work({ boundary, directory, name }).finally(() => {
    directory.close();
  });
}

/** Whether two looks saw the same file. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/**
 * Makes the directories `names` below the relative directory `nearest`, each inside a verified one.
 * Returns those that it made, outermost first.
 * @throws SandboxError, StaleTargetError or the system's error, after what it made was removed again.
 */
export function makeParents(boundary: Boundary, nearest: string, names: readonly string[], mode?: number): string[] {
  const made: string[] = [];
  let parent = nearest;
  try {
    for (const name of names) {
      parent = joinRelative(parent, name);
      if (inDirectory(boundary, parent, (path) => makeDirectory(path, mode))) made.push(parent);
    }
    return made;
  } catch (error) {
    removeParents(boundary, made);
    throw error;
  }
}

/** Waits until new directories are on the disk: each is an entry of the one above it. */
export async function flushParents(boundary: Boundary, made: readonly string[]): Promise<void> {
  for (const relative of made) {
    // The change is made; that its directory cannot be opened any more does not undo it.
    await withEntry(boundary, relative, ({ directory }) => flushDirectory(directory.descriptor)).catch(() => undefined);
  }
}

/** Removes directories that were made for nothing, those that are still empty. */
export function removeParents(boundary: Boundary, made: readonly string[]): void {
  // Each is tried again, as a disk may fail for a moment.
  for (const relative of made.toReversed().flatMap((one) => [one, one])) {
    try {
      inDirectory(boundary, relative, fs.rmdirSync);
    } catch {
      // It is in use by now, or gone; either way it is not ours any more.
    }
  }
}

function makeDirectory(path: string, mode: number | undefined): boolean {
  try {
    fs.mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // What is there is verified when the next name is created in it.
    if (errnoCode(error) === "EEXIST") return false;
    throw error;
  }
}

function inDirectory<Result>(boundary: Boundary, relative: string, work: (path: string) => Result): Result {
  const [parent, name] = parentOf(relative);
  const directory = holdDirectory(boundary, boundary.paths.place(parent));
  try {
    return work(directory.entry(name));
  } finally {
    directory.close();
  }
}

/** Waits until the names in a directory are on the disk. */
export async function flushDirectory(descriptor: number): Promise<void> {
  // The file is there, whole. Not every system can flush a directory; then a power cut may bring the old file back.
  await flush(descriptor).catch(() => undefined);
}

/** Writes all bytes from the start of an open file on. */
export async function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = Math.min(CHUNK_BYTES, bytes.length - written);
    written +=
      bytes.length <= SMALL_BYTES
        ? fs.writeSync(descriptor, bytes, written, length, written)
        : (await writeAsync(descriptor, bytes, written, length, written)).bytesWritten;
  }
}

/**
 * Copies all bytes of an open file to an empty one, in slices that do not block the event loop; what is all zeros becomes a
 * hole.
 * @param see - is shown every slice
 */
export async function copyBytes(from: number, to: number, see?: (bytes: Buffer) => void): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ;) {
    const { bytesRead } = await readAsync(from, buffer, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) {
      fs.ftruncateSync(to, at);
      return;
    }
    see?.(buffer.subarray(0, bytesRead));
    const isHole = bytesRead === CHUNK_BYTES && buffer[0] === 0 && buffer.equals(ZEROS);
    for (let written = isHole ? bytesRead : 0; written < bytesRead;) {
      written += (await writeAsync(to, buffer, written, bytesRead - written, at + written)).bytesWritten;
    }
    at += bytesRead;
  }
}
