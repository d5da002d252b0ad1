import type { ToolResponse } from "@fstools/protocol";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import { boundaryOf } from "../sandbox.ts";
import type { Recorder } from "../write/change-set.ts";
import { createBounds, createContents } from "./contents.ts";
import { createLog, LEASE_MS, timeOf, type LoggedEntry, type Part } from "./log.ts";
import { recoverAll } from "./put-back.ts";
import { createRecord, type Keeping } from "./record.ts";
import { createUndo, fileOf, type HistoryFile, type UndoData } from "./undo.ts";

/** Where changes are kept, and how long. */
export interface HistoryOptions {
  /** A directory of this user alone, outside every project; made if it is missing. */
  readonly directory: string;
  /** If there is more, the oldest changes go; what is larger than this cannot be changed. @default 268435456 */
  readonly maxBytes?: number;
  /** Days after which a change goes. @default 7 */
  readonly retentionDays?: number;
  /** Lets a change happen whose old content cannot be kept; its answer says so. @default false */
  readonly optional?: boolean;
}

/** A change that was made. */
export interface HistoryChange {
  readonly id: string;
  /** When it began: ISO 8601, UTC. */
  readonly at: string;
  readonly tool: string;
  readonly files: readonly HistoryFile[];
}

/** What tools changed, so that people can undo it. */
export interface History extends Recorder {
  /**
   * The changes in the projects of tools that took this history, newest first: those of a file, or of what is in a
   * directory, if a path is given; at most 100 unless `limit` says otherwise.
   */
  changes(options?: { readonly path?: string; readonly limit?: number }): Promise<readonly HistoryChange[]>;
  /** Puts back what was there before a change, or before it and all later ones: all of it or nothing; never rejects. */
  undo(change: string | { readonly since: string }): Promise<ToolResponse<UndoData>>;
  /**
   * What a process left half done, and what could not be put back yet, since its files have changed or no tool of the
   * project took this history; the paths are absolute then.
   */
  readonly unfinished: readonly HistoryChange[];
}

const DAY_MS = 86_400_000;
const ALL_OUTSIDE = { paths: { relative: () => undefined } };

/** Keeps what tools change in a directory. @throws Error if it is not of this user alone, or a limit is not positive */
export function createHistory(options: HistoryOptions): History {
  const { maxBytes = 268_435_456, retentionDays = 7, optional = false } = options;
  if (!(maxBytes > 0) || !(retentionDays > 0)) throw new RangeError("maxBytes and retentionDays must be positive.");
  if (options.directory === "") throw new TypeError("directory must be a path.");
  const directory = ownDirectory(options.directory);
  // In one directory what is flushed together.
  const [open, done] = [ownDirectory(join(directory, "kept")), ownDirectory(join(directory, "done"))];
  const log = createLog({ open, done });
  const retentionMs = retentionDays * DAY_MS;
  const makeRoom = createBounds({ directories: [open, done], maxBytes, retentionMs });
  const known = new Map<string, Boundary>();
  const boundaryFor = ({ roots }: Part) =>
    [...known.values()].findLast((boundary) => roots.every((root) => rootsOf(boundary).includes(root)));
  const keeping: Keeping = { contents: createContents(open), maxBytes, optional, makeRoom, log, boundaryFor };

  const take: History["take"] = (sandbox) => {
    const boundary = boundaryOf(sandbox);
    if (boundary.paths.relative(directory) !== undefined) {
      throw new Error(`A history cannot be inside a project that it is for: '${options.directory}'.`);
    }
    const key = rootsOf(boundary).join("\0");
    known.delete(key);
    known.set(key, boundary);
    let [recovery, nextMs] = [Promise.resolve(), 0];
    const recover = async (): Promise<void> => {
      // A process that has just said a word may be gone nevertheless.
      if (await recoverAll(keeping).catch(() => true)) nextMs = Date.now() + LEASE_MS;
    };
    return {
      ready: () => {
        if (Date.now() >= nextMs) [recovery, nextMs] = [recover(), Infinity];
        return recovery;
      },
      record: (tool, more) => createRecord(keeping, { boundary, tool, ...more }),
    };
  };

  return {
    take,
    changes: ({ path = ".", limit = 100 } = {}) => {
      const isListed = isAt(path.replace(/^(?:\.\/)+/u, "").replace(/\/+$/u, ""));
      const found: HistoryChange[] = [];
      for (const entry of log.entries("done")) {
        if (found.length >= limit) break;
        const change = describe(entry, boundaryFor);
        if (change?.files.some(isListed) === true) found.push(change);
      }
      return Promise.resolve(found);
    },
    undo: createUndo(keeping),
    get unfinished() {
      const left = [...log.entries("open")].filter(({ isDone, isAbandoned }) => isAbandoned() && !isDone);
      return left.flatMap((entry) => describe(entry, (part) => boundaryFor(part) ?? ALL_OUTSIDE) ?? []);
    },
  };
}

/** The real paths of a project's roots. */
function rootsOf({ tops, paths }: Boundary): string[] {
  return tops.map(({ path }) => paths.absolute(path));
}

function isAt(path: string): (file: HistoryFile) => boolean {
  const isBelow = (one: string, other: string) => one === other || one.startsWith(`${other}/`);
  if (path === "." || path === "") return () => true;
  return (file) => [file.path, file.from ?? file.path].some((one) => isBelow(one, path) || isBelow(path, one));
}

/** Undefined if it is in no project that is known, or cannot be read, or put nothing in place. */
function describe(
  { id, parts }: LoggedEntry,
  boundaryFor: (part: Part) => Parameters<typeof fileOf>[0] | undefined,
): HistoryChange | undefined {
  const sets = parts.filter(({ isReady }) => isReady);
  const files = new Map<string, HistoryFile>();
  for (const part of sets) {
    const boundary = boundaryFor(part);
    if (boundary === undefined) return undefined;
    const replaced = part.effects.map((effect) => effect.replaces);
    for (const effect of part.effects.filter(({ path }) => !replaced.includes(path))) {
      const file = fileOf(boundary, effect);
      files.set(file.path, file);
    }
  }
  const [first] = sets;
  return first && { id, at: new Date(timeOf(id)).toISOString(), tool: first.tool, files: [...files.values()] };
}

/** Makes a directory, if it is missing, that nobody else can write to. */
function ownDirectory(path: string): string {
  const refuse = (why: string) => new Error(`A history must be in a directory of this user alone: '${path}' ${why}.`);
  const absolute = resolve(path);
  mkdirSync(absolute, { recursive: true, mode: 0o700 });
  const stats = lstatSync(absolute);
  if (!stats.isDirectory()) throw refuse("is a link");
  if (process.geteuid !== undefined && stats.uid !== process.geteuid()) throw refuse("belongs to another user");
  if (process.geteuid !== undefined && (stats.mode & 0o022) !== 0) throw refuse("can be written by others");
  return realpathSync.native(absolute);
}
