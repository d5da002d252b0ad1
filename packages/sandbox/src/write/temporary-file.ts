import { Buffer } from "node:buffer";
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  read,
  unlinkSync,
  write,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { promisify } from "node:util";
import type { HeldDirectory } from "./held-directory.ts";

/** A whole new file beside the one that it will become. */
export interface TemporaryFile {
  readonly name: string;
  /** A path that leads to it in the verified directory. */
  readonly path: string;
  /** Waits until its content is on the disk. */
  flush(): Promise<void>;
  /** Also when it has another name by now. */
  status(): BigIntStats;
  /** Removes its name, if it has another one by now. */
  removeName(): void;
  /** It has become something else, or shall stay. */
  keep(): void;
  /** Closes it, and removes it unless it is kept. */
  release(): Promise<void>;
}

/** What is written. */
export interface NewContent {
  readonly bytes: Uint8Array;
  /** Exactly this mode. */
  readonly mode?: number | undefined;
  /**
   * Otherwise this one, less the umask.
   * @default 0o666
   */
  readonly newMode?: number | undefined;
}

/** Creates a file that nobody else creates, through no link. */
export const EXCLUSIVE = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
// Up to this size one synchronous write is faster than a thread of the pool, and too short to be noticed.
const SMALL_BYTES = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);

const readAsync = promisify(read);
const writeAsync = promisify(write);
const fsyncAsync = promisify(fsync);

/**
 * Writes a new file into a verified directory.
 * @throws StaleTargetError if the directory is not where it was; else the system's error. Then the file is gone again.
 */
export async function writeTemporaryFile(
  directory: HeldDirectory,
  name: string,
  { bytes, mode, newMode = 0o666 }: NewContent,
): Promise<TemporaryFile> {
  const path = directory.entry(name);
  // Private until it is whole and has the mode of the old file; a new file gets its final mode, by the umask, at once.
  const descriptor = openSync(path, EXCLUSIVE, mode === undefined ? newMode : 0o600);
  let isKept = false;
  const file: TemporaryFile = {
    name,
    path,
    flush: () => fsyncAsync(descriptor),
    status: () => fstatSync(descriptor, { bigint: true }),
    removeName: () => {
      try {
        unlinkSync(path);
        isKept = true;
      } catch {
        // It is tried again when the file is released.
      }
    },
    keep: () => {
      isKept = true;
    },
    release: async () => {
      const stats = isKept ? undefined : file.status();
      closeSync(descriptor);
      if (stats !== undefined) await directory.remove(name, stats);
    },
  };
  try {
    directory.expectEntry(descriptor, name);
    await writeWhole(descriptor, bytes);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    return file;
  } catch (error) {
    await file.release();
    throw error;
  }
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
      ftruncateSync(to, at);
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
