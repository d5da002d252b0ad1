import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync, fchmodSync, openSync, symlinkSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { SandboxError } from "../error.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, putSet, temporaryNames, type SetRecord, type Step } from "../write/change-set.ts";
import { moveStep, placeFresh, removeStep } from "../write/entry-steps.ts";
import { EXCLUSIVE, flush, removeParents, withEntry, type HeldEntry } from "../write/held-directory.ts";
import { explainPathErrors, type PathWords } from "../shared/path-words.ts";
import { inTurns } from "../write/placer.ts";
import { findEntry, type Target } from "../write/target.ts";
import { buildTree, removeEntry, shownPath } from "../write/tree.ts";
import { writeStep } from "../write/write-step.ts";
import { NEVER, type Contents } from "./contents.ts";
import { differences, stateAt } from "./entry-state.ts";
import type { Effect, EntryState, LoggedEntry, Part } from "./log.ts";
import { beginningOf, type Keeping } from "./record.ts";

/** A set in a sandbox. */
export interface KnownSet extends Part {
  readonly boundary: Boundary;
}

/** What puts back what a set did to a path. */
interface WayBack {
  readonly steps: readonly Step[];
  /** What is not as the set left it, relative to the project root. */
  readonly changed: readonly string[];
}

const words: PathWords = {
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
};

/** Finds out how to put back what a set, or perhaps a part of it, did to a path. @throws ToolError if that cannot be */
export async function wayBack(
  contents: Contents,
  boundary: Boundary,
  { path, from, before = [], after, isLost = false }: Effect,
  isPartial = false,
): Promise<WayBack> {
  // What only moved is what it was.
  const isMoved = from !== undefined && after === undefined;
  const here = await find(boundary, path, {
    noted: isMoved ? before : after,
    restored: from === undefined ? before : [],
  });
  const { target, seen } = here;
  const gone = seen === undefined ? [] : [removeStep(target, seen)];
  if (isPartial) {
    const origin = await find(boundary, from ?? path, { noted: before });
    // A file that moves has both names for a moment.
    const twin = from !== undefined && here.changed.length === 0 ? gone : [];
    if (origin.changed.length === 0) return { steps: twin, changed: [] };
  }
  const origin = from === undefined ? here : await find(boundary, from, { restored: before });
  const changed = [...here.changed, ...(origin === here ? [] : origin.changed)];
  if (changed.length > 0) return { steps: [], changed };
  if (isMoved && seen !== undefined) return { steps: [moveStep(target, origin.target, seen)], changed };
  if (isLost) throw notKept(target);
  const [top] = before;
  if (top === undefined) return { steps: gone, changed };
  if (from !== undefined || seen === undefined) {
    return { steps: [restoreStep(contents, origin.target, before), ...gone], changed };
  }
  const bytes = await contents.read(top.hash ?? "");
  if (bytes === undefined) throw notKept(target);
  return { steps: [writeStep(target, { bytes, mode: top.mode, expected: seen.version })], changed };
}

/** Compares what is at a path with what is noted of it, if the rules let that be changed and what was there restored. */
async function find(
  boundary: Boundary,
  path: string,
  { noted = [], restored = [] }: { readonly noted?: Effect["before"]; readonly restored?: Effect["before"] },
) {
  const { deny, paths, protect } = boundary;
  const relative = paths.relative(path) ?? "..";
  const shown = (below: string) => (below === "." ? relative : joinRelative(relative, shownPath(below)));
  try {
    const target = findEntry(boundary, relative, { from: paths.create(".") });
    const inside = [...noted, ...restored].map((state) => shown(state.path));
    const isDenied = inside.some((one) => deny.covers(one) || protect.covers(one));
    if (target === undefined || isDenied) throw new SandboxError({ reason: "denied", path: relative });
    // A link, by now, leads elsewhere.
    if (target.path.absolute !== path) return { target, seen: undefined, changed: [relative] };
    const byTime = new Set(noted.flatMap((state) => (state.mtime === undefined ? [] : state.path)));
    const isThere = target.missing.length === 0;
    const seen = isThere ? await stateAt(boundary, relative, (entry) => byTime.has(entry.path)) : undefined;
    return { target, seen, changed: differences(noted, seen?.states ?? []).map(shown) };
  } catch (error) {
    throw explainPathErrors(words)(error, { path: relative }, { has: () => false });
  }
}

