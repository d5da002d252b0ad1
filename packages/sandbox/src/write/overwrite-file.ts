import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, type BigIntStats } from "node:fs";
import { GUARDED } from "../disk/verifier.ts";
import type { HeldDirectory } from "./held-directory.ts";
import { flush, writeWhole } from "./temporary-file.ts";
import { StaleTargetError, TornFileError } from "./write-error.ts";

/** What to write into an existing file. */
export interface Overwriting {
  readonly bytes: Uint8Array;
  /** Its status a moment ago. */
  readonly old: BigIntStats;
  readonly durable: boolean;
  /** The name of the file beside it that holds the new bytes. */
  readonly copy: string;
}

/**
 * Writes into an existing file; a failure on the way is undone.
 * @throws StaleTargetError, TornFileError if it could not be undone, or the system's error
 */
export async function overwriteFile(
  directory: HeldDirectory,
  name: string,
  { bytes, old, durable, copy }: Overwriting,
): Promise<{ readonly status: BigIntStats; readonly before: Buffer }> {
  const descriptor = openSync(directory.entry(name), constants.O_RDWR | GUARDED);
  try {
    const now = fstatSync(descriptor, { bigint: true });
    // Not by inode: on an overlay the file may get another one when it is opened for writing.
    if (!now.isFile() || now.size !== old.size || now.mtimeNs !== old.mtimeNs) throw new StaleTargetError();
    directory.expectEntry(descriptor, name);
    const before = readWhole(descriptor, Number(now.size));
    try {
      await writeAndCut(descriptor, bytes, durable);
    } catch (error) {
      await writeAndCut(descriptor, before, durable).catch(() => {
        throw new TornFileError(copy, error);
      });
      throw error;
    }
    return { status: fstatSync(descriptor, { bigint: true }), before };
  } finally {
    closeSync(descriptor);
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
