import type { Boundary } from "../disk/boundary.ts";
import { parentOf } from "../names/safe-path.ts";
import type { FileVersion } from "../versions.ts";
import { holdDirectory, type HeldDirectory } from "./held-directory.ts";
import { flushParents, makeParents, removeParents } from "./parents.ts";
import type { InPlaceReason, PlacedStep, PreparedStep, Step, StepContext, TemporaryNames } from "./step.ts";
import { flushDirectory } from "./temporary-file.ts";
import { PartlyDoneError } from "./write-error.ts";

/** How a set is put in place. */
export interface SetOptions {
  /** Whether to wait until the disk has it. */
  readonly durable: boolean;
  readonly signal: AbortSignal;
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

/**
 * Makes all changes or none: everything is prepared, then put in place one after the other; if one fails, those before
 * it are taken back.
 * @throws PartlyDoneError if something could not be taken back, since it has changed meanwhile; else what failed
 */
export async function putSet(
  boundary: Boundary,
  steps: readonly Step[],
  { durable, signal }: SetOptions,
): Promise<StepResult[]> {
  const ends: ((hasSucceeded: boolean) => Promise<void> | void)[] = [];
  const atEnd: StepContext["atEnd"] = (work) => {
    ends.push(work);
  };
  const held = new Map<string, HeldDirectory>();
  const made: string[] = [];
  const enter: StepContext["enter"] = ({ path, nearest, missing }) => {
    const [parent] = parentOf(path.relative);
    const known = held.get(parent);
    if (known !== undefined) return known;
    const parents = makeParents(boundary, nearest, missing);
    made.push(...parents);
    atEnd((hasSucceeded) => {
      if (!hasSucceeded) removeParents(boundary, parents);
    });
    const directory = holdDirectory(boundary, boundary.paths.place(parent));
    atEnd(() => {
      directory.close();
    });
    held.set(parent, directory);
    return directory;
  };

  let hasSucceeded = false;
  try {
    const context: StepContext = { boundary, durable, keepsOld: steps.length > 1, enter, atEnd };
    const prepared = await prepareAll(steps, context);
    signal.throwIfAborted();
    const placed = await placeAll(prepared);
    hasSucceeded = true;
    for (const step of placed) await step.finish();
    if (durable) {
      for (const { descriptor } of held.values()) await flushDirectory(descriptor);
      await flushParents(boundary, made);
    }
    return placed.map((step) => resultOf(step));
  } finally {
    for (const end of ends.reverse()) await end(hasSucceeded);
  }
}

function resultOf(step: PlacedStep): StepResult {
  const { inPlace } = step;
  return { version: versionAfter(step), ...(inPlace === undefined ? {} : { inPlace }) };
}

function versionAfter(step: PlacedStep): FileVersion | undefined {
  try {
    return step.version();
  } catch {
    // The change is made; the next call finds out what is there.
    return undefined;
  }
}

/** At the same time, so that the disk can write them together. */
async function prepareAll(steps: readonly Step[], context: StepContext): Promise<PreparedStep[]> {
  // The end of a UUID is as good as random bytes, and Node keeps some of those ready. The global loads its module on use.
  const id = crypto.randomUUID().replaceAll("-", "").slice(-16);
  const outcomes = await Promise.allSettled(steps.map(async (step, index) => step(context, namesOf(id, index))));
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

function namesOf(id: string, index: number): TemporaryNames {
  const name = `.fstools-${index === 0 ? id : id.slice(0, -4) + index.toString(16).padStart(4, "0")}`;
  return { fresh: `${name}.tmp`, old: `${name}.old` };
}

async function placeAll(steps: readonly PreparedStep[]): Promise<PlacedStep[]> {
  const placed: PlacedStep[] = [];
  try {
    for (const step of steps) placed.push(await step.putInPlace());
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
