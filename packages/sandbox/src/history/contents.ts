import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { createPacer } from "../pacer.ts";
import { all } from "../write/change-set.ts";
import { copyBytes, EXCLUSIVE, flush } from "../write/held-directory.ts";
import { isId, timeOf } from "./log.ts";

/** What files held, each content once, under its SHA-256. */
export interface Contents {
  /** Keeps what an open file holds, for a change that began then. */
  keep(hash: string, descriptor: number, beganMs: number): Promise<void>;
  /** Waits until contents, and all names in the directory, are on the disk. */
  flush(hashes: readonly string[]): Promise<void>;
  /** Copies a content into an empty file; false if it is gone, or is not what it was. */
  copyTo(hash: string, descriptor: number): Promise<boolean>;
  /** Undefined if it is gone, or is not what it was. */
  read(hash: string): Promise<Buffer | undefined>;
}

/** Makes room for a change by removing the oldest, but none that began at this time or later. */
export type MakeRoom = (bytes: number, before?: number) => Promise<void>;

/** How much a history may keep. */
interface Bounds {
  /** The one with what is open and the contents, and the one with what is done. */
  readonly directories: readonly [kept: string, done: string];
  readonly maxBytes: number;
  readonly retentionMs: number;
}

const CHUNK_BYTES = 256 * 1024;
const PRIVATE_FILE = 0o600;
const MAX_OPEN = 64;
const CHECK_MS = 3_600_000;

/** The contents in a directory that nobody else can write to. */
export function createContents(directory: string): Contents {
  // Two sets of this process may keep the same content at the same time.
  const underWay = new Map<string, Promise<unknown>>();
  const open = (hash: string): number | undefined => {
    try {
      return openSync(`${directory}/${hash}`, constants.O_RDWR | GUARDED);
    } catch (error) {
      if (errnoCode(error) === "ENOENT") return undefined;
      throw error;
    }
  };
  const use = async <Result>(hash: string, work: (found: number) => Promise<Result>): Promise<Result | undefined> => {
    const found = open(hash);
    if (found === undefined) return undefined;
    return work(found).finally(() => {
      closeSync(found);
    });
  };

  const keep: Contents["keep"] = async (hash, from, beganMs) => {
    const path = `${directory}/${hash}`;
    let found = open(hash);
    if (found !== undefined && (await hashOf(found)) !== hash) {
      closeSync(found);
      unlinkSync(path);
      found = undefined;
    }
    const isNew = found === undefined;
    const to = found ?? openSync(path, EXCLUSIVE, PRIVATE_FILE);
    try {
      // A thread of the pool would take longer.
      if (isNew && fstatSync(from).size <= CHUNK_BYTES) writeFileSync(to, readFileSync(from));
      else if (isNew) await copyBytes(from, to);
      // Later than the change that needs it, so it is not removed before that; many changes may be ahead of the clock.
      const soon = (Math.max(Date.now(), beganMs) + 1) / 1000;
      futimesSync(to, soon, soon);
    } catch (error) {
      if (isNew) unlinkSync(path);
      throw error;
    } finally {
      closeSync(to);
    }
  };

  return {
    keep: async (hash, from, beganMs) => {
      while (underWay.has(hash)) await underWay.get(hash);
      const work = keep(hash, from, beganMs).finally(() => underWay.delete(hash));
      underWay.set(
        hash,
        work.catch(() => undefined),
      );
      await work;
    },
    flush: async (hashes) => {
      for (let at = 0; at <= hashes.length; at += MAX_OPEN) {
        const some = hashes.slice(at, at + MAX_OPEN).map((hash) => use(hash, flush));
        await all(at === 0 ? [...some, flushNames(directory)] : some);
      }
    },
    copyTo: async (hash, descriptor) => {
      const sum = createHash("sha256");
      await use(hash, (found) => copyBytes(found, descriptor, (bytes) => sum.update(bytes)));
      return sum.digest("hex") === hash;
    },
    read: (hash) =>
      use(hash, async (found) => {
        const bytes = readFileSync(found);
        return (await hashOf(found)) === hash ? bytes : undefined;
      }),
  };
}

/** The SHA-256 of an open file, in slices that do not block the event loop. */
export async function hashOf(descriptor: number): Promise<string> {
  const sum = createHash("sha256");
  const pacer = createPacer();
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fstatSync(descriptor).size + 1));
  for (let at = 0; ;) {
    const count = readSync(descriptor, buffer, 0, buffer.length, at);
    if (count === 0) return sum.digest("hex");
    sum.update(buffer.subarray(0, count));
    at += count;
    if (pacer.due()) await pacer.rest();
  }
}

/** Waits until the names in a directory are on the disk, where the system can do that. */
async function flushNames(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | GUARDED);
  await flush(descriptor).finally(() => {
    closeSync(descriptor);
  });
}

/** Keeps a history within its bounds. */
export function createBounds(bounds: Bounds): MakeRoom {
  let used = Infinity;
  let checkedMs = 0;
  return async (bytes, before = Infinity) => {
    used += bytes;
    if (used <= bounds.maxBytes && Date.now() - checkedMs < CHECK_MS) return;
    checkedMs = Date.now();
    used = (await removeOldest(bounds, bytes, before)) + bytes;
  };
}

/** Returns how many bytes are left. */
async function removeOldest({ directories, maxBytes, retentionMs }: Bounds, bytes: number, before: number) {
  const pacer = createPacer();
  const found: { readonly path: string; readonly time: number; readonly size: number }[] = [];
  let used = 0;
  let needed = before;
  const oldest = Date.now() - retentionMs;
  for (const directory of directories) {
    for (const name of readdirSync(directory)) {
      const stats = statSync(`${directory}/${name}`, { throwIfNoEntry: false });
      if (pacer.due()) await pacer.rest();
      if (stats === undefined) continue;
      // A content is touched whenever a change needs it: what began later than that does not need it.
      const time = isId(name) ? timeOf(name) : stats.mtimeMs;
      if (isId(name) && directory === directories[0] && time >= oldest) needed = Math.min(needed, time);
      found.push({ path: `${directory}/${name}`, time, size: stats.size });
      used += stats.size;
    }
  }
  for (const { path, time, size } of found.sort((one, other) => one.time - other.time)) {
    if (time >= needed || (time >= oldest && used + bytes <= maxBytes)) break;
    try {
      unlinkSync(path);
      used -= size;
    } catch (error) {
      // Somebody else may have removed it.
      if (errnoCode(error) !== "ENOENT") throw error;
    }
  }
  return used;
}
