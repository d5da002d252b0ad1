import { readdirSync, statSync, unlinkSync } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { createPacer } from "../pacer.ts";
import { isId, timeOf } from "./log.ts";

/** How much a history may keep. */
export interface Bounds {
  /** The one with what is open and the contents, and the one with what is done. */
  readonly directories: readonly [kept: string, done: string];
  readonly maxBytes: number;
  readonly retentionMs: number;
}

const CHECK_MS = 3_600_000;

/** Makes room for a change by removing the oldest, but none that began at this time or later. */
export type MakeRoom = (bytes: number, before?: number) => Promise<void>;

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
async function removeOldest(
  { directories, maxBytes, retentionMs }: Bounds,
  bytes: number,
  before: number,
): Promise<number> {
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
    if (removed(path)) used -= size;
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
