import type { Boundary } from "../disk/boundary.ts";
import type { FileVersion } from "../versions.ts";
import type { HeldDirectory } from "./held-directory.ts";
import type { Target } from "./target.ts";
import type { HeldEntry } from "./tree.ts";

/** A part of a change set. */
export interface Step {
  /** What it changes, removes or puts there. */
  readonly target: Target;
  /** Where that is now, if it moves. */
  readonly from?: Target;
  /** What the same set removes, if this is the same file under another name. */
  readonly replaces?: Target;
  /** Words its errors as the caller spelled the path. */
  readonly explain?: (error: unknown) => unknown;
  /** Writes what it needs beside what it will change. */
  prepare(context: StepContext, names: TemporaryNames): Promise<PreparedStep> | PreparedStep;
}

/** A step that has all it needs; nothing is seen of it yet. */
export interface PreparedStep {
  /** What it replaces, removes or moves. */
  readonly old?: HeldEntry;
  /** What it puts there, under its temporary name. */
  readonly fresh?: HeldEntry;
  /** Waits until what it wrote is on the disk. */
  flush?(): Promise<void>;
  /** @throws StaleTargetError if what it changes is not what it was; then nothing has changed. */
  putInPlace(): Promise<PlacedStep> | PlacedStep;
}

/** A step whose change can be seen. */
export interface PlacedStep {
  readonly inPlace?: InPlaceReason;
  /** The file as it is after the set; undefined if there is none. */
  version(): FileVersion | undefined;
  /**
   * Puts back what was there.
   * @throws StaleTargetError if there is something else by now
   */
  takeBack(): Promise<void> | void;
  /** Removes what was kept to be put back. */
  finish(): Promise<void> | void;
}

/** Why a file was written in place: replacing it by a new one would have broken this. */
export type InPlaceReason = "hard links" | "another owner" | "a mount point";

/** What the new content and the old one are called in the directory of what a step changes. */
export interface TemporaryNames {
  readonly fresh: string;
  readonly old: string;
}

/** What the steps of a set share. */
export interface StepContext {
  readonly boundary: Boundary;
  /** Whether to wait until the disk has it. */
  readonly durable: boolean;
  /** Whether what is replaced is kept until the whole set is in place. */
  readonly keepsOld: boolean;
  /** The directory of a target, which stays open until the set has ended; its missing parents are made. */
  enter(target: Target): HeldDirectory;
  /** Adds something to do when the set has ended; what was added last is done first. */
  atEnd(work: (hasSucceeded: boolean) => Promise<void> | void): void;
}
