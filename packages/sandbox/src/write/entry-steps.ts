import { lstatSync, type BigIntStats } from "node:fs";
import { isSameVersion, versionOf, type FileVersion } from "../versions.ts";
import { copyExactly, linkExactly, moveAside, putBack } from "./entries.ts";
import { isSameFile } from "./held-directory.ts";
import type { PlacedStep, Step } from "./step.ts";
import type { Target } from "./target.ts";
import { StaleTargetError } from "./write-error.ts";

/** Removes a file: it is first moved out of the way, so that nothing else can be removed instead. */
export function removeStep(target: Target, expected: FileVersion): Step {
  return (context, { old }) => {
    const directory = context.enter(target);
    const [path, aside] = [directory.entry(target.name), directory.entry(old)];
    const stats = expectFile(path, expected);
    return {
      putInPlace: () => {
        directory.expectInPlace();
        expectFile(path, expected);
        moveAside(path, aside, isUnchanged(stats));
        return {
          version: () => undefined,
          takeBack: () => {
            putBack(aside, path);
          },
          finish: () => directory.remove(old, stats),
        };
      },
    };
  };
}

/** Gives a file another name, which must be free; where it can't have two names, it is copied first. */
export function moveStep(from: Target, to: Target, expected: FileVersion): Step {
  return (context, { old }) => {
    const [source, destination] = [context.enter(from), context.enter(to)];
    const path = source.entry(from.name);
    const newPath = destination.entry(to.name);
    const aside = source.entry(old);
    const stats = expectFile(path, expected);
    return {
      putInPlace: async (): Promise<PlacedStep> => {
        source.expectInPlace();
        destination.expectInPlace();
        expectFile(path, expected);
        const moved = linkExactly(path, newPath, stats) ? stats : await copyExactly(path, newPath, stats);
        try {
          moveAside(path, aside, isUnchanged(stats));
        } catch (error) {
          await destination.remove(to.name, moved);
          throw error;
        }
        return {
          version: () => versionOf(lstatSync(newPath, { bigint: true })),
          takeBack: async () => {
            const now = lstatSync(newPath, { bigint: true, throwIfNoEntry: false });
            if (now === undefined || !isUnchanged(moved)(now)) throw new StaleTargetError();
            putBack(aside, path);
            await destination.remove(to.name, moved);
          },
          finish: () => source.remove(old, stats),
        };
      },
    };
  };
}

/** @throws StaleTargetError */
function expectFile(path: string, expected: FileVersion): BigIntStats {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameVersion(versionOf(stats), expected)) throw new StaleTargetError();
  return stats;
}

/** Not by the time of change, which every new name sets. */
function isUnchanged(before: BigIntStats): (now: BigIntStats) => boolean {
  return (now) => isSameFile(now, before) && now.size === before.size && now.mtimeNs === before.mtimeNs;
}
