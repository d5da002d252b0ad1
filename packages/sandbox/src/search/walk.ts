import { ToolError } from "@fstools/protocol";
import { SandboxError } from "../error.ts";
import type { Boundary } from "../disk/boundary.ts";
import { createLinkProbe, resolvePath } from "../resolve/follow.ts";
import { createPacer, type Pacer } from "../pacer.ts";
import { joinRelative, type SafePath } from "../names/safe-path.ts";
import type { Position } from "./position.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { isFileAt, readContents, type Contents, type SkipReason } from "./contents.ts";
import {
  createSearchRules,
  ignoreLevelAt,
  ignoreLevelBelow,
  isIgnored,
  type IgnoreLevel,
  type SearchScope,
} from "./search-rules.ts";
import { inOrder, isNameBefore, selectFirst } from "./order.ts";

/** What a walk looks for, what it leaves out, and when it gives up. */
export interface WalkOptions extends SearchScope {
  /** The files to look for: a pattern as seen from the start; undefined if it cannot match there. */
  readonly position: Position | undefined;
  /** @default Infinity */
  readonly maxVisitedEntries?: number;
  readonly maxDurationMs: number;
  readonly signal: AbortSignal;
  /** Gets each file that matches, in walk order; false ends the walk. */
  readonly take: (file: WalkedFile) => boolean | Promise<boolean>;
}

/** A file that a walk found, seen through a verified descriptor of its directory. */
export interface WalkedFile {
  /** Relative to the start of the walk. */
  readonly path: string;
  /** Whether it is a link: to a file, to nothing, or to somewhere outside. */
  readonly isLink: boolean;
  /** The same as a path of the sandbox, if it is not a link: it need not be resolved again. */
  readonly located: () => SafePath;
}

/** How a walk went; paths are relative to its start. */
export interface WalkReport {
  /** Directories entered, the start included, and files seen in them, hidden ones included. */
  readonly visited: number;
  /** Hidden entries that were skipped although the pattern could match there; `.git` does not count. */
  readonly hidden: number;
  /** The same for ignored entries. */
  readonly ignored: number;
  /** The first entry that the pattern spells out and git ignores. */
  readonly ignoredByGit: string | undefined;
  /** Directories that could not be searched. */
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  /** Undefined if everything was seen; "enough" if `take` ended it. */
  readonly stoppedBy: StopReason | undefined;
  /** Whether the pattern fits directories, which are not reported. */
  readonly fitsDirectories: boolean;
}

/** Why a walk ended before it had seen everything. */
type StopReason = "enough" | "count_limit" | "time_limit" | "aborted";

/** Ends a walk from wherever it is. */
const STOPPED = new Error("The walk is over.");

/**
 * Walks down from a directory: in each one the files that match, then its sub-directories, both by code point. Only
 * directories below which something can match are entered. Links to directories inside are neither entered nor
 * reported; any other link is reported by its own name.
 */