function notKept({ path }: Target): ToolError {
  return new ToolError(ErrorCode.EXECUTION_ERROR, `What was at '${echo(path.relative)}' is not in the history.`, {
    hint: "Nothing was undone. It was not kept, or is damaged.",
  });
}

/** Makes an entry again, with everything that was in it, at a name that is free. */
function restoreStep(contents: Contents, target: Target, before: readonly EntryState[]): Step {
  const prepare: Step["prepare"] = async (context, { fresh }) => {
    const entry = { ...context.enter(target), name: fresh };
    const make = async ({ kind, mode, hash = "", target: leads = "" }: EntryState, path: Buffer): Promise<void> => {
      if (kind === "link") symlinkSync(Buffer.from(leads, "latin1"), path);
      if (kind !== "file") return;
      const descriptor = openSync(path, EXCLUSIVE, 0o600);
      try {
        if (!(await contents.copyTo(hash, descriptor))) throw notKept(target);
        fchmodSync(descriptor, mode);
        if (context.durable) await flush(descriptor);
      } finally {
        closeSync(descriptor);
      }
    };
    context.atEnd(() => removeEntry(entry));
    await buildTree(entry, before, context.durable, make);
    return placeFresh(entry, target.name);
  };
  return { target, prepare };
}

/** Removes what a set left beside its targets. */
async function clearUp({ boundary, effects, temporary }: KnownSet): Promise<void> {
  for (const [at, { path, from = path }] of effects.entries()) {
    const { fresh, old } = temporaryNames(temporary, at);
    for (const place of new Set([path, from])) {
      const remove = async (entry: HeldEntry): Promise<void> => {
        for (const name of [fresh, old]) await removeEntry({ ...entry, name });
      };
      // Or there is no such directory any more.
      await withEntry(boundary, boundary.paths.relative(place) ?? "", remove).catch(() => undefined);
    }
  }
}

/** Removes the directories that were made for a set, if they are empty. */
export function removeMade({ boundary, effects }: KnownSet): void {
  const made = new Set(effects.flatMap(({ missing }) => missing));
  removeParents(
    boundary,
    [...made].flatMap((path) => boundary.paths.relative(path) ?? []),
  );
}

/** Puts back what processes that are gone left unfinished; tells whether others may be at work, and leave more. */
export async function recoverAll(keeping: Keeping): Promise<boolean> {
  let isBusy = false;
  for (const entry of keeping.log.entries("open")) {
    if (entry.isAbandoned()) await inTurns(filesOf(entry.parts), NEVER, () => recover(keeping, entry));
    else isBusy = true;
  }
  return isBusy;
}

/** Puts back what is unfinished, if its files are what it left, and clears up. Nobody else may be at work on them. */
export async function recover(keeping: Keeping, { parts, isDone, append, close }: LoggedEntry): Promise<void> {
  const sets = knownSets(keeping, parts);
  const stuck: WayBack = { steps: [], changed: [""] };
  for (const set of isDone ? [] : sets.toReversed()) {
    const { boundary, tool, durable } = set;
    const effects = set.isReady ? set.effects : [];
    const ways = await all(
      effects.map((effect) => wayBack(keeping.contents, boundary, effect, true).catch(() => stuck)),
    );
    const steps = ways.flatMap((way) => way.steps);
    const record: SetRecord = {
      open: (temporary) => {
        append("begin", beginningOf(boundary, { tool, durable, temporary, steps }));
      },
      keep: () => Promise.resolve([]),
      flush: () => Promise.resolve(),
      commit: () => Promise.resolve(),
      close: () => undefined,
    };
    if (steps.length > 0) await putSet(boundary, steps, { durable, signal: NEVER, record });
    // What came before it can't be put back either.
    if (ways.some(({ changed }) => changed.length > 0)) return;
  }
  for (const set of sets) {
    await clearUp(set);
    if (!isDone) removeMade(set);
  }
  if (sets.length > 0) close(isDone);
}

/** The files of sets, for which calls wait for each other. */
export function filesOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ effects }) => effects.flatMap(({ path, from = path }) => [path, from]));
}

/** The sets with their sandboxes; none if one is in no known project. */
export function knownSets({ boundaryFor }: Keeping, parts: readonly Part[]): KnownSet[] {
  const known = parts.flatMap((part) => {
    const boundary = boundaryFor(part);
    return boundary === undefined ? [] : [{ ...part, boundary }];
  });
  return known.length === parts.length ? known : [];
}
