import { echo, ErrorCode, isToolError, ToolError } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { describeErrno, errnoCode } from "../disk/errno.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, type ChangeRecord, type PreparedStep, type Step } from "../write/change-set.ts";
import { lookAtTree, type Tree } from "../write/tree.ts";
import { StaleTargetError } from "../write/write-error.ts";
import type { Contents, MakeRoom } from "./contents.ts";
import { stateAt, stateOf } from "./entry-state.ts";
import { ownIdentity, timeOf, type Beginning, type Effect, type Log, type OpenEntry, type Part } from "./log.ts";

/** A history at work. */
export interface Keeping {
  readonly contents: Contents;
  readonly log: Log;
  readonly makeRoom: MakeRoom;
  readonly maxBytes: number;
  /** Whether what cannot be kept may be changed nevertheless. */
  readonly optional: boolean;
  /** The sandbox in which a set was made; undefined if none of a tool is. */
  readonly boundaryFor: (part: Part) => Boundary | undefined;
}

/** What is to be recorded. */
interface RecordOptions {
  readonly boundary: Boundary;
  readonly tool: string;
  readonly durable: boolean;
  /** Whether what follows may change a file that only moved, so that it has to be kept too. */
  readonly isFollowed?: boolean;
  /** Begins the change, or goes on with it. */
  readonly start?: () => OpenEntry;
}

type Kept = Pick<Effect, "before" | "after" | "isLost">;

const HINT = "Nothing was written. Choose smaller parts, or tell the user.";
const LARGE_BYTES = 1024n * 1024n;

/** Notes what a set does, and keeps what it replaces. */
export function createRecord(
  { contents, log, makeRoom, maxBytes, optional }: Keeping,
  { boundary, tool, durable, isFollowed = false, start = log.start }: RecordOptions,
): ChangeRecord {
  const notes: string[] = [];
  const unflushed: string[] = [];
  let steps: readonly Step[] = [];
  let entry: OpenEntry | undefined;
  /** Whether it can be undone. */
  let isKept = false;
  let isDone = false;
  let total = 0;

  const refusal = (at: number, what: string, code: ErrorCode = ErrorCode.EXECUTION_ERROR, cause?: unknown): ToolError =>
    new ToolError(code, `'${echo(steps[at]?.target.path.relative ?? "")}' ${what}.`, { hint: HINT, cause });
  const failure = (at: number, cause: unknown): ToolError => {
    const errno = errnoCode(cause);
    if (errno === undefined) throw cause;
    return refusal(at, `cannot be restored later - ${describeErrno(errno)}`, ErrorCode.EXECUTION_ERROR, cause);
  };
  /** What cannot be kept is not changed, or changed with a note. */
  const refuse = (error: ToolError): void => {
    if (!optional) throw error;
    notes.push(`Note: ${error.message}`);
  };

  /** Why what goes does not fit, or cannot be made again. */
  const obstacle = ({ bytes, entries }: Tree, at: number): ToolError | undefined => {
    if (entries.some(({ kind }) => kind === "other")) {
      return refusal(at, "cannot be restored later - it is, or holds, a FIFO, socket or device");
    }
    if (total + bytes <= maxBytes) return undefined;
    const what = `is too large to be restored later (${total + bytes} bytes, at most ${maxBytes})`;
    return refusal(at, what, ErrorCode.INVALID_PARAM);
  };

  const keepOne = async ({ id }: OpenEntry, { old, fresh }: PreparedStep, at: number): Promise<Kept> => {
    try {
      const after = fresh && (await stateOf(fresh));
      if (old === undefined) return { after };
      const tree = await lookAtTree(old);
      const moves = steps[at]?.from !== undefined;
      const isNeeded = !moves || (isFollowed && tree.entries[0]?.kind === "file");
      const lost = isNeeded ? obstacle(tree, at) : undefined;
      if (lost !== undefined) refuse(lost);
      else if (isNeeded) {
        total += tree.bytes;
        await makeRoom(tree.bytes);
      }
      const before = await stateOf(old, {
        tree,
        // What only moves costs little, however large it is.
        isByTime: ({ version }) => lost !== undefined || (moves && version.size > LARGE_BYTES),
        keep: async (hash, file) => {
          if (!isNeeded) return;
          await contents.keep(hash, file, timeOf(id));
          unflushed.push(hash);
        },
      });
      return { before, after, ...(lost && { isLost: true }) };
    } catch (error) {
      if (isToolError(error)) throw error;
      // If it has just changed, nothing will be put in its place.
      if (!(error instanceof StaleTargetError)) refuse(failure(at, error));
      return { isLost: true };
    }
  };

  return {
    open: (temporary, chosen) => {
      steps = chosen;
      try {
        entry = start();
        entry.append("begin", beginningOf(boundary, { tool, durable, temporary, steps }));
        isKept = true;
      } catch (error) {
        refuse(failure(0, error));
      }
    },
    keep: async (prepared) => {
      if (entry === undefined || !isKept) return notes;
      const effects: Kept[] = [];
      // One after the other: which of them is too large does not depend on the disk.
      for (const [at, step] of prepared.entries()) effects.push(await keepOne(entry, step, at));
      try {
        entry.append("ready", { effects });
      } catch (error) {
        isKept = false;
        refuse(failure(0, error));
      }
      return notes;
    },
    flush: async () => {
      if (entry === undefined || !isKept || !durable) return;
      await all([entry.flush(), contents.flush(unflushed)]).catch((error: unknown) => {
        throw failure(0, error);
      });
    },
    commit: async () => {
      try {
        if (isKept) entry?.append("done");
        if (isKept && durable) await entry?.flush();
      } catch (error) {
        throw failure(0, error);
      }
      isDone = true;
    },
    close: () => entry?.close(isDone && isKept),
    settle: async (paths) => {
      if (entry === undefined || !isDone || !isKept) return;
      const settled = async ({ target: { path } }: Step): Promise<Kept> => {
        if (!paths.some(({ absolute }) => absolute === path.absolute)) return {};
        return { after: (await stateAt(boundary, path.relative))?.states ?? [] };
      };
      try {
        entry.amend(await Promise.all(steps.map(settled)));
      } catch {
        // Then the files are not what the history thinks, and an undo says so.
      }
    },
  };
}

/** What is noted of a set before anything is written. */
export function beginningOf(
  { paths }: Boundary,
  { steps, ...set }: Pick<Beginning, "tool" | "durable" | "temporary"> & { readonly steps: readonly Step[] },
): Beginning {
  const effects = steps.map(({ target: { path, nearest, missing }, from, replaces }) => {
    const made = missing.map((_, at) => paths.absolute(joinRelative(nearest, missing.slice(0, at + 1).join("/"))));
    return { path: path.absolute, from: from?.path.absolute, replaces: replaces?.path.absolute, missing: made };
  });
  const places = steps.flatMap(({ target, from = target }) => [target.path.relative, from.path.relative]);
  const roots = new Set(places.map((relative) => paths.absolute(paths.rootOf(relative))));
  return { ...set, process: ownIdentity(), roots: [...roots], effects };
}
