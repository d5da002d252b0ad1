import { ToolError } from "@fstools/protocol";
import { SandboxError } from "../error.ts";
import type { DirectoryEntry } from "../disk/listing.ts";
import type { Pacer } from "../kit/pacer.ts";
import { GLOB_IGNORED_NAMES } from "../path/ignore.ts";
import { createDeadline, WalkStopped, type StopReason } from "./deadline.ts";
import type { ListingEnd, Search, SkipReason, TakeEntries } from "./search.ts";
import { compareNames, createNameQueue, selectFirstNames, type NameQueue } from "./name-order.ts";
import type { Position } from "../pattern/position.ts";

/** What a walk leaves out, and when it gives up. */
export interface WalkOptions {
  readonly limit: number;
  readonly includeHidden: boolean;
  readonly includeIgnored: boolean;
  readonly maxVisitedEntries: number;
  readonly maxDurationMs: number;
  readonly signal: AbortSignal;
}

/** What a walk found; paths are relative to its start. */
export interface Findings {
  /** At most `limit` files, in walk order. */
  readonly paths: readonly string[];
  /** Directories entered, the start included, and files seen in them, hidden ones included. */
  readonly visited: number;
  readonly skipped: readonly SkippedDirectory[];
  /** Undefined if everything was seen. */
  readonly stoppedBy: StopReason | undefined;
  /** Whether the pattern fits directories, which are not reported. */
  readonly fitsDirectories: boolean;
}

/** A directory that could not be searched. */
export interface SkippedDirectory {
  readonly path: string;
  readonly reason: SkipReason;
}

/** What one directory holds that is worth a closer look. */
interface Level {
  readonly files: string[];
  readonly directories: string[];
}

/** A directory whose own files are done. */
interface Frame {
  readonly path: string;
  readonly position: Position;
  readonly directories: NameQueue;
}

/**
 * Walks down from the start of a search: in each directory the files that match, then its sub-directories, both in
 * order. Only directories below which something can match are entered.
 */
export async function walk(search: Search, start: Position | undefined, options: WalkOptions): Promise<Findings> {
  const { limit, maxVisitedEntries } = options;
  const deadline = createDeadline(options.signal, options.maxDurationMs);
  const isShown = options.includeHidden ? () => true : (name: string) => !name.startsWith(".");
  const isEntered = options.includeIgnored ? isShown : (name: string) => isShown(name) && !GLOB_IGNORED_NAMES.has(name);
  const paths: string[] = [];
  const skipped: SkippedDirectory[] = [];
  let visited = 0;
  let fitsDirectories = false;

  async function visit(path: string, position: Position): Promise<Frame> {
    deadline.check();
    if (visited >= maxVisitedEntries) throw new WalkStopped("count_limit");
    visited += 1;
    const { files, directories } = await read(path, position.onlyNames);
    await takeFiles(path, position, files);
    const entered = await filterPaced(directories, (name) => leadsOn(position, name), deadline);
    return { path, position, directories: createNameQueue(entered, deadline) };
  }

  async function read(path: string, onlyNames: readonly string[] | undefined): Promise<Level> {
    const level: Level = { files: [], directories: [] };
    const take = (entries: readonly DirectoryEntry[]): boolean => {
      for (const { name, kind } of entries) {
        if (kind !== "directory") level.files.push(name);
        else if (isEntered(name)) level.directories.push(name);
      }
      return deadline.reason() === undefined;
    };
    const end = onlyNames === undefined ? await search.list(path, take) : lookUp(search, path, onlyNames, take);
    if (end === "stopped") {
      visited += Math.min(level.files.length, maxVisitedEntries - visited);
      deadline.check();
    } else if (end !== "complete") {
      skip(path, end);
    }
    return level;
  }

  function skip(path: string, reason: SkipReason): void {
    if (path === "") throw unreadableStart(reason);
    skipped.push({ path, reason });
  }

  async function takeFiles(path: string, position: Position, files: string[]): Promise<void> {
    const left = maxVisitedEntries - visited;
    const areTooMany = files.length > left;
    visited += Math.min(files.length, left);
    if (areTooMany) {
      await selectFirstNames(files, left, deadline);
      files.length = left;
    }
    const matching = await filterPaced(files, (name) => isShown(name) && position.matches(name), deadline);
    if (matching.length > 0) await report(path, matching, files);
    if (areTooMany) throw new WalkStopped("count_limit");
  }

  async function report(path: string, matching: string[], files: readonly string[]): Promise<void> {
    const queue = createNameQueue(matching, deadline);
    for (let name = await queue.next(); name !== undefined; name = await queue.next()) {
      if (deadline.due()) await deadline.rest();
      const found = search.confirm(path, name);
      if (found === "permission" || found === "unreadable") {
        skip(path, found);
        return;
      }
      if (found === "gone") continue;
      if (paths.length < limit) {
        paths.push(below(path, name));
        continue;
      }
      const last = name;
      const unseen = await filterPaced(files, (file) => compareNames(file, last) > 0, deadline);
      visited -= unseen.length;
      throw new WalkStopped("limit");
    }
  }

  function leadsOn(position: Position, name: string): boolean {
    fitsDirectories ||= paths.length === 0 && position.matches(name);
    return position.enter(name) !== undefined;
  }

  async function descend(): Promise<void> {
    const frames = start === undefined ? [] : [await visit("", start)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      if (deadline.due()) await deadline.rest();
      const name = await frame.directories.next();
      const position = name === undefined ? undefined : frame.position.enter(name);
      if (name === undefined || position === undefined) frames.pop();
      else frames.push(await visit(below(frame.path, name), position));
    }
  }

  const stoppedBy = await descend().then(() => undefined, stopReason);
  return { paths, visited, skipped, stoppedBy, fitsDirectories };
}

/** Instead of listing a directory in which only these names count: it may hold a hundred thousand others. */
function lookUp(search: Search, path: string, names: readonly string[], take: TakeEntries): ListingEnd {
  const entries: DirectoryEntry[] = [];
  for (const name of names) {
    const entry = search.look(path, name);
    if (typeof entry === "string") return entry;
    if (entry !== undefined) entries.push(entry);
  }
  return take(entries) ? "complete" : "stopped";
}

function unreadableStart(reason: SkipReason): Error {
  if (reason === "permission") return new SandboxError({ reason, path: "." });
  return new ToolError("EXECUTION_ERROR", "The search root could not be read.", {
    hint: "Try again, or search another 'path'.",
  });
}

function stopReason(error: unknown): StopReason {
  if (error instanceof WalkStopped) return error.reason;
  throw error;
}

function below(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** Filters without a promise as long as there is time: most directories are small, and a promise each would cost more. */
function filterPaced(
  names: readonly string[],
  test: (name: string) => boolean,
  pacer: Pacer,
): string[] | Promise<string[]> {
  const kept: string[] = [];
  for (const [index, name] of names.entries()) {
    if (pacer.due()) return filterAfterRest(names.slice(index), kept, test, pacer);
    if (test(name)) kept.push(name);
  }
  return kept;
}

async function filterAfterRest(
  names: readonly string[],
  kept: string[],
  test: (name: string) => boolean,
  pacer: Pacer,
): Promise<string[]> {
  for (const name of names) {
    if (pacer.due()) await pacer.rest();
    if (test(name)) kept.push(name);
  }
  return kept;
}
