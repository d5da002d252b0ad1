import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { describeErrno, errnoCode } from "../disk/errno.ts";
import { joinRelative } from "../names/safe-path.ts";
import { all, type ChangeRecord } from "../write/change-set.ts";
import type { PreparedStep, Step } from "../write/step.ts";
import type { Target } from "../write/target.ts";
import { StaleTargetError } from "../write/write-error.ts";
import type { Contents } from "./contents.ts";
import { eachEntry, stateAt, stateOf, withFile, type SeenState } from "./entry-state.ts";
import type { OpenEntry } from "./log.ts";
import type { Beginning, Effect } from "./part.ts";

/** Where changes are kept. */
export interface Keeper {
  readonly contents: Contents;
  readonly maxBytes: number;
  /** Whether what cannot be kept may be changed nevertheless. */
  readonly optional: boolean;
  /** Makes sure that there is room for so many bytes more. */
  makeRoom(bytes: number): Promise<void>;
}

/** What is to be recorded. */
export interface RecordOptions {
  readonly boundary: Boundary;
  readonly tool: string;
  readonly durable: boolean;
  /** Whether what follows may change a file that only moved, so that it has to be kept too. */
  readonly isFollowed?: boolean;
  /** Begins the change, or goes on with it. */
  start(): OpenEntry;
  /** Whether it is one of several sets of a change, which somebody else begins and ends, and whether it is the last. */
  readonly part?: "more follow" | "last";
}

/** What a step does. */
interface Change extends Pick<Effect, "before" | "after" | "isLost"> {
  readonly seen?: SeenState;
}

const HINT = "Nothing was written. Choose smaller parts, or tell the user.";

/** Notes what a set does, and keeps what it replaces. */
export function createRecord(
  { contents, maxBytes, optional, makeRoom }: Keeper,
  { boundary, tool, durable, isFollowed = false, start, part }: RecordOptions,
): ChangeRecord {
  const notes: string[] = [];
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
  const refuse = (...reason: Parameters<typeof refusal>): void => {
    const error = refusal(...reason);
    if (!optional) throw error;
    notes.push(`Note: ${error.message}`);
  };

  const look = async ({ old, fresh }: PreparedStep, at: number): Promise<Change> => {
    const isNeeded = (path: string) => steps[at]?.from === undefined || (isFollowed && path === ".");
    try {
      const seen = old && (await stateOf(old, isNeeded));
      const after = fresh && (await stateOf(fresh, () => true)).states;
      return { ...(seen && { before: seen.states, seen }), ...(after && { after }) };
    } catch (error) {
      // If it has just changed, nothing will be put in its place.
      if (!(error instanceof StaleTargetError)) refuse(at, error);
      return { isLost: true };
    }
  };

  const bytesOf = ({ before = [], isLost = false }: Change): number =>
    isLost ? 0 : before.reduce((sum, { hash, size }) => sum + (hash === undefined ? 0 : size), 0);
  /** Those that fit, and can be made again. */
  const choose = (changes: readonly Change[]): Change[] => {
    let total = 0;
    return changes.map((change, at) => {
      const bytes = total + bytesOf(change);
      const isOdd = steps[at]?.from === undefined && change.before?.some(({ kind }) => kind === "other");
      if (isOdd === true) refuse(at, "cannot be restored later - it is, or holds, a FIFO, socket or device");
      else if (bytes > maxBytes) {
        const why = `is too large to be restored later (${bytes} bytes, at most ${maxBytes})`;
        refuse(at, why, ErrorCode.INVALID_PARAM);
      } else {
        total = bytes;
        return change;
      }
      return { ...change, isLost: true };
    });
  };

  const keepOld = async ({ old }: PreparedStep, { seen, isLost = false }: Change, at: number): Promise<void> => {
    if (old === undefined || seen === undefined || isLost) return;
    const hashes = new Map(seen.states.map(({ path, hash }) => [path, hash]));
    try {
      await eachEntry(old, seen.tree, async (found, place) => {
        const hash = hashes.get(found.path);
        if (hash !== undefined) await withFile(old, found, place, (file) => contents.keep(hash, file, durable));
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
        entry.append("begin", beginningOf(boundary, { tool, temporary, steps }));
        isKept = true;
      } catch (error) {
        refuse(0, error);
      }
    },
    keep: async (prepared) => {
      if (entry === undefined || !isKept) return notes;
      const changes = choose(await all(prepared.map(look)));
      const bytes = changes.reduce((sum, change) => sum + bytesOf(change), 0);
      try {
        await makeRoom(bytes);
        entry.count(bytes);
        entry.append("ready", { effects: changes.map(({ before, after, isLost }) => ({ before, after, isLost })) });
      } catch (error) {
        isKept = false;
        refuse(0, error);
        return notes;
      }
      const kept = prepared.map((step, at) => keepOld(step, changes[at] ?? {}, at));
      const noted = entry.flush().catch((error: unknown) => {
        refuse(0, error);
      });
      await all([...kept, noted]);
      return notes;
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
      if (part !== undefined) return;
      try {
        entry?.append(isDone && isKept ? "clear" : "back");
      } catch {
        // Whoever comes next looks for what is left, and finds nothing.
      } finally {
        entry?.close();
      }
    },
    settle: async (paths) => {
      if (entry === undefined || !isDone || !isKept) return;
      const settled = async ({ target: { path } }: Step) =>
        paths.some(({ absolute }) => absolute === path.absolute)
          ? { after: (await stateAt(boundary, path)) ?? null }
          : {};
      try {
        entry.append("again", { effects: await Promise.all(steps.map(settled)) });
        await entry.flush();
      } catch {
        // Then the files are not what the history thinks, and an undo says so.
      }
    },
  };
}

/** What is noted of a set before anything is written. */
export function beginningOf(
  { paths }: Boundary,
  { tool, temporary, steps }: { readonly tool: string; readonly temporary: string; readonly steps: readonly Step[] },
): Beginning {
  const rootOf = (_target: Target): string => paths.absolute(".");
  const places = steps.map(({ target, from }) => {
    const { path, nearest, missing } = target;
    const made = missing.map((_, at) => paths.absolute(joinRelative(nearest, missing.slice(0, at + 1).join("/"))));
    return { path: path.absolute, ...(from && { from: from.path.absolute }), missing: made };
  });
  const roots = new Set(steps.flatMap(({ target, from }) => [target, from ?? target].map(rootOf)));
  return { tool, roots: [...roots], temporary, places };
}
