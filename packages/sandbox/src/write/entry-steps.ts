import { lstatSync, renameSync, type BigIntStats } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { createPacer } from "../pacer.ts";
import { isSameVersion, versionOf, type FileVersion } from "../versions.ts";
import { copyTree } from "./copy-tree.ts";
import { expectEntry, linkExactly, moveAside, putBack, renameDirectory, renameUnlessTaken } from "./entries.ts";
import { isSameFile, type HeldDirectory } from "./held-directory.ts";
import type { PlacedStep, PreparedStep, Step, StepContext } from "./step.ts";
import type { Target } from "./target.ts";
import { isSameTree, lookAtTree, removeTree, type HeldEntry, type Tree } from "./tree.ts";
import { RemainsError, StaleTargetError } from "./write-error.ts";

/** What a step removes, moves or copies, as it was seen. */
export interface SeenEntry {
  readonly version: FileVersion;
  /** Undefined if nothing but a file was looked at. */
  readonly tree?: Tree | undefined;
}

const MAX_REMOVALS = 3;

/** Removes an entry: it is first moved out of the way, so that nothing else can be removed instead. */
export function removeStep(target: Target, seen: SeenEntry): Step {
  const prepare: Step["prepare"] = (context, { old }) => {
    const directory = context.enter(target);
    const entry: HeldEntry = { boundary: context.boundary, directory, name: target.name };
    const stats = expectSeen(directory.entry(target.name), seen);
    const putInPlace = async (): Promise<PlacedStep> => {
      directory.expectInPlace();
      return { version: () => undefined, ...(await takeAway(entry, old, stats, seen)) };
    };
    return { old: entry, putInPlace };
  };
  return { target, prepare };
}

/** Gives an entry another name, which must be free; where it can't have two names, it is copied first. */
export function moveStep(from: Target, to: Target, seen: SeenEntry): Step {
  const prepare: Step["prepare"] = (context, { old, fresh }) => {
    const [source, destination] = [context.enter(from), context.enter(to)];
    const entry: HeldEntry = { boundary: context.boundary, directory: source, name: from.name };
    const [path, newPath] = [source.entry(from.name), destination.entry(to.name)];
    const stats = expectSeen(path, seen);
    const version = (): FileVersion => versionOf(lstatSync(newPath, { bigint: true }));
    const expectMoved = (moved: BigIntStats): void => {
      const now = lstatSync(newPath, { bigint: true, throwIfNoEntry: false });
      if (now === undefined || !isUnchanged(moved)(now)) throw new StaleTargetError();
    };

    async function putInPlace(): Promise<PlacedStep> {
      source.expectInPlace();
      destination.expectInPlace();
      expectSeen(path, seen);
      if (lstatSync(newPath, { bigint: true, throwIfNoEntry: false })?.ino === stats.ino) return respell();
      if (stats.isDirectory()) return renamed() ?? copied();
      return linkExactly(path, newPath, stats) ? linked(stats) : copied();
    }

    /** Some disks tell case apart only in what they show, and do nothing if a name is given again in another case. */
    function respell(): PlacedStep {
      const aside = source.entry(old);
      moveAside(path, aside, isUnchanged(stats));
      try {
        renameUnlessTaken(aside, newPath);
      } catch (error) {
        putBack(aside, path);
        throw error;
      }
      return {
        version,
        takeBack: () => {
          expectMoved(stats);
          renameSync(newPath, aside);
          putBack(aside, path);
        },
        finish: () => undefined,
      };
    }

    /** A directory can't have two names. */
    function renamed(): PlacedStep | undefined {
      try {
        renameDirectory(path, newPath);
      } catch (error) {
        if (errnoCode(error) === "EXDEV") return undefined;
        throw error;
      }
      expectEntry(newPath, isUnchanged(stats), () => {
        renameDirectory(newPath, path);
      });
      const takeBack = (): void => {
        expectMoved(stats);
        renameDirectory(newPath, path);
      };
      return { version, takeBack, finish: () => undefined };
    }

    /** The new name is there; now the old one goes. */
    async function linked(moved: BigIntStats): Promise<PlacedStep> {
      const { boundary } = context;
      const removeNew = () => removeEntry({ boundary, directory: destination, name: to.name }, moved);
      try {
        const away = await takeAway(entry, old, stats, seen);
        return {
          version,
          takeBack: async () => {
            expectMoved(moved);
            away.takeBack();
            await removeNew();
          },
          finish: away.finish,
        };
      } catch (error) {
        await removeNew();
        throw error;
      }
    }

    async function copied(): Promise<PlacedStep> {
      const whole = await seenTree(context, source, from.name, seen);
      await copyBeside(context, { directory: source, name: from.name }, { directory: destination, name: fresh }, whole);
      const copy = lstatSync(destination.entry(fresh), { bigint: true });
      renameUnlessTaken(destination.entry(fresh), newPath);
      return linked(copy);
    }

    return { old: entry, putInPlace };
  };
  return { target: to, from, prepare };
}

