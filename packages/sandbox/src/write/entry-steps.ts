import { lstatSync, renameSync, type BigIntStats } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import type { PlacedStep, PreparedStep, Step, StepContext } from "./change-set.ts";
import {
  expectEntry,
  expectVersion,
  linkExactly,
  moveAside,
  putBack,
  renameDirectory,
  renameUnlessTaken,
} from "./entries.ts";
import { isSameFile, type HeldEntry } from "./held-directory.ts";
import type { Target } from "./target.ts";
import { copyTree, isSameTree, lookAtTree, removeEntry, removeTree, type Tree } from "./tree.ts";
import { DamageError, StaleTargetError } from "./write-error.ts";

/** What a step removes, moves or copies, as it was seen. */
export interface SeenEntry {
  readonly version: FileVersion;
  /** Undefined if nothing but a file was looked at. */
  readonly tree?: Tree | undefined;
}

/** Removes an entry: it is first moved out of the way, so that nothing else can be removed instead. */
export function removeStep(target: Target, seen: SeenEntry): Step {
  const prepare: Step["prepare"] = (context, { old }) => {
    const entry = context.enter(target);
    const { directory, name } = entry;
    const stats = expectVersion(directory.entry(name), seen.version);
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
    const [entry, moved] = [context.enter(from), context.enter(to)];
    const { directory: source } = entry;
    const { directory: destination } = moved;
    const [path, newPath, aside] = [source.entry(from.name), destination.entry(to.name), source.entry(old)];
    const stats = expectVersion(path, seen.version);
    const placed = (takeBack: PlacedStep["takeBack"], expected = stats): PlacedStep => ({
      version: () => versionOf(lstatSync(newPath, { bigint: true })),
      takeBack: () => {
        const now = lstatSync(newPath, { bigint: true, throwIfNoEntry: false });
        if (now === undefined || !isUnchanged(expected)(now)) throw new StaleTargetError();
        return takeBack();
      },
    });

    async function putInPlace(): Promise<PlacedStep> {
      source.expectInPlace();
      destination.expectInPlace();
      expectVersion(path, seen.version);
      if (lstatSync(newPath, { bigint: true, throwIfNoEntry: false })?.ino === stats.ino) return respell();
      if (stats.isDirectory()) return renamed() ?? copied();
      return linkExactly(path, newPath, stats) ? linked(stats) : copied();
    }

    /** Some disks tell case apart only in what they show, and do nothing if a name is given again in another case. */
    function respell(): PlacedStep {
      moveAside(path, aside, isUnchanged(stats));
      try {
        renameUnlessTaken(aside, newPath);
      } catch (error) {
        putBack(aside, path);
        throw error;
      }
      return placed(() => {
        renameSync(newPath, aside);
        putBack(aside, path);
      });
    }

    /** A directory can't have two names. */
    function renamed(): PlacedStep | undefined {
      const rename = (): void => {
        renameDirectory(newPath, path);
      };
      try {
        renameDirectory(path, newPath);
      } catch (error) {
        if (errnoCode(error) === "EXDEV") return undefined;
        throw error;
      }
      expectEntry(newPath, isUnchanged(stats), rename);
      return placed(rename);
    }

    /** The new name is there; now the old one goes. */
    async function linked(expected: BigIntStats): Promise<PlacedStep> {
      const removeNew = () => removeEntry(moved, expected);
      try {
        const away = await takeAway(entry, old, stats, seen);
        const takeBack = (): Promise<void> => {
          away.takeBack();
          return removeNew();
        };
        return { ...placed(takeBack, expected), finish: away.finish };
      } catch (error) {
        await removeNew();
        throw error;
      }
    }

    async function copied(): Promise<PlacedStep> {
      const copy = await copyBeside(context, entry, { ...moved, name: fresh }, seen);
      const expected = lstatSync(copy, { bigint: true });
      renameUnlessTaken(copy, newPath);
      return linked(expected);
    }

    return { old: entry, putInPlace };
  };
  return { target: to, from, prepare };
}

/** Copies an entry to a name that is free. */
export function copyStep(from: Target, to: Target, seen: SeenEntry): Step {
  const prepare: Step["prepare"] = async (context, { fresh }) => {
    const [entry, copy] = [context.enter(from), { ...context.enter(to), name: fresh }];
    expectVersion(entry.directory.entry(from.name), seen.version);
    await copyBeside(context, entry, copy, seen);
    return placeFresh(copy, to.name);
  };
  return { target: to, prepare };
}

/** A step that gives its name to what was prepared under a temporary one. */
export function placeFresh(fresh: HeldEntry, name: string): PreparedStep {
  const { directory } = fresh;
  return {
    fresh,
    putInPlace: (): PlacedStep => {
      directory.expectInPlace();
      const [path, before] = [directory.entry(name), directory.entry(fresh.name)];
      const stats = lstatSync(before, { bigint: true });
      renameUnlessTaken(before, path);
      return {
        version: () => versionOf(lstatSync(path, { bigint: true })),
        takeBack: async () => {
          moveAside(path, before, isUnchanged(stats));
          await removeEntry(fresh, stats);
        },
      };
    },
  };
}

/** Copies to a temporary name, which is free again when the set has ended; returns its path. */
async function copyBeside(context: StepContext, from: HeldEntry, to: HeldEntry, { tree }: SeenEntry): Promise<string> {
  context.atEnd(() => removeEntry(to));
  await copyTree(from, to, tree ?? (await lookAtTree(from)), context.durable);
  return to.directory.entry(to.name);
}

/** Moves an entry out of the way, if it is what was seen. */
async function takeAway(entry: HeldEntry, old: string, stats: BigIntStats, { tree }: SeenEntry) {
  const { directory, name } = entry;
  const [path, aside] = [directory.entry(name), directory.entry(old)];
  const takeBack = (): void => {
    putBack(aside, path);
  };
  moveAside(path, aside, isUnchanged(stats));
  const away = { ...entry, name: old };
  if (tree === undefined || !stats.isDirectory()) return { takeBack, finish: () => removeEntry(away, stats) };
  try {
    if (!isSameTree(await lookAtTree(away), tree)) throw new StaleTargetError();
  } catch (error) {
    takeBack();
    throw error;
  }
  return {
    takeBack,
    finish: async (): Promise<void> => {
      try {
        await removeTree(away, tree);
      } catch (error) {
        // What could not be removed is not left under a name that nobody knows.
        takeBack();
        throw new DamageError("remains", old, error);
      }
    },
  };
}

/** Not by the time of change, which every new name sets. */
function isUnchanged(before: BigIntStats): (now: BigIntStats) => boolean {
  return (now) => isSameFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}
