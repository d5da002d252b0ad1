import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, type BigIntStats } from "node:fs";
import { Buffer } from "node:buffer";
import type { Boundary } from "../disk/boundary.ts";
import { locate } from "../disk/descriptor.ts";
import { GUARDED } from "../disk/verifier.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import { flush, writeWhole } from "./temporary-file.ts";
import { StaleTargetError, TornFileError } from "./write-error.ts";

/** A file to be written in place. */
export interface Overwriting {
  /** A path that leads to it in the verified directory. */
  readonly target: string;
  /** Where it must really be. */
  readonly absolute: string;
  /** Its status a moment ago. */
  readonly old: BigIntStats;
  readonly bytes: Uint8Array;
  readonly durable: boolean;
  /** The name of the file beside it that holds the new bytes. */
  readonly copy: string;
}

/**
 * Writes into an existing file; a failure on the way is undone.
 * @throws StaleTargetError, TornFileError if it could not be undone, or the system's error
 */
export async function overwriteFile(boundary: Boundary, file: Overwriting): Promise<FileVersion> {
  const descriptor = openSync(file.target, constants.O_RDWR | GUARDED);
  try {
    const now = fstatSync(descriptor, { bigint: true });
    // Not by inode: on an overlay the file may get another one when it is opened for writing.
    const isSame = now.isFile() && now.size === file.old.size && now.mtimeNs === file.old.mtimeNs;
    if (!isSame || locate(boundary, descriptor, file.absolute) !== file.absolute) throw new StaleTargetError();
    const before = readWhole(descriptor, Number(now.size));
    try {
      await writeAndCut(descriptor, file.bytes, file.durable);
    } catch (error) {
      await undo(descriptor, before, file, error);
      throw error;
    }
    return versionOf(fstatSync(descriptor, { bigint: true }));
  } finally {
    closeSync(descriptor);
  }
}

async function undo(descriptor: number, before: Uint8Array, file: Overwriting, error: unknown): Promise<void> {
  try {
    await writeAndCut(descriptor, before, file.durable);
  } catch {
    throw new TornFileError(file.copy, error);
  }
}

async function writeAndCut(descriptor: number, bytes: Uint8Array, durable: boolean): Promise<void> {
  await writeWhole(descriptor, bytes);
  ftruncateSync(descriptor, bytes.length);
  if (durable) await flush(descriptor);
}

function readWhole(descriptor: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) throw new StaleTargetError();
    filled += count;
  }
  return bytes;
}
