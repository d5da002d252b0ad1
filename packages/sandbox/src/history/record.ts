import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { describeErrno, errnoCode } from "../disk/errno.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, type ChangeRecord } from "../write/change-set.ts";
import type { PreparedStep, Step } from "../write/step.ts";
import { StaleTargetError } from "../write/write-error.ts";
import type { MakeRoom } from "./bounds.ts";
import type { Contents } from "./contents.ts";
import { eachEntry, stateAt, stateOf, withFile, type SeenState } from "./entry-state.ts";
import type { OpenEntry } from "./log.ts";
import type { Beginning, Effect } from "./part.ts";
import { ownIdentity } from "./process-identity.ts";

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

/** What a step does. */
interface Change extends Pick<Effect, "before" | "after" | "isLost"> {
  readonly seen?: SeenState | undefined;
  /** How much of what goes is to be kept; undefined if nothing is. */
  readonly bytes?: number;
}

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

  const look = async ({ old, fresh }: PreparedStep, at: number): Promise<Change> => {
    const moves = steps[at]?.from !== undefined;
    try {
      // What only moves costs little, however large it is.
      const seen = old && (await stateOf(old, ({ version }) => moves && version.size > LARGE_BYTES));
      const after = fresh && (await stateOf(fresh)).states;
      const before = seen?.states;
      const isNeeded = !moves || (isFollowed && before?.[0]?.kind === "file");
      return { before, after, seen, ...(before && isNeeded && { bytes: seen.tree.bytes }) };
    } catch (error) {
      // If it has just changed, nothing will be put in its place.
      return error instanceof StaleTargetError ? { isLost: true } : refuse(at, error);
    }
  };

  /** Those that fit, and can be made again, are kept. */
  const choose = (changes: readonly Change[]): Change[] => {
    let total = 0;
    return changes.map(({ bytes, ...change }, at) => {
      if (bytes === undefined) return change;
      total += bytes;
      if (total > maxBytes) {
        const why = `is too large to be restored later (${total} bytes, at most ${maxBytes})`;
        total -= bytes;
        return { ...change, ...refuse(at, why, ErrorCode.INVALID_PARAM) };
      }
      if (change.before?.every(({ kind }) => kind !== "other") === true) return { ...change, bytes };
      return { ...change, ...refuse(at, "cannot be restored later - it is, or holds, a FIFO, socket or device") };
    });
  };

  const keepOld = async ({ old }: PreparedStep, { seen, bytes }: Change, at: number): Promise<void> => {
    if (old === undefined || seen === undefined || bytes === undefined) return;
    const hashes = new Map(seen.states.map(({ path, hash }) => [path, hash]));
    try {
      await eachEntry(old, seen.tree, async (found, place) => {
        const hash = hashes.get(found.path);
        if (hash !== undefined) await withFile(old, found, place, (file) => contents.keep(hash, file));
        if (hash !== undefined) unflushed.push(hash);
      });
    } catch (error) {
      if (!(error instanceof StaleTargetError)) refuse(at, error);
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
      const changes = choose(await all(prepared.map(look)));
      try {
        await makeRoom(changes.reduce((sum, { bytes = 0 }) => sum + bytes, 0));
        entry.append("ready", { effects: changes.map(({ before, after, isLost }) => ({ before, after, isLost })) });
      } catch (error) {
        isKept = false;
        refuse(0, error);
        return notes;
      }
      await all(prepared.map((step, at) => keepOld(step, changes[at] ?? {}, at)));
      return notes;
    },
    flush: async () => {
      if (entry === undefined || !isKept || !durable) return;
      try {
        await all([entry.flush(), contents.flush(unflushed)]);
      } catch (error) {
        throw refusal(0, error);
      }
    },
    commit: async () => {
      try {
        if (entry !== undefined && isKept && part !== "more follow") {
          entry.append("done");
          await entry.flush();
        }
        isDone = true;
      } catch (error) {
        throw refusal(0, error);
      }
    },
    close: () => {
      if (part === undefined) entry?.close(isDone && isKept);
    },
    settle: async (paths) => {
      if (entry === undefined || !isDone || !isKept) return;
      const settled = async ({ target: { path } }: Step) =>
        paths.some(({ absolute }) => absolute === path.absolute)
          ? { after: (await stateAt(boundary, path)) ?? null }
          : {};
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
