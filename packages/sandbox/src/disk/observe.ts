import { lstatSync, type BigIntStats } from "node:fs";
import { parse } from "node:path";
import { segments } from "../names/safe-path.ts";

/** What was at every name of an absolute path, checked one after another. */
export interface Observation {
  /** Device and inode of each name, so that two observations can be compared. */
  readonly identities: string;
  /** What is at the path itself; undefined if something on the way is missing. */
  readonly last: BigIntStats | undefined;
  /** Whether nothing on the way has been renamed, made or removed for a second. */
  readonly isSettled: boolean;
}

/** What several observations agree on. */
export interface Agreement extends Pick<Observation, "last"> {
  /** Whether the path led there for the whole last second; otherwise it is only very likely. */
  readonly isCertain: boolean;
}

// An endless swap passes each one with a chance of one in four at best; if nothing on the way changes, two are enough.
const MAX_OBSERVATIONS = 17;
const SETTLED_NS = 1_000_000_000n;
const NS_PER_MS = 1_000_000n;

/** What is at an absolute path below a root; undefined if a link is on the way, or if several looks do not agree. */
export function observeAgreed(root: string, absolute: string, look: typeof observe = observe): Agreement | undefined {
  const first = look(root, absolute);
  let before = first;
  for (let count = 1; before !== undefined && count < MAX_OBSERVATIONS; count += 1) {
    const again = look(root, absolute);
    if (again?.identities !== first?.identities) return undefined;
    // A rename would have changed its directory's time, so there was none from a second ago until this look began.
    if (before.isSettled && again?.isSettled === true) return { last: again.last, isCertain: true };
    before = again;
  }
  return before === undefined ? undefined : { last: before.last, isCertain: false };
}

function observe(projectRoot: string, absolute: string): Observation | undefined {
  const newest = BigInt(Date.now()) * NS_PER_MS - SETTLED_NS;
  const { root } = parse(absolute);
  const names = segments(absolute.slice(root.length));
  if (names.includes("..")) return undefined;
  const identities: string[] = [];
  let isSettled = true;
  let place = root;
  for (let depth = 0; ; depth += 1) {
    const stats = lstat(place, place.length < projectRoot.length);
    const last = stats === "unknown" ? undefined : stats;
    if (last?.isSymbolicLink() === true) return undefined;
    if (last !== undefined) identities.push(`${last.dev}:${last.ino}`);
    const name = names[depth];
    if (stats === undefined || name === undefined) return { identities: identities.join(), last, isSettled };
    isSettled &&= last !== undefined && last.ctimeNs < newest;
    place = depth === 0 ? root + name : `${place}/${name}`;
  }
}

/** A runtime may forbid access to what lies above the project. */
function lstat(place: string, mayBeForbidden: boolean): BigIntStats | "unknown" | undefined {
  try {
    return lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (mayBeForbidden) return "unknown";
    throw error;
  }
}