/** Copies an entry to a name that is free. */
export function copyStep(from: Target, to: Target, seen: SeenEntry): Step {
  const prepare: Step["prepare"] = async (context, { fresh }) => {
    const [source, destination] = [context.enter(from), context.enter(to)];
    expectSeen(source.entry(from.name), seen);
    const whole = await seenTree(context, source, from.name, seen);
    const copy = { directory: destination, name: fresh };
    await copyBeside(context, { directory: source, name: from.name }, copy, whole);
    return placeFresh(context, destination, { fresh, name: to.name });
  };
  return { target: to, prepare };
}

/** A step that gives its name to what was prepared under a temporary one. */
export function placeFresh(
  { boundary }: StepContext,
  directory: HeldDirectory,
  { fresh, name }: { readonly fresh: string; readonly name: string },
): PreparedStep {
  return {
    fresh: { boundary, directory, name: fresh },
    putInPlace: (): PlacedStep => {
      directory.expectInPlace();
      const [path, before] = [directory.entry(name), directory.entry(fresh)];
      const stats = lstatSync(before, { bigint: true });
      renameUnlessTaken(before, path);
      return {
        version: () => versionOf(lstatSync(path, { bigint: true })),
        takeBack: async () => {
          moveAside(path, before, isUnchanged(stats));
          await removeEntry({ boundary, directory, name: fresh }, stats);
        },
        finish: () => undefined,
      };
    },
  };
}

/** Copies to a temporary name, which is free again when the set has ended. */
async function copyBeside(
  context: StepContext,
  from: Omit<HeldEntry, "boundary">,
  to: Omit<HeldEntry, "boundary">,
  tree: Tree,
): Promise<Tree> {
  const { boundary, durable } = context;
  const [source, copy] = [
    { boundary, ...from },
    { boundary, ...to },
  ];
  context.atEnd(() => removeEntry(copy));
  return copyTree(source, copy, tree, { pacer: createPacer(), durable });
}

async function seenTree(
  { boundary }: StepContext,
  directory: HeldDirectory,
  name: string,
  { tree }: SeenEntry,
): Promise<Tree> {
  return tree ?? lookAtTree({ boundary, directory, name }, { pacer: createPacer() });
}

/** Moves an entry out of the way, if it is what was seen. */
async function takeAway(entry: HeldEntry, old: string, stats: BigIntStats, { tree }: SeenEntry) {
  const { directory, name } = entry;
  const [path, aside] = [directory.entry(name), directory.entry(old)];
  moveAside(path, aside, isUnchanged(stats));
  const away: HeldEntry = { ...entry, name: old };
  if (tree !== undefined && stats.isDirectory()) {
    try {
      if (!isSameTree(await lookAtTree(away, { pacer: createPacer() }), tree)) throw new StaleTargetError();
    } catch (error) {
      putBack(aside, path);
      throw error;
    }
  }
  return {
    takeBack: (): void => {
      putBack(aside, path);
    },
    finish: async (): Promise<void> => {
      if (tree === undefined || !stats.isDirectory()) {
        await directory.remove(old, stats);
        return;
      }
      try {
        await removeTree(away, tree, createPacer());
      } catch (error) {
        // What could not be removed is not left under a name that nobody knows.
        putBack(aside, path);
        throw new RemainsError(error);
      }
    },
  };
}

/** Removes what a set has made itself; never throws. */
export async function removeEntry(entry: HeldEntry, expected?: BigIntStats): Promise<void> {
  const pacer = createPacer();
  for (let attempt = 1; attempt <= MAX_REMOVALS; attempt += 1) {
    try {
      const path = entry.directory.entry(entry.name);
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || (expected !== undefined && !isSameFile(stats, expected))) return;
      await removeTree(entry, await lookAtTree(entry, { pacer }), pacer);
    } catch {
      // It is tried again, or stays under a temporary name; whatever is being reported matters more.
    }
  }
}

/** @throws StaleTargetError */
function expectSeen(path: string, { version }: SeenEntry): BigIntStats {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameVersion(versionOf(stats), version)) throw new StaleTargetError();
  return stats;
}

/** Not by the time of change, which every new name sets. */
function isUnchanged(before: BigIntStats): (now: BigIntStats) => boolean {
  return (now) => isSameFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}
