import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { GUARDED } from "../disk/verifier.ts";
import { createPacer } from "../pacer.ts";
import { withEntry, type HeldEntry } from "../write/held-directory.ts";
import { isStillEntry, lookAtTree, openTree, type Tree, type TreeEntry } from "../write/tree.ts";
import { StaleTargetError } from "../write/write-error.ts";
import { hashOf } from "./contents.ts";
import type { EntryState } from "./log.ts";

/** How to look at an entry. */
interface StateOptions {
  /** As it was seen just now. */
  readonly tree?: Tree;
  /** Whether a file is known by when it was modified; otherwise it is by what it holds. */
  readonly isByTime?: (entry: TreeEntry) => boolean;
  /** Gets every file that is known by what it holds, open. */
  readonly keep?: (hash: string, descriptor: number) => Promise<void>;
}

// A copy's time is set in seconds, of which a double keeps less than a microsecond.
const SAME_NS = 1000n;

/** What a history notes of an entry with all that is in it. @throws StaleTargetError, or the system's error */
export async function stateOf(top: HeldEntry, { tree, isByTime, keep }: StateOptions = {}): Promise<EntryState[]> {
  const pacer = createPacer();
  const { entries } = tree ?? (await lookAtTree(top));
  const states: EntryState[] = [];
  const paths = openTree(top, entries);
  const hashed = async (entry: TreeEntry): Promise<string> => {
    const descriptor = openSync(paths.of(entry.path), constants.O_RDONLY | GUARDED);
    try {
      if (!isStillEntry(fstatSync(descriptor, { bigint: true }), entry)) throw new StaleTargetError();
      if (entry.path === ".") top.directory.expectEntry(descriptor, top.name);
      const hash = await hashOf(descriptor);
      await keep?.(hash, descriptor);
      return hash;
    } finally {
      closeSync(descriptor);
    }
  };
  try {
    for (const entry of entries) {
      const { path, kind, mode, version } = entry;
      const state = { path, kind, mode, size: kind === "file" ? Number(version.size) : 0 };
      if (kind === "link") states.push({ ...state, target: readlinkSync(paths.of(path), "latin1") });
      else if (kind !== "file") states.push(state);
      else if (isByTime?.(entry) === true) states.push({ ...state, mtime: String(version.mtimeNs) });
      else states.push({ ...state, hash: await hashed(entry) });
      if (pacer.due()) await pacer.rest();
    }
    return states;
  } finally {
    paths.close();
  }
}

/** The same for a place in a project; undefined if nothing is there. */
export function stateAt(boundary: Boundary, relative: string, isByTime?: StateOptions["isByTime"]) {
  return withEntry(boundary, relative, async (entry) => {
    if (lstatSync(entry.directory.entry(entry.name), { throwIfNoEntry: false }) === undefined) return undefined;
    const tree = await lookAtTree(entry);
    const states = await stateOf(entry, { tree, ...(isByTime && { isByTime }) });
    const [top] = tree.entries;
    return top && { version: top.version, tree, states };
  });
}

/** The paths at which two states of an entry differ: only its own, ".", if that is one of them. */
export function differences(one: readonly EntryState[], other: readonly EntryState[]): string[] {
  const byPath = (states: readonly EntryState[]) => new Map(states.map((state) => [state.path, state]));
  const [left, right] = [byPath(one), byPath(other)];
  const differing = [...new Map([...left, ...right]).keys()].filter((path) => !isSame(left.get(path), right.get(path)));
  return differing.includes(".") ? ["."] : differing;
}

function isSame(one: EntryState | undefined, other: EntryState | undefined): boolean {
  if (one?.kind !== other?.kind || one?.target !== other?.target) return false;
  if (one?.kind === "link") return true;
  if (one?.mode !== other?.mode || one?.size !== other?.size || one?.hash !== other?.hash) return false;
  const apart = BigInt(one?.mtime ?? 0) - BigInt(other?.mtime ?? 0);
  return apart < SAME_NS && apart > -SAME_NS;
}
