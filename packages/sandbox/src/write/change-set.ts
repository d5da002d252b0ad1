import type { Boundary } from "../disk/boundary.ts";
import { parentOf, type SafePath } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import type { Sandbox } from "../sandbox.ts";
import type { FileVersion } from "../versions.ts";
import {
  flushDirectory,
  flushParents,
  holdDirectory,
  makeParents,
  removeParents,
  type HeldDirectory,
  type HeldEntry,
} from "./held-directory.ts";
import type { Target } from "./target.ts";
import { PartlyDoneError } from "./write-error.ts";

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
  finish?(): Promise<void> | void;
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
  /** A target, whose directory stays open until the set has ended; its missing parents are made. */
  enter(target: Target): HeldEntry;
  /** Adds something to do when the set has ended; what was added last is done first. */
  atEnd(work: () => Promise<void> | void): void;
}

/** Keeps what changes replace; a history is one. */
export interface Recorder {
  /**
   * Keeps the changes of a sandbox from now on.
   * @throws Error if what it keeps would lie inside
   */
  take(sandbox: Sandbox): {
    /** Settles when sets that a process left unfinished are put back; never rejects. */
    readonly ready: () => Promise<void>;
    /** For one set. */
    record(tool: string, options: { readonly durable: boolean; readonly isFollowed: boolean }): ChangeRecord;
  };
}

/** What a set leaves, and what follows it. */
export interface ChangeRecord extends SetRecord {
  /** Notes what is at these paths of the set by now; never rejects. */
  settle(paths: readonly SafePath[]): Promise<void>;
}

/** Keeps what is needed to put a set back, also for another process. */
export interface SetRecord {
  /** Before anything is written; `id` tells the names of the temporary files. */
  open(id: string, steps: readonly Step[]): void;
  /** Before anything is put in place; returns lines about what cannot be put back later, and may refuse. */
  keep(steps: readonly PreparedStep[]): Promise<readonly string[]>;
  /** Waits until what it keeps is on the disk. */
  flush(): Promise<void>;
  /** When all is in place; if it fails, the set is taken back. */
  commit(): Promise<void>;
  /** When no temporary file is left. */
  close(): void;
}

/** What a step has made. */
export interface StepResult {
  /** The file as it is now; undefined if there is none, or nothing is known of it. */
  readonly version: FileVersion | undefined;
  readonly inPlace?: InPlaceReason;
  /** Whether its content is no longer what was written; `notes` says where. */
  readonly isChangedAgain?: boolean;
  /** Lines about what came after it. */
  readonly notes?: readonly string[];
}

/** How a set is put in place. */
interface SetOptions {
  readonly durable: boolean;
  readonly signal: AbortSignal;
  readonly record?: SetRecord | undefined;
}

/**
 * Makes all changes or none: everything is prepared, then put in place one after the other; if one fails, those before
 * it are taken back.
 * @throws PartlyDoneError if something could not be taken back, since it has changed meanwhile; else what failed
 */
