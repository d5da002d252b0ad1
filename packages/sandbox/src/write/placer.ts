import type { OnInternalError } from "@fstools/protocol";
import type { SafePath } from "../names/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import type { FileVersion, FileVersions } from "../versions.ts";
import type { AfterChange } from "./after-change.ts";
import type { Confirm } from "./approve.ts";
import { putSet, type Placed, type Recorder } from "./change-set.ts";
import type { Step } from "./step.ts";
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
export interface Placing {
  /** The first one tells the version that there is afterwards. */
  readonly steps: readonly Step[];
  readonly file: SafePath;
  /** Where it was. */
  readonly from?: SafePath;
  /** What was moved or copied as it is. */
  readonly kept?: FileVersion;
}

/** The one way on which all tools change the disk. */
export interface Placer {
  /** Settles when nothing of an earlier process is left half done; never rejects. */
  readonly ready: () => Promise<void>;
  /** Makes all changes of a call or none, and tells what is there afterwards. */
  readonly place: (tool: string, changes: readonly Placing[], signal: AbortSignal) => Promise<Placed>;
}

/** Creates the way to the disk of the tools of a sandbox. */
export function createPlacer(
  sandbox: Sandbox,
  { versions, durable = true, history, afterChange }: ChangeOptions & { readonly versions: FileVersions },
): Placer {
  const boundary = boundaryOf(sandbox);
  const recorder = history?.take(sandbox);
  const place: Placer["place"] = async (tool, changes, signal) => {
    const steps = changes.flatMap((change) => change.steps);
    const record = recorder?.record(tool, { durable, isFollowed: afterChange !== undefined });
    const placed = await putSet(boundary, steps, { durable, signal, record }).catch((error: unknown) => {
      const files = changes.flatMap((change) => change.steps.map(() => change.file.relative));
      throw explainPartlyDone(error, files);
    });
    let next = 0;
    const results = changes.map((change) => {
      const result = placed[next] ?? { version: undefined };
      next += change.steps.length;
      remember(versions, change, result.version);
      return result;
    });
    return { results, settle: (paths) => record?.settle(paths) ?? Promise.resolve() };
  };
  return { place, ready: () => recorder?.ready() ?? Promise.resolve() };
}

function remember(versions: FileVersions, { file, from, kept }: Placing, version: FileVersion | undefined): void {
  if (kept === undefined && from !== undefined) versions.forget(from);
  if (version === undefined) versions.forget(file);
  else if (kept === undefined) versions.record(file, version, "written");
  else if (from !== undefined) versions.move(from, file, { before: kept, after: version });
}
