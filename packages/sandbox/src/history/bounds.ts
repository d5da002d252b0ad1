import { readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { createPacer } from "../pacer.ts";
import { timeOf, type Log } from "./log.ts";

/** How much a history may keep. */
export interface Bounds {
  readonly directory: string;
  readonly contents: string;
  readonly log: Log;
  readonly maxBytes: number;
  readonly retentionMs: number;
}

const CHECK_MS = 3_600_000;

/** Keeps a history within its bounds: returns what makes room for a change, by removing the oldest. */
export function createBounds(bounds: Bounds): (bytes: number) => Promise<void> {
  let used = Infinity;
  let checkedMs = 0;
  return async (bytes) => {
    used += bytes;
    if (used <= bounds.maxBytes && Date.now() - checkedMs < CHECK_MS) return;
    checkedMs = Date.now();
    used = (await removeOldest(bounds, bytes)) + bytes;
  };
}

/** Returns how many bytes are left. */
async function removeOldest(bounds: Bounds, bytes: number): Promise<number> {
  const { directory, contents, log, maxBytes, retentionMs } = bounds;
  // What another process begins to need from now on, it has touched later, by the clock of the disk.
  writeFileSync(`${directory}/mark`, "", { mode: 0o600 });
  const { mtimeMs: now } = statSync(`${directory}/mark`);
  const pacer = createPacer();
  const sizes = new Map<string, number>();
  const segments = [];
  const needed = new Map<string, number>();
  for (const { path, size, isClosed, entries, hashes } of log.segments()) {
    const isOld = timeOf(entries[0]?.id ?? "") < Date.now() - retentionMs || entries.length === 0;
    const isRemovable = isClosed && (isOld || !entries.some(({ isAbandoned }) => isAbandoned));
    const own = hashes();
    segments.push({ path, size, isOld, isRemovable, own });
    for (const hash of own) needed.set(hash, (needed.get(hash) ?? 0) + 1);
    if (pacer.due()) await pacer.rest();
  }
  let used = segments.reduce((sum, { size }) => sum + size, 0);
  const removeContent = (hash: string): void => {
    if (sizes.has(hash) && removed(`${contents}/${hash}`)) used -= sizes.get(hash) ?? 0;
  };
  for (const name of readdirSync(contents)) {
    const stats = statSync(`${contents}/${name}`, { throwIfNoEntry: false });
    used += stats?.size ?? 0;
    if (stats !== undefined && stats.mtimeMs < now) sizes.set(name, stats.size);
    if (!needed.has(name)) removeContent(name);
    if (pacer.due()) await pacer.rest();
  }
  for (const { path, size, isOld, isRemovable, own } of segments.reverse()) {
    if (!isRemovable || !(isOld || used + bytes > maxBytes)) continue;
    if (removed(path)) used -= size;
    for (const hash of own) {
      const others = (needed.get(hash) ?? 1) - 1;
      needed.set(hash, others);
      if (others === 0) removeContent(hash);
    }
  }
  return used;
}

/** False if somebody else has removed it. */
function removed(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (errnoCode(error) === "ENOENT") return false;
    throw error;
  }
}
