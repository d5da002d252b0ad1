import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { closeSync, fchmodSync, lstatSync, openSync, symlinkSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { SandboxError } from "../error.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, putSet, temporaryNames, type SetRecord, type Step } from "../write/change-set.ts";
import { moveStep, placeFresh, removeStep, type SeenEntry } from "../write/entry-steps.ts";
import { EXCLUSIVE, flush, removeParents, withEntry, type HeldEntry } from "../write/held-directory.ts";
import { explainPathErrors, type PathWords } from "../shared/path-words.ts";
import { inTurns } from "../write/placer.ts";
import { findEntry, type Target } from "../write/target.ts";
import { buildTree, lookAtTree, removeEntry, shownPath } from "../write/tree.ts";
import { writeStep } from "../write/write-step.ts";
import { differences, stateOf } from "./entry-state.ts";
import type { Effect, EntryState, Log, LoggedEntry, Part } from "./log.ts";
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

/** Where things are put back, and from where. */
type PutBackOptions = Pick<Keeper, "contents"> & Pick<KnownSet, "boundary">;

/** What puts back what a set did to a path. */
export interface WayBack {
  readonly steps: readonly Step[];
  /** What is not as the set left it, relative to the project root. */
  readonly changed: readonly string[];
}

/** What is at a path, compared with what was noted. */
interface Found {
  readonly target: Target;
  readonly seen: SeenEntry | undefined;
  /** What is not as it was noted. */
  readonly differing: readonly string[];
}

const words: PathWords = {
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
};

/**
 * Finds out how to put back what a set did to a path.
 * @param isPartial - whether it may not have come so far
 * @throws ToolError if the path may not be changed, or what was there was not kept
 */
export async function wayBack(options: PutBackOptions, effect: Effect, isPartial = false): Promise<WayBack> {
  const { path, from, before, isLost = false } = effect;
  // What only moved is what it was.
  const isMoved = from !== undefined && effect.after === undefined;
  const noted = isMoved ? before : (effect.after ?? undefined);
  const here = await find(options, path, { noted, restored: from === undefined ? before : undefined });
  const gone = here.seen === undefined ? [] : [removeStep(here.target, here.seen)];
  if (isPartial) {
    const origin = await find(options, from ?? path, { noted: before });
    // A file that moves has both names for a moment.
    const twin = from !== undefined && here.differing.length === 0 ? gone : [];
    if (origin.differing.length === 0) return { steps: twin, changed: [] };
  }
  const origin = from === undefined ? here : await find(options, from, { restored: before });
  const changed = [...here.differing, ...(origin === here ? [] : origin.differing)];
  if (changed.length > 0) return { steps: [], changed };
  if (isMoved && here.seen !== undefined) return { steps: [moveStep(here.target, origin.target, here.seen)], changed };
  if (isLost) throw notKept(here.target);
  if (before === undefined) return { steps: gone, changed };
  if (from === undefined && here.seen !== undefined) {
    return { steps: [await rewriteStep(options, here.target, here.seen, before)], changed };
  }
  return { steps: [restoreStep(options, origin.target, before), ...gone], changed };
}

/** Looks at a path, as far as the rules allow that what is noted of it is changed, and what was there restored. */
async function find(
  { boundary }: PutBackOptions,
  path: string,
  { noted = [], restored = [] }: { readonly noted?: Effect["before"]; readonly restored?: Effect["before"] },
): Promise<Found> {
  const { deny, paths, protect } = boundary;
  const relative = paths.relative(path) ?? "..";
  try {
    const target = findEntry(boundary, relative, { from: paths.create(".") });
    const inside = [...noted, ...restored].map((state) => joinRelative(relative, shownPath(state.path)));
    const isDenied = inside.some((one) => deny.covers(one) || protect.covers(one));
    if (target === undefined || isDenied) throw new SandboxError({ reason: "denied", path: relative });
    // A link, by now, leads elsewhere.
    if (target.path.absolute !== path) return { target, seen: undefined, differing: [relative] };
    return await compare(boundary, target, noted);
  } catch (error) {
    throw explainPathErrors(words)(error, { path: relative }, { has: () => false });
  }
}

async function compare(boundary: Boundary, target: Target, noted: readonly EntryState[]): Promise<Found> {
  const { relative } = target.path;
  const missing = { target, seen: undefined, differing: noted.length === 0 ? [] : [relative] };
  if (target.missing.length > 0) return missing;
  return withEntry(boundary, relative, async (entry) => {
    if (lstatSync(entry.directory.entry(entry.name), { throwIfNoEntry: false }) === undefined) return missing;
    const byTime = new Set(noted.flatMap(({ path, mtime }) => (mtime === undefined ? [] : path)));
    const tree = await lookAtTree(entry);
    const states = await stateOf(entry, { tree, isByTime: ({ path }) => byTime.has(path) });
    const [top] = tree.entries;
    const differing = noted.length === 0 ? ["."] : differences(noted, states);
    const paths = differing.map((path) => (path === "." ? relative : joinRelative(relative, shownPath(path))));
    return { target, seen: top && { version: top.version, tree }, differing: paths };
  });
}

function notKept({ path }: Target): ToolError {
  return new ToolError(ErrorCode.EXECUTION_ERROR, `What was at '${echo(path.relative)}' is not in the history.`, {
    hint: "Nothing was undone. It was not kept, or is damaged.",
  });
}

async function rewriteStep({ contents }: PutBackOptions, target: Target, { version }: SeenEntry, before: EntryState[]) {
  const [top] = before;
  const bytes = await contents.read(top?.hash ?? "");
  if (top === undefined || bytes === undefined) throw notKept(target);
  return writeStep(target, { bytes, mode: top.mode, expected: version });
}

/** Makes an entry again, with everything that was in it, at a name that is free. */
function restoreStep({ boundary, contents }: PutBackOptions, target: Target, before: readonly EntryState[]): Step {
  const prepare: Step["prepare"] = async (context, { fresh }) => {
    const entry = { boundary, directory: context.enter(target), name: fresh };
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
async function clearUp(boundary: Boundary, { effects, temporary }: Part): Promise<void> {
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
export function removeMade(boundary: Boundary, { effects }: Part): void {
  const made = [...new Set(effects.flatMap(({ missing }) => missing))];
  removeParents(
    boundary,
    made.flatMap((path) => boundary.paths.relative(path) ?? []),
  );
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
    if (entry.isAbandoned) await inTurns(filesOf(entry.parts), never, () => recover(keeping, entry));
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
    const effects = part.isReady ? part.effects : [];
    const ways = await all(effects.map((effect) => wayBack({ ...keeping, boundary }, effect, true).catch(() => STUCK)));
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
export function filesOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ effects }) => effects.flatMap(({ path, from = path }) => [path, from]));
}

/** The sets with their sandboxes; none if one is in no known project. */
export function knownSets({ boundaryFor }: Keeping, parts: readonly Part[]): KnownSet[] {
  const known = parts.flatMap((part) => {
    const boundary = boundaryFor(part);
    return boundary === undefined ? [] : [{ part, boundary }];
  });
  return known.length === parts.length ? known : [];
}
