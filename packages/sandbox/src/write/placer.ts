import { orAborted, type OnInternalError } from "@fstools/protocol";
import type { SafePath } from "../names/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import type { FileVersion, FileVersions } from "../versions.ts";
import { afterwards, type AfterChange, type PlacedFile, type WrittenChange } from "./after-change.ts";
import { approve, type Confirm, type ProposedChange } from "./approve.ts";
import { putSet, type Recorder, type Step } from "./change-set.ts";
import { explainPartlyDone } from "./write-error.ts";

/** What a host may set for tools that change files. */
export interface ChangeOptions {
  /**
   * What the tools of this conversation know about files.
   * @default its own memory
   */
  readonly versions?: FileVersions;
  /** Asked last, before anything is written. */
  readonly confirm?: Confirm;
  /** Is told of a change that is on the disk, before the answer. */
  readonly afterChange?: AfterChange;
  /** Receives what `afterChange` throws. */
  readonly onInternalError?: OnInternalError;
  /**
   * Whether to wait until the disk has the change: fsync before and after the rename.
   * @default true
   */
  readonly durable?: boolean;
  /** Keeps what is changed, so that people can undo it. */
  readonly history?: Recorder;
}

/** A change of one path, ready to be made. */
export interface Placing extends PlacedFile {
  /** The first one tells the version that there is afterwards. */
  readonly steps: readonly Step[];
  /** What was moved or copied as it is. */
  readonly kept?: FileVersion;
}

/** What a call wants to change. */
interface ChangeWork<Made extends Decision> {
  readonly tool: string;
  /** The paths, as the caller spelled them. */
  readonly spelled: readonly string[];
  readonly keys: readonly string[];
  /** Looks and decides, while no other call of this process changes anything there. */
  readonly decide: (hadToWait: boolean) => Promise<Made>;
}

/** What is to be changed. */
export interface Decision extends Pick<WrittenChange, "diff"> {
  /** None if nothing is to be written. */
  readonly placings: readonly Placing[];
  proposed(): Promise<ProposedChange>;
  /** What is to be done when the user has approved; throws if anything is not what was approved. */
  approved(): Promise<readonly Placing[]> | readonly Placing[];
  /** When this turn is over. */
  release?(isPlaced: boolean): void;
}

/** Creates the one way on which all tools of a sandbox change the disk. */
export function createPlacer(sandbox: Sandbox, options: ChangeOptions & { readonly versions: FileVersions }) {
  const { versions, confirm, durable = true, history, afterChange, onInternalError } = options;
  const boundary = boundaryOf(sandbox);
  const recorder = history?.take(sandbox);

  const put = async (tool: string, placed: readonly Placing[], signal: AbortSignal) => {
    const steps = placed.flatMap((placing) => placing.steps);
    const record = recorder?.record(tool, { durable, isFollowed: afterChange !== undefined });
    const made = await putSet(boundary, steps, { durable, signal, record }).catch((error: unknown) => {
      const files = placed.flatMap((placing) => placing.steps.map(() => placing.file.relative));
      throw explainPartlyDone(error, files);
    });
    let next = 0;
    const results = placed.map((placing) => {
      const result = made[next] ?? { version: undefined };
      next += placing.steps.length;
      remember(versions, placing, result.version);
      return result;
    });
    return { tool, placed, results, settle: async (paths: readonly SafePath[]) => record?.settle(paths) };
  };

  return {
    /** Settles when nothing of an earlier process is left half done; never rejects. */
    ready: async () => recorder?.ready(),
    /** Makes all changes of a call or none, once the user agrees, and tells what is there afterwards. */
    change: async <Made extends Decision>({ tool, spelled, keys, decide }: ChangeWork<Made>, signal: AbortSignal) => {
      const [decision, inTurn] = await inTurns(keys, signal, async (hadToWait) => {
        const decided = await decide(hadToWait);
        let written: Omit<WrittenChange, "diff"> | undefined;
        try {
          if (confirm === undefined && decided.placings.length > 0) written = await put(tool, decided.placings, signal);
          return [decided, written] as const;
        } finally {
          decided.release?.(written !== undefined);
        }
      });
      let written = inTurn;
      if (confirm !== undefined && decision.placings.length > 0) {
        await approve(confirm, await decision.proposed(), spelled, signal);
        written = await inTurns(keys, signal, async () => put(tool, await decision.approved(), signal));
      }
      if (afterChange === undefined || written === undefined) return { decision, results: written?.results ?? [] };
      const made = { ...written, diff: () => decision.diff() };
      const results = await afterwards(made, { afterChange, boundary, versions, onInternalError }, signal);
      return { decision, results };
    },
  };
}

function remember(versions: FileVersions, { file, from, kept }: Placing, version: FileVersion | undefined): void {
  if (kept === undefined && from !== undefined) versions.forget(from);
  if (version === undefined) versions.forget(file);
  else if (kept === undefined) versions.record(file, version, "written");
  else if (from !== undefined) versions.move(from, file, { before: kept, after: version });
}

const tails = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when all earlier work with one of its keys has ended: the calls of one process on one file, in order.
 * It starts at once if there is none, and learns whether it had to wait.
 * Rejects with the signal's reason if it is aborted before its turn.
 */
export async function inTurns<Result>(
  keys: Iterable<string>,
  signal: AbortSignal,
  work: (hadToWait: boolean) => Promise<Result>,
): Promise<Result> {
  const own = [...new Set(keys)];
  const before = own.flatMap((key) => tails.get(key) ?? []);
  let leave: () => void = () => undefined;
  const mine = new Promise<void>((resolve) => {
    leave = resolve;
  });
  // It enters all queues at once, so no two calls wait for each other; one that gives up keeps its place, and the order.
  const tail = Promise.all([...before, mine]);
  for (const key of own) tails.set(key, tail);
  void tail.then(() => {
    for (const key of own) if (tails.get(key) === tail) tails.delete(key);
  });
  try {
    if (before.length === 0) signal.throwIfAborted();
    else await orAborted(Promise.all(before), signal);
    return await work(before.length > 0);
  } finally {
    leave();
  }
}
