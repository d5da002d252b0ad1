import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, futimesSync, openSync, readSync, unlinkSync } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { createPacer } from "../pacer.ts";
import { copyBytes, EXCLUSIVE, flush } from "../write/temporary-file.ts";

/** What files held, each content once, under its SHA-256. */
export interface Contents {
  /** Keeps what an open file holds, unless it is there already. */
  keep(hash: string, descriptor: number, durable: boolean): Promise<void>;
  /**
   * Copies a content into an empty file.
   * @throws DamagedContentError if it is not there, or is not what it was
   */
  copyTo(hash: string, descriptor: number): Promise<void>;
  /** @throws DamagedContentError */
  read(hash: string): Promise<Buffer>;
}

/** A content that was kept is gone, or is not what it was. */
export class DamagedContentError extends Error {
  override readonly name = "DamagedContentError";
}

const CHUNK_BYTES = 256 * 1024;
const PRIVATE_FILE = 0o600;

/** The contents in a directory that nobody else can write to. */
export function createContents(directory: string): Contents {
  // Two sets of this process may keep the same content at the same time.
  const underWay = new Map<string, Promise<void>>();
  const pathOf = (hash: string) => `${directory}/${hash}`;

  const write = async (hash: string, from: number, durable: boolean): Promise<void> => {
    const to = openSync(pathOf(hash), EXCLUSIVE, PRIVATE_FILE);
    try {
      await copyBytes(from, to);
      if (durable) await flush(to);
    } catch (error) {
      unlinkSync(pathOf(hash));
      throw error;
    } finally {
      closeSync(to);
    }
  };
  /** @returns false if there is none; one that is damaged is removed. */
  const reuse = async (hash: string, durable: boolean): Promise<boolean> => {
    const found = openKept(pathOf(hash));
    if (found === undefined) return false;
    try {
      if ((await hashOf(found)) === hash) {
        // So that it is not removed as old by somebody who does not know yet that it is needed.
        const soon = (Date.now() + 1) / 1000;
        futimesSync(found, soon, soon);
        if (durable) await flush(found);
        return true;
      }
      unlinkSync(pathOf(hash));
      return false;
    } finally {
      closeSync(found);
    }
  };
  const copyTo = async (hash: string, descriptor: number): Promise<void> => {
    const found = openKept(pathOf(hash));
    if (found === undefined) throw new DamagedContentError();
    try {
      const sum = await startSum();
      await copyBytes(found, descriptor, (bytes) => sum.update(bytes));
      if (sum.digest("hex") !== hash) throw new DamagedContentError();
    } finally {
      closeSync(found);
    }
  };

  return {
    keep: async (hash, descriptor, durable) => {
      while (underWay.has(hash)) await underWay.get(hash);
      const work = reuse(hash, durable).then((isThere) => (isThere ? undefined : write(hash, descriptor, durable)));
      underWay.set(
        hash,
        work.catch(() => undefined),
      );
      await work.finally(() => underWay.delete(hash));
    },
    copyTo,
    read: async (hash) => {
      const found = openKept(pathOf(hash));
      if (found === undefined) throw new DamagedContentError();
      try {
        const bytes = Buffer.allocUnsafe(fstatSync(found).size);
        let filled = 0;
        for (let count = -1; filled < bytes.length && count !== 0; filled += count) {
          count = readSync(found, bytes, filled, bytes.length - filled, filled);
        }
        const sum = await startSum();
        if (sum.update(bytes.subarray(0, filled)).digest("hex") !== hash) throw new DamagedContentError();
        return bytes;
      } finally {
        closeSync(found);
      }
    },
  };
}

/** The SHA-256 of an open file, in slices that do not block the event loop. */
export async function hashOf(descriptor: number): Promise<string> {
  const [sum, pacer] = [await startSum(), createPacer()];
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fstatSync(descriptor).size + 1));
  for (let at = 0; ;) {
    const count = readSync(descriptor, buffer, 0, buffer.length, at);
    if (count === 0) return sum.digest("hex");
    sum.update(buffer.subarray(0, count));
    at += count;
    if (pacer.due()) await pacer.rest();
  }
}

/** Loaded on use. */
async function startSum() {
  const { createHash } = await import("node:crypto");
  return createHash("sha256");
}

function openKept(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | GUARDED);
  } catch (error) {
    if (errnoCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
