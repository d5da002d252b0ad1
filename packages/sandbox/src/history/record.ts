import { echo, ErrorCode, isToolError, ToolError } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { describeErrno, errnoCode } from "../disk/errno.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, type ChangeRecord, type PreparedStep, type Step } from "../write/change-set.ts";
import { lookAtTree, type Tree } from "../write/tree.ts";
import { StaleTargetError } from "../write/write-error.ts";
import type { Contents, MakeRoom } from "./contents.ts";
import { stateAt, stateOf } from "./entry-state.ts";
import { ownIdentity, timeOf, type Beginning, type Effect, type OpenEntry } from "./log.ts";

/** Where changes are kept. */
export interface Keeper {
  readonly contents: Contents;
  readonly maxBytes: number;
  /** Whether what cannot be kept may be changed nevertheless. */
  readonly optional: boolean;
  readonly makeRoom: MakeRoom;
}

/** What is to be recorded. */
export interface RecordOptions {
  readonly boundary: Boundary;
  readonly tool: string;
  readonly durable: boolean;
  /** Whether what follows may change a file that only moved, so that it has to be kept too. */
  readonly isFollowed?: boolean;
  /** Begins the change, or goes on with it. */
  readonly start: () => OpenEntry;
  /** Whether it is one of several sets of a change, which somebody else begins and ends, and whether it is the last. */
  readonly part?: "more follow" | "last";
}

type Kept = Pick<Effect, "before" | "after" | "isLost">;

const HINT = "Nothing was written. Choose smaller parts, or tell the user.";
const LARGE_BYTES = 1024n * 1024n;

/** Notes what a set does, and keeps what it replaces. */
export function createRecord(
  { contents, maxBytes, optional, makeRoom }: Keeper,
  { boundary, tool, durable, isFollowed = false, start, part }: RecordOptions,
): ChangeRecord {
  const notes: string[] = [];
  const unflushed: string[] = [];
  let steps: readonly Step[] = [];
  let entry: OpenEntry | undefined;
  /** Whether it can be undone. */
  let isKept = false;
  let isDone = false;
  let total = 0;

  const refusal = (at: number, why: unknown, code: ErrorCode = ErrorCode.EXECUTION_ERROR): ToolError => {
    const errno = errnoCode(why);
    if (errno === undefined && typeof why !== "string") throw why;
    const what = errno === undefined ? String(why) : `cannot be restored later - ${describeErrno(errno)}`;
    const message = `'${echo(steps[at]?.target.path.relative ?? "")}' ${what}.`;
    return new ToolError(code, message, { hint: HINT, cause: why });
  };
  /** What cannot be kept is not changed, or changed with a note. */
  const refuse = (...reason: Parameters<typeof refusal>): { readonly isLost: true } => {
    const error = refusal(...reason);
    if (!optional) throw error;
    notes.push(`Note: ${error.message}`);
    return { isLost: true };
  };

  /** Whether what goes fits, and can be made again. */
  const choose = async ({ bytes, entries }: Tree, at: number): Promise<Kept> => {
    if (entries.some(({ kind }) => kind === "other")) {
      return refuse(at, "cannot be restored later - it is, or holds, a FIFO, socket or device");
    }
    if (total + bytes > maxBytes) {
      const why = `is too large to be restored later (${total + bytes} bytes, at most ${maxBytes})`;
      return refuse(at, why, ErrorCode.INVALID_PARAM);
    }
    total += bytes;
    await makeRoom(bytes);
    return {};
  };

  const keepOne = async ({ id }: OpenEntry, { old, fresh }: PreparedStep, at: number): Promise<Kept> => {
    try {
      const after = fresh && (await stateOf(fresh));
      if (old === undefined) return { after };
      const tree = await lookAtTree(old);
      const moves = steps[at]?.from !== undefined;
      const isNeeded = !moves || (isFollowed && tree.entries[0]?.kind === "file");
      const { isLost = false } = isNeeded ? await choose(tree, at) : {};
      const before = await stateOf(old, {
        tree,
        // What only moves costs little, however large it is.
        isByTime: ({ version }) => isLost || (moves && version.size > LARGE_BYTES),
        keep: async (hash, file) => {
          if (!isNeeded) return;
          await contents.keep(hash, file, timeOf(id));
          unflushed.push(hash);
        },
      });
      return { before, after, ...(isLost && { isLost }) };
    } catch (error) {
      // If it has just changed, nothing will be put in its place.
      if (isToolError(error)) throw error;
      return error instanceof StaleTargetError ? { isLost: true } : refuse(at, error);
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
        refuse(0, error);
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
        refuse(0, error);
      }
      return notes;
    },
    flush: async () => {
      if (entry === undefined || !isKept || !durable) return;
      await all([entry.flush(), contents.flush(unflushed)]).catch((error: unknown) => {
        throw refusal(0, error);
      });
    },
    commit: async () => {
      try {
        if (isKept && part !== "more follow") entry?.append("done");
        if (durable && isKept && part !== "more follow") await entry?.flush();
      } catch (error) {
        throw refusal(0, error);
      }
      isDone = true;
    },
    close: () => {
      if (part === undefined) entry?.close(isDone && isKept);
    },
    settle: async (paths) => {
      if (entry === undefined || !isDone || !isKept) return;
      const settled = async ({ target: { path } }: Step) => {
        const isMeant = paths.some(({ absolute }) => absolute === path.absolute);
        return isMeant ? { after: (await stateAt(boundary, path.relative)) ?? null } : {};
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
    const other = { ...(from && { from: from.path.absolute }), ...(replaces && { replaces: replaces.path.absolute }) };
    return { path: path.absolute, ...other, missing: made };
  });
  const places = steps.flatMap(({ target, from = target }) => [target.path.relative, from.path.relative]);
  const roots = new Set(places.map((relative) => paths.absolute(paths.rootOf(relative))));
  return { ...set, process: ownIdentity(), roots: [...roots], effects };
}
