import type { Boundary } from "../disk/boundary.ts";
import { all, putSet, type SetRecord } from "../write/change-set.ts";
import { inTurns } from "../write/placer.ts";
import type { Log, LoggedEntry } from "./log.ts";
import type { Part } from "./part.ts";
import { clearUp, removeMade, wayBack, type WayBack } from "./put-back.ts";
import { beginningOf, type Keeper } from "./record.ts";

/** A history at work. */
export interface Keeping extends Keeper {
  readonly log: Log;
  /** The sandbox in which a set was made; undefined if none of a tool is. */
  readonly boundaryFor: (part: Part) => Boundary | undefined;
}

/** A set, and the sandbox in which it was made. */
export interface KnownSet {
  readonly part: Part;
  readonly boundary: Boundary;
}

const STUCK: WayBack = { steps: [], changed: [""] };
const never = new AbortController().signal;

/**
 * Puts back what processes that are gone left unfinished.
 * @returns whether others may be at work, so that there may be more later
 */
export async function recoverAll(keeping: Keeping): Promise<boolean> {
  let isBusy = false;
  for (const entry of keeping.log.entries("open")) {
    const keys = filesOf(entry.parts.map((part) => ({ part })));
    if (entry.isAbandoned) await inTurns(keys, never, () => recover(keeping, entry));
    else isBusy = true;
  }
  return isBusy;
}

/**
 * Puts an unfinished change back, if its files are what it left; what is done only loses what is temporary. Nobody else of
 * this process may be at work on its files.
 */
export async function recover(keeping: Keeping, { parts, isDone, append, close }: LoggedEntry): Promise<void> {
  const sets = knownSets(keeping, parts);
  for (const { part, boundary } of isDone ? [] : sets.toReversed()) {
    const place = { ...keeping, boundary };
    const effects = part.isReady ? part.effects : [];
    const ways = await all(effects.map((effect) => wayBack(place, effect, true).catch(() => STUCK)));
    const steps = ways.flatMap((way) => way.steps);
    const record: SetRecord = {
      open: (temporary) => {
        append("begin", beginningOf(boundary, { ...part, temporary, steps }));
      },
      keep: () => Promise.resolve([]),
      flush: () => Promise.resolve(),
      commit: () => Promise.resolve(),
      close: () => undefined,
    };
    if (steps.length > 0) await putSet(boundary, steps, { durable: part.durable, signal: never, record });
    // What came before it can't be put back either.
    if (ways.some(({ changed }) => changed.length > 0)) return;
  }
  for (const { part, boundary } of sets) {
    await clearUp(boundary, part);
    if (!isDone) removeMade(boundary, part);
  }
  if (sets.length > 0) close(isDone);
}

/** The files of sets, for which calls wait for each other. */
export function filesOf(sets: readonly Pick<KnownSet, "part">[]): string[] {
  return sets.flatMap(({ part }) => part.effects.flatMap(({ path, from = path }) => [path, from]));
}

/** The sets with their sandboxes; none if one is in no known project. */
export function knownSets({ boundaryFor }: Keeping, parts: readonly Part[]): KnownSet[] {
  const known = parts.flatMap((part) => {
    const boundary = boundaryFor(part);
    return boundary === undefined ? [] : [{ part, boundary }];
  });
  return known.length === parts.length ? known : [];
}
