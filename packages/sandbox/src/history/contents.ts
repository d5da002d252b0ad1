import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { createPacer } from "../pacer.ts";
import { all } from "../write/change-set.ts";
import { copyBytes, EXCLUSIVE, flush } from "../write/held-directory.ts";
import { inTurns } from "../write/placer.ts";
import { createSha256, isId, timeOf } from "./log.ts";

/** What files held, each content once, under its SHA-256. */
export type Contents = ReturnType<typeof createContents>;

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
// Windows flushes only what may be written, and no directories.
const IS_WINDOWS = process.platform === "win32";
const FLAGS = GUARDED | (IS_WINDOWS ? fs.constants.O_RDWR : fs.constants.O_RDONLY);
/** The signal of what is not aborted. */
export const NEVER: AbortSignal = new AbortController().signal;

/** The contents in a directory that nobody else can write to. */
export function createContents(directory: string) {
  /** Does something with a content; undefined if it is gone. */
  async function use<Result>(hash: string, work: (found: number) => Promise<Result>): Promise<Result | undefined> {
    let found: number;
    try {
      found = fs.openSync(`${directory}/${hash}`, FLAGS);
    } catch (error) {
      if (errnoCode(error) === "ENOENT") return undefined;
      throw error;
    }
    return work(found).finally(() => {
      fs.closeSync(found);
    });
  }

  async function keep(hash: string, from: number, beganMs: number): Promise<void> {
    const path = `${directory}/${hash}`;
    if ((await use(hash, hashOf)) !== hash) {
      // Another process may keep the same at the same time.
      const fresh = `${path}.${crypto.randomUUID()}`;
      const to = fs.openSync(fresh, EXCLUSIVE, PRIVATE_FILE);
      try {
        // A thread of the pool would take longer.
        if (fs.fstatSync(from).size <= CHUNK_BYTES) fs.writeFileSync(to, fs.readFileSync(from));
        else await copyBytes(from, to);
        fs.renameSync(fresh, path);
      } catch (error) {
        fs.unlinkSync(fresh);
        throw error;
      } finally {
        fs.closeSync(to);
      }
    }
    // Later than the change that needs it, so it is not removed before that; many changes may be ahead of the clock.
    const soon = (Math.max(Date.now(), beganMs) + 1) / 1000;
    fs.utimesSync(path, soon, soon);
  }

  return {
    /** Keeps what an open file holds, for a change that began then; another set may keep the same at the same time. */
    keep: (hash: string, from: number, beganMs: number) =>
      inTurns([`${directory}/${hash}`], NEVER, () => keep(hash, from, beganMs)),
    /** Waits until contents, and all names in the directory, are on the disk. */
    flush: async (hashes: readonly string[]): Promise<void> => {
      const names = IS_WINDOWS ? hashes : [".", ...hashes];
      for (let at = 0; at < names.length; at += MAX_OPEN) {
        await all(names.slice(at, at + MAX_OPEN).map((name) => use(name, flush)));
      }
    },
    /** Copies a content into an empty file; false if it is gone, or is not what it was. */
    copyTo: async (hash: string, descriptor: number): Promise<boolean> => {
      const sum = createSha256();
      await use(hash, (found) => copyBytes(found, descriptor, (bytes) => sum.update(bytes)));
      return sum.digest("hex") === hash;
    },
    /** Undefined if it is gone, or is not what it was. */
    read: (hash: string) =>
      use(hash, async (found) => ((await hashOf(found)) === hash ? fs.readFileSync(found) : undefined)),
  };
}

/** The SHA-256 of an open file, in slices that do not block the event loop. */
export async function hashOf(descriptor: number): Promise<string> {
  const sum = createSha256();
  const pacer = createPacer();
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fs.fstatSync(descriptor).size + 1));
  for (let at = 0; ;) {
    const count = fs.readSync(descriptor, buffer, 0, buffer.length, at);
    if (count === 0) return sum.digest("hex");
    sum.update(buffer.subarray(0, count));
    at += count;
    if (pacer.due()) await pacer.rest();
  }
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
    for (const name of fs.readdirSync(directory)) {
      const path = `${directory}/${name}`;
      const stats = fs.statSync(path, { throwIfNoEntry: false });
      if (pacer.due()) await pacer.rest();
      if (stats === undefined) continue;
      // A content is touched whenever a change needs it: what began later than that does not need it.
      const time = isId(name) ? timeOf(name) : stats.mtimeMs;
      if (isId(name) && directory === directories[0] && time >= oldest) needed = Math.min(needed, time);
      found.push({ path, time, size: stats.size });
      used += stats.size;
    }
  }
  for (const { path, time, size } of found.sort((one, other) => one.time - other.time)) {
    if (time >= needed || (time >= oldest && used + bytes <= maxBytes)) break;
    // Somebody else may have removed it.
    fs.rmSync(path, { force: true });
    used -= size;
  }
  return used;
}
