import { constants } from "node:fs";
import { open, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Boundary } from "./boundary.ts";
import { expectInside } from "./descriptor.ts";
import type { Place } from "../names/safe-path.ts";

const FLAGS = constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY;
const PRIVATE_FILE = 0o600;

/** A directory that was opened and verified. */
export interface OpenedDirectory {
  readonly path: Place;
  readonly descriptor: number;
}

/** Writes a new file into an open directory, whole or not at all; rejects with the system's error or a SandboxError. */
export async function writeNewFile(
  boundary: Boundary,
  directory: OpenedDirectory,
  name: string,
  chunks: Iterable<Uint8Array>,
): Promise<void> {
  const path = boundary.verifier.entryPath(directory.path, directory.descriptor, name);
  const file = await open(path, FLAGS, PRIVATE_FILE);
  try {
    try {
      const location = boundary.verifier.locate(file.fd, join(directory.path.absolute, name));
      expectInside(boundary, location ?? "", directory.path);
      await writeFile(file, chunks);
    } finally {
      // Some file systems report only now that the disk is full.
      await file.close();
    }
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  }
}