export async function putSet(
  boundary: Boundary,
  steps: readonly Step[],
  { durable, signal, record }: SetOptions,
): Promise<StepResult[]> {
  const held = new Map<string, HeldDirectory>();
  const made: string[] = [];
  let hasSucceeded = false;
  const ends: Parameters<StepContext["atEnd"]>[0][] = [
    () => {
      if (!hasSucceeded) removeParents(boundary, made);
    },
  ];
  const enter: StepContext["enter"] = ({ path, name, nearest, missing }) => {
    const [parent] = parentOf(path.relative);
    let directory = held.get(parent);
    if (directory === undefined) {
      made.push(...makeParents(boundary, nearest, missing));
      directory = holdDirectory(boundary, boundary.paths.place(parent));
      ends.push(directory.close);
      held.set(parent, directory);
    }
    return { boundary, directory, name };
  };

  const flushNames = async (): Promise<void> => {
    if (!durable) return;
    for (const { descriptor } of held.values()) await flushDirectory(descriptor);
    await flushParents(boundary, made);
  };
  /** Of several changes, all have to be on the disk before it is noted that they are. */
  const commit = async (): Promise<void> => {
    if (record === undefined) return;
    if (steps.length > 1) await flushNames();
    await all([record.commit(), steps.length > 1 ? undefined : flushNames()]);
  };

  let isStuck = false;
  try {
    // The end of a UUID is as good as random bytes, and Node keeps some of those ready. The global loads its module on use.
    const id = crypto.randomUUID().replaceAll("-", "").slice(-16);
    record?.open(id, steps);
    const keepsOld = steps.length > 1 || record !== undefined;
    const context: StepContext = { boundary, durable, keepsOld, enter, atEnd: (end) => ends.push(end) };
    const prepared = await prepareAll(steps, context, id);
    const notes = (await record?.keep(prepared)) ?? [];
    const flushed = prepared.map((step, index) => step.flush && explained(steps[index], step.flush.bind(step)));
    await all([record?.flush(), ...flushed]);
    signal.throwIfAborted();
    const placed = await placeAll(steps, prepared, commit);
    hasSucceeded = true;
    for (const [index, step] of placed.entries()) await explained(steps[index], () => step.finish?.());
    if (record === undefined) await flushNames();
    return placed.map((step, index) => ({
      version: versionAfter(step),
      ...(step.inPlace && { inPlace: step.inPlace }),
      ...(index === 0 && notes.length > 0 && { notes }),
    }));
  } catch (error) {
    isStuck = error instanceof PartlyDoneError;
    throw error;
  } finally {
    for (const end of ends.reverse()) await end();
    if (!isStuck) record?.close();
  }
}

function versionAfter(step: PlacedStep): FileVersion | undefined {
  try {
    return step.version();
  } catch {
    // The change is made; the next call finds out what is there.
    return undefined;
  }
}

/** Waits for all, also if one fails: what they use must not be closed before. */
export async function all<Result>(work: readonly (Result | Promise<Result>)[]): Promise<Result[]> {
  if (work.length < 2) return Promise.all(work);
  const outcomes = await Promise.allSettled(work);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** The names of a set's temporary files, in the directory of each step. */
export function temporaryNames(id: string, index: number): TemporaryNames {
  const name = `.fstools-${index === 0 ? id : id.slice(0, -4) + index.toString(16).padStart(4, "0")}`;
  return { fresh: `${name}.tmp`, old: `${name}.old` };
}

/** At the same time, so that the disk can write them together; many do not block the event loop. */
async function prepareAll(steps: readonly Step[], context: StepContext, id: string): Promise<PreparedStep[]> {
  const pacer = createPacer();
  const prepared: Promise<PreparedStep>[] = [];
  for (const [index, step] of steps.entries()) {
    if (index > 0 && pacer.due()) await pacer.rest();
    const work = explained(step, () => step.prepare(context, temporaryNames(id, index)));
    // It is told when all have ended.
    work.catch(() => undefined);
    prepared.push(work);
  }
  return all(prepared);
}

async function explained<Result>(step: Step | undefined, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw step?.explain?.(error) ?? error;
  }
}

async function placeAll(
  steps: readonly Step[],
  prepared: readonly PreparedStep[],
  commit: () => Promise<void>,
): Promise<PlacedStep[]> {
  const placed: PlacedStep[] = [];
  try {
    for (const [index, step] of prepared.entries()) {
      placed.push(await explained(steps[index], () => step.putInPlace()));
    }
    await commit();
    return placed;
  } catch (error) {
    const stuck: number[] = [];
    for (const [index, step] of [...placed.entries()].reverse()) {
      try {
        await step.takeBack();
      } catch {
        // Somebody has changed it since; the rest is taken back nevertheless.
        stuck.push(index);
      }
    }
    throw stuck.length === 0 ? error : new PartlyDoneError(stuck, error);
  }
}
