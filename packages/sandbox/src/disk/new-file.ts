import { constants } from "node:fs";
import { open, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Boundary } from "./boundary.ts";
import { entryPath, expectInside, locate } from "./descriptor.ts";
import type { Place } from "../names/safe-path.ts";

const FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
const PRIVATE_FILE = 0o600;

/** A directory that was opened and verified. */
export interface OpenedDirectory {
  readonly path: Place;
  readonly descriptor: number;
}

/**
 * Writes a file that does not exist yet into an open directory; if it cannot be written whole, it is removed again.
 * Rejects with the system's error, EEXIST among them, or with a SandboxError.
 */
export async function writeNewFile(
  boundary: Boundary,
  directory: OpenedDirectory,
  name: string,
  chunks: Iterable<Uint8Array>,
): Promise<void> {
  const path = entryPath(boundary, directory.path, directory.descriptor, name);
  const file = await open(path, FLAGS, PRIVATE_FILE);
  try {
    try {
      const location = locate(boundary, file.fd, join(directory.path.absolute, name));
      expectInside(boundary, location ?? "", directory.path);
      await writeAll(file, chunks);
    } finally {
      // Some file systems report only now that the disk is full.
      await file.close();
    }
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Writes each chunk while the next one is being made. */
async function writeAll(file: FileHandle, chunks: Iterable<Uint8Array>): Promise<void> {
  let writing = Promise.resolve();
  try {
    for (const chunk of chunks) {
      await writing;
      writing = writeWhole(file, chunk);
    }
  } finally {
    await writing;
  }
}

async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written)).bytesWritten;
}