export async function walkFiles(sandbox: Sandbox, start: SafePath, options: WalkOptions): Promise<WalkReport> {
  const { maxVisitedEntries = Infinity, take } = options;
  const boundary = boundaryOf(sandbox);
  boundary.paths.check(start);
  const deadline = createDeadline(options.signal, options.maxDurationMs, stop);
  const rules = createSearchRules(options);
  const skipped: WalkReport["skipped"][number][] = [];
  const counts = { hidden: 0, ignored: 0 };
  let visited = 0;
  let hasFound = false;
  let fitsDirectories = false;
  let ignoredByGit: string | undefined;
  let stoppedBy: StopReason | undefined;

  function stop(reason: StopReason): never {
    stoppedBy = reason;
    throw STOPPED;
  }

  /** @param above - what git ignores in the directory that holds it, or, of the start, in itself */
  async function walk(path: string, position: Position, above: IgnoreLevel | undefined): Promise<void> {
    deadline.check();
    if (visited >= maxVisitedEntries) stop("count_limit");
    const named = above === undefined ? position.onlyPath : undefined;
    if (named !== undefined && (await takeNamed(path, named))) return;
    const contents = await read(path, position);
    const ignores =
      path === "" ? above : above && ignoreLevelBelow(above, boundary, placeOf(path), contents.hasIgnoreFile);
    await takeFiles(path, position, contents, ignores);
    if (contents.passedBy.length > 0) await count(position, contents.passedBy);
    const leads = (name: string): boolean => {
      fitsDirectories ||= !hasFound && position.matches(name);
      return position.enter(name) !== undefined && !isPassedBy(ignores, position, name, true);
    };
    const directories = await filterPaced(contents.directories, leads, deadline);
    for await (const names of inOrder(directories, isNameBefore, deadline)) {
      for (const name of names) {
        if (deadline.due()) await deadline.rest();
        const below = position.enter(name);
        if (below !== undefined) await walk(joinRelative(path, name), below, ignores);
      }
    }
  }

  function placeOf(path: string): string {
    return path === "" ? start.relative : joinRelative(start.relative, path);
  }

  /** Whether git ignores an entry that the pattern could match. */
  function isPassedBy(ignores: IgnoreLevel | undefined, position: Position, name: string, isDirectory: boolean) {
    if (ignores === undefined || !isIgnored(ignores, name, isDirectory)) return false;
    counts.ignored += 1;
    if (position.onlyNames?.includes(name) === true) ignoredByGit ??= name;
    return true;
  }

  async function read(path: string, position: Position): Promise<Contents> {
    const isOver = (): boolean => deadline.reason() !== undefined;
    const { contents, end } = await readContents(boundary, placeOf(path), { position, rules, isOver });
    if (end === "gone") {
      if (path === "") throw lostStart(boundary, start);
      return contents;
    }
    visited += 1;
    if (end === "stopped") {
      visited += Math.min(contents.files.length, maxVisitedEntries - visited);
      deadline.check();
    } else if (end !== "complete") {
      if (path === "") throw unreadableStart(end);
      skipped.push({ path, reason: end });
    }
    return contents;
  }

  async function count(position: Position, entries: Contents["passedBy"]): Promise<void> {
    const couldMatch = ({ name, isDirectory }: (typeof entries)[number]): boolean =>
      name !== ".git" && (isDirectory ? position.enter(name) !== undefined : position.matches(name));
    for (const { reason } of await filterPaced(entries, couldMatch, deadline)) counts[reason] += 1;
  }

  async function takeFiles(path: string, position: Position, contents: Contents, ignores: IgnoreLevel | undefined) {
    const { files, links } = contents;
    const rest = maxVisitedEntries - visited;
    const areTooMany = files.length > rest;
    visited += Math.min(files.length, rest);
    if (areTooMany) {
      await selectFirst(files, rest, isNameBefore, deadline);
      files.length = rest;
    }
    const isSearched = (name: string): boolean =>
      rules(name, false) === undefined && position.matches(name) && !isPassedBy(ignores, position, name, false);
    const matching = await filterPaced(files, isSearched, deadline);
    if (matching.length > 0) await handOut(path, matching, files, links);
    if (areTooMany) stop("count_limit");
  }

  async function handOut(path: string, matching: string[], files: string[], links: Set<string>): Promise<void> {
    const leadsToDirectory = createLinkProbe(boundary);
    for await (const names of inOrder(matching, isNameBefore, deadline)) {
      for (const name of names) {
        if (deadline.due()) await deadline.rest();
        const isLink = links.has(name);
        if (isLink && leadsToDirectory(placeOf(path), name)) continue;
        const taken = hand(joinRelative(path, name), isLink);
        if (typeof taken === "boolean" ? taken : await taken) continue;
        visited -= (await filterPaced(files, (file) => isNameBefore(name, file), deadline)).length;
        stop("enough");
      }
    }
  }

  function hand(path: string, isLink: boolean): boolean | Promise<boolean> {
    hasFound = true;
    return take({ path, isLink, located: () => boundary.paths.create(placeOf(path)) });
  }

  /** If no wildcard is left, reports the file without reading the directories on the way; false if they must be. */
  async function takeNamed(directory: string, names: readonly string[]): Promise<boolean> {
    const path = joinRelative(directory, names.join("/"));
    const inRoot = boundary.paths.isList(placeOf(directory)) ? names.slice(1) : names;
    const arePassedBy = inRoot.some((name, at) => rules(name, at < inRoot.length - 1) !== undefined);
    if (arePassedBy || visited + names.length >= maxVisitedEntries) return false;
    if (!isFileAt(boundary, placeOf(path))) return false;
    visited += names.length + 1;
    if (!(await hand(path, false))) stop("enough");
    return true;
  }

  const ignores = options.includeIgnored ? undefined : ignoreLevelAt(boundary, start.relative);
  const walking = options.position && walk("", options.position, ignores);
  await walking?.catch((error: unknown) => {
    if (error !== STOPPED) throw error;
  });
  return { visited, ...counts, ignoredByGit, skipped, stoppedBy, fitsDirectories };
}

/** Something else is in its place, or nothing; what a race put there is not told. */
function lostStart(boundary: Boundary, start: SafePath): SandboxError {
  const end = resolvePath(boundary, ".", start.relative);
  const isMissing = "stopped" in end && end.stopped === "missing";
  return new SandboxError({ reason: isMissing ? "missing" : "outside", path: start.relative });
}

function unreadableStart(reason: SkipReason): Error {
  if (reason === "permission") return new SandboxError({ reason, path: "." });
  return new ToolError("EXECUTION_ERROR", "The search root could not be read.", {
    hint: "Try again, or search another 'path'.",
  });
}

async function filterPaced<Item>(items: readonly Item[], test: (item: Item) => boolean, pacer: Pacer): Promise<Item[]> {
  const kept: Item[] = [];
  for (const item of items) {
    if (pacer.due()) await pacer.rest();
    if (test(item)) kept.push(item);
  }
  return kept;
}

/** A pacer that also watches the time and the caller's signal. */
function createDeadline(signal: AbortSignal, maxDurationMs: number, stop: (reason: StopReason) => never) {
  const startedAt = performance.now();
  // Without the signal, whose reason it would throw: here an abort is just one of the reasons to stop.
  const pacer = createPacer();
  const reason = (): "time_limit" | "aborted" | undefined => {
    if (signal.aborted) return "aborted";
    return performance.now() - startedAt > maxDurationMs ? "time_limit" : undefined;
  };
  const check = (): void => {
    const current = reason();
    if (current !== undefined) stop(current);
  };
  const rest = async (): Promise<void> => {
    await pacer.rest();
    check();
  };
  return { due: pacer.due, rest, reason, check };
}
