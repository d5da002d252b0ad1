import { closeSync, constants, fchmodSync, fsync, openSync, unlinkSync, write, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Boundary } from "../disk/boundary.ts";
import { entryPath } from "../disk/descriptor.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { StaleTargetError, TornFileError } from "./write-error.ts";

/** A whole new file beside the one that it will become. */
export interface TemporaryFile {
  readonly descriptor: number;
  /** A path that leads to it in the verified directory. */
  readonly path: string;
  readonly name: string;
}

const FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
// Up to this size one synchronous write is faster than a thread of the pool, and too short to be noticed.
const SMALL_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;

const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);

/**
 * Writes `bytes` into a new file of random name in an open directory, passes it to `work`, and removes it afterwards,
 * unless `work` says that it has become something else.
 * @throws StaleTargetError if the directory is not where it was.
 */
export async function withTemporaryFile<Result extends { readonly keepsTemporary: boolean }>(
  boundary: Boundary,
  directory: OpenedDirectory,
  {
    bytes,
    mode,
    durable,
  }: { readonly bytes: Uint8Array; readonly mode: number | undefined; readonly durable: boolean },
  work: (file: TemporaryFile) => Promise<Result>,
): Promise<Result> {
  // The end of a UUID is as good as random bytes, and Node keeps some of those ready. The global loads its module on use.
  const name = `.fstools-${crypto.randomUUID().replaceAll("-", "").slice(-16)}.tmp`;
  const path = entryPath(boundary, directory.path, directory.descriptor, name);
  // Private until it is whole and has the mode of the old file; a new file gets its final mode, by the umask, at once.
  const descriptor = openSync(path, FLAGS, mode === undefined ? 0o666 : 0o600);
  let isOurs = true;
  try {
    if (!isInPlace(boundary, directory, descriptor, name)) throw new StaleTargetError();
    await writeWhole(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    // Before it gets its name: otherwise a crash could leave the name without its content.
    if (durable) await fsyncAsync(descriptor);
    const result = await work({ descriptor, path, name });
    isOurs = !result.keepsTemporary;
    return result;
  } catch (error) {
    isOurs = !(error instanceof TornFileError);
    throw error;
  } finally {
    closeSync(descriptor);
    if (isOurs) removeQuietly(path);
  }
}

/**
 * Whether what was just created lies where its directory should be. With `/proc` it was created in the open directory,
 * so that is asked: the path of the file itself may be too long for the system to tell.
 */
function isInPlace({ verifier }: Boundary, directory: OpenedDirectory, descriptor: number, name: string): boolean {
  const { absolute } = directory.path;
  const [asked, expected] =
    verifier.verification === "descriptor" ? [directory.descriptor, absolute] : [descriptor, join(absolute, name)];
  return verifier.locate(asked, expected) === expected;
}

/** Writes all bytes from the start of an open file on. */
export async function writeWhole(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = Math.min(CHUNK_BYTES, bytes.length - written);
    written +=
      bytes.length <= SMALL_BYTES
        ? writeSync(descriptor, bytes, written, length, written)
        : (await writeAsync(descriptor, bytes, written, length, written)).bytesWritten;
  }
}

/** Waits until what was written is on the disk. */
export async function flush(descriptor: number): Promise<void> {
  await fsyncAsync(descriptor);
}

/** Waits until the names in a directory are on the disk. */
export async function flushDirectory(descriptor: number): Promise<void> {
  try {
    await fsyncAsync(descriptor);
  } catch {
    // The file is there, whole. Not every system can flush a directory; then a power cut may bring the old file back.
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is already gone; or the directory is, and the error being thrown says so.
  }
}
