import type { Boundary } from "../disk/boundary.ts";
import { all, putSet, temporaryNames, type SetRecord } from "../write/change-set.ts";
import { inTurns } from "../write/queue.ts";
import type { Log } from "./log.ts";
import type { Part } from "./part.ts";
import { clearUp, removeMade, wayBack, type WayBack } from "./put-back.ts";
import { beginningOf, type Keeper } from "./record.ts";
import type { LoggedEntry } from "./segment.ts";

/** A history at work. */
export interface Keeping extends Keeper {
  readonly log: Log;
  /** The sandbox in which a set was made; undefined if none of a tool is. */
  boundaryFor(part: Part): Boundary | undefined;
}

const STUCK: WayBack = { steps: [], changed: [""] };
const never = new AbortController().signal;

/**
 * Puts back what processes that are gone left unfinished.
 * @returns whether others may be at work, so that there may be more later
 */
export async function recoverAll(keeping: Keeping): Promise<boolean> {
  let isBusy = false;
  for (const { entries } of keeping.log.segments()) {
    for (const entry of entries) {
      if (entry.isAbandoned) await recover(keeping, entry);
      else isBusy ||= entry.state === "open";
    }
  }
  return isBusy;
}

/** Puts an unfinished change back, as far as its files are what it left; what it finished loses what is temporary. */
export async function recover(
  keeping: Keeping,
  { state, parts, isCertain, append }: Pick<LoggedEntry, "state" | "parts" | "isCertain" | "append">,
): Promise<void> {
  const known = parts().flatMap((part) => ({ part, boundary: keeping.boundaryFor(part) }));
  const sets = known.flatMap(({ part, boundary }) => (boundary === undefined ? [] : [{ part, boundary }]));
  if (sets.length === 0 || sets.length < known.length || (state === "open" && !isCertain())) return;
  const keys = sets.flatMap(({ part }) => part.effects.flatMap(({ path, from = path }) => [path, from]));
  await inTurns(keys, never, async () => {
    for (const { part, boundary } of state === "done" ? [] : sets.toReversed()) {
      const options = { ...keeping, boundary };
      const back = async (at: number, effect: Part["effects"][number]) =>
        wayBack(options, effect, temporaryNames(part.temporary, at).old).catch(() => STUCK);
      const ways = part.isReady ? await all(part.effects.map((effect, at) => back(at, effect))) : [];
      const steps = ways.flatMap((way) => way.steps);
      const record: SetRecord = {
        open: (temporary) => {
          append("begin", beginningOf(boundary, { tool: part.tool, temporary, steps }));
        },
        keep: () => Promise.resolve([]),
        commit: () => Promise.resolve(),
        close: () => undefined,
      };
      if (steps.length > 0) await putSet(boundary, steps, { durable: true, signal: never, record });
      // What came before it can't be put back either.
      if (ways.some(({ changed }) => changed.length > 0)) return;
    }
    for (const { part, boundary } of sets) {
      await clearUp({ ...keeping, boundary }, part);
      if (state !== "done") removeMade(boundary, part);
    }
    append(state === "done" ? "clear" : "back");
  });
}
