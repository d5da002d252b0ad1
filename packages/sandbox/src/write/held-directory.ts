import { closeSync, lstatSync, unlinkSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Boundary } from "../disk/boundary.ts";
import { openVerified } from "../disk/descriptor.ts";
import type { Place } from "../names/safe-path.ts";
import { StaleTargetError } from "./write-error.ts";

/** A verified directory that is held open while its entries change. */
export interface HeldDirectory {
  readonly path: Place;
  readonly descriptor: number;
  /** The path of an entry: where the system can, one that cannot be redirected. */
  entry(name: string): string;
  /** @throws StaleTargetError if the directory is no longer where it was */
  expectInPlace(): void;
  /**
   * Makes sure that what was just opened or created as an entry lies where the directory should be. With `/proc` that was
   * done through the open directory, so it is the one that is asked: an entry's path may be too long for the system.
   * @throws StaleTargetError
   */
  expectEntry(descriptor: number, name: string): void;
  /** Removes a file, if it is this one; never throws. */
  remove(name: string, file: FileIdentity): Promise<void>;
  close(): void;
}

/** What tells a file from all others. */
export type FileIdentity = Pick<BigIntStats, "dev" | "ino">;

const MAX_REMOVALS = 3;
const MAX_REMOVALS_BY_PATH = 50;

/**
 * Opens a directory to change what is in it.
 * @throws SandboxError, or StaleTargetError if it is not at exactly this place
 */
export function holdDirectory(boundary: Boundary, path: Place): HeldDirectory {
  const { verifier } = boundary;
  const { descriptor, relative } = openVerified(boundary, path, "directory");
  const expectAt = (opened: number, absolute: string): void => {
    if (verifier.locate(opened, absolute) !== absolute) throw new StaleTargetError();
  };
  const held: HeldDirectory = {
    path,
    descriptor,
    entry: (name) => verifier.entryPath(path, descriptor, name),
    expectInPlace: () => {
      expectAt(descriptor, path.absolute);
    },
    expectEntry: (opened, name) => {
      if (verifier.verification === "descriptor") held.expectInPlace();
      else expectAt(opened, join(path.absolute, name));
    },
    remove: async (name, file) => {
      // Without `/proc` a path leads elsewhere while somebody swaps its directory, perhaps only for a moment.
      const isCertain = verifier.verification === "descriptor";
      const attempts = isCertain ? MAX_REMOVALS : MAX_REMOVALS_BY_PATH;
      for (let attempt = 1; !removeOwn(held.entry(name), file, isCertain) && attempt < attempts; attempt += 1) {
        await setTimeout(1);
      }
    },
    close: () => {
      closeSync(descriptor);
    },
  };
  if (relative === path.relative) return held;
  held.close();
  throw new StaleTargetError();
}

/** Whether two looks saw the same file. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

/** Whether it is gone, or something else is there. */
function removeOwn(path: string, file: FileIdentity, isCertain: boolean): boolean {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !isSameFile(stats, file)) return isCertain;
    unlinkSync(path);
    return true;
  } catch {
    // It is tried again, or stays; whatever is being reported matters more.
    return false;
  }
}
