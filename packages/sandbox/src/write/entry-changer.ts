import { echo, ErrorCode, escapeText, ToolError, type ToolCall } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { peekDirectory } from "../disk/directory.ts";
import { SandboxError } from "../error.ts";
import { findForeignPath } from "../names/foreign-path.ts";
import { joinRelative, parentOf } from "../names/safe-path.ts";
import { foldName } from "../rules/deny-rules.ts";
import { createPacer } from "../pacer.ts";
import { resolvePath } from "../resolve/follow.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { entryChangeWords, explainPathErrors } from "../shared/path-words.ts";
import { createFileVersions, isSameVersion } from "../versions.ts";
import type { Step } from "./change-set.ts";
import { conflict } from "./change-words.ts";
import { copyStep, moveStep, removeStep } from "./entry-steps.ts";
import { withEntry } from "./held-directory.ts";
import { createPlacer, type ChangeOptions, type Placing } from "./placer.ts";
import { findEntry, type Target } from "./target.ts";
import { isSameTree, lookAtTree, shownPath, type Tree, type TreeEntry, type TreeLook } from "./tree.ts";
import { explainWriteError, StaleTargetError } from "./write-error.ts";

/** What happens to a file, a link, or a directory with everything in it. */
export interface EntryRequest {
  readonly tool: string;
  readonly operation: "move" | "copy" | "delete";
  /** The entry, as the caller spelled it; a link is itself. */
  readonly path: string;
  /** The new name, which must be free; undefined if it is deleted. */
  readonly to?: string;
  readonly isDryRun: boolean;
  /** Decides whether this may happen to what is there; may throw. */
  check?(entry: FoundEntry): void;
}

/** An entry with everything in it, as it was found. */
export interface FoundEntry extends Omit<Tree, "entries"> {
  readonly kind: TreeEntry["kind"];
  /** Real and relative to the project root. */
  readonly path: string;
  /** How many entries are in it, directly, if it is a directory. */
  readonly children: number;
  /** Its new path. */
  readonly to?: string;
  /** The directory that has to be made for it. */
  readonly newDirectory?: string;
  /** What the host said afterwards. */
  readonly notes?: readonly string[];
}

const MAX_ENTRIES = 100_000;
const MAX_BYTES = 1024 ** 3;
const MAX_NAMES = 100;

/** Creates the function with which a tool moves, copies or deletes whatever a path names; it rejects with a ToolError. */
export function createEntryChanger(sandbox: Sandbox, options: ChangeOptions) {
  const { versions = createFileVersions() } = options;
  const boundary = boundaryOf(sandbox);
  const { change, ready } = createPlacer(sandbox, { ...options, versions });

  return async (request: EntryRequest, call: ToolCall): Promise<FoundEntry> => {
    const { tool, operation, path, to, isDryRun } = request;
    await ready();
    const explain = (error: unknown, spelled = path): unknown => {
      if (!(error instanceof StaleTargetError)) {
        return explainPathErrors(entryChangeWords)(explainWriteError(error, spelled), { path: spelled }, call);
      }
      return error.isTaken && to !== undefined ? existsAlready(to) : conflict(spelled, call, "modified", "LS");
    };
    const explained = <Result>(work: Promise<Result>, spelled = path): Promise<Result> =>
      work.catch((error: unknown) => {
        throw explain(error, spelled);
      });
    const source = await explained(findSource(sandbox, request, call));
    const target = to === undefined ? undefined : await explained(findFree(sandbox, to, source), to);
    const { path: file } = target ?? source;
    call.note({ path_resolved: file.relative });
    if (target !== undefined) expectOutside(target, source, request);

    const look = async (): Promise<Tree> => {
      const tree = await lookAt(boundary, [source, target], request, call.signal);
      const [top] = tree.entries;
      const known = operation === "delete" && top?.kind === "file" ? versions.known(source.path) : undefined;
      if (known !== undefined && top !== undefined && !isSameVersion(known.version, top.version)) {
        throw conflict(path, call, "modified");
      }
      return tree;
    };
    const placings = (tree: Tree): Placing[] => {
      const version = tree.entries[0]?.version;
      if (version === undefined) throw new StaleTargetError();
      const seen = { version, tree };
      const steps = (step: Step) => [{ ...step, explain }];
      if (target === undefined) return [{ file, operation: "delete", steps: steps(removeStep(source, seen)) }];
      const kept = { file, kept: version };
      if (operation === "copy") return [{ ...kept, operation: "create", steps: steps(copyStep(source, target, seen)) }];
      return [{ ...kept, operation: "move", from: source.path, steps: steps(moveStep(source, target, seen)) }];
    };
    const decide = async () => {
      const tree = await look();
      const found = foundEntry(tree, source, target);
      request.check?.(found);
      const diff = () => Promise.resolve(overviewOf(tree, found));
      const from = target === undefined ? {} : { from: found.path };
      const proposed = async () => ({ tool, path: file.relative, ...from, operation, diff: await diff() });
      const approved = async () => {
        const now = await look();
        if (!isSameTree(now, tree)) throw new StaleTargetError();
        return placings(now);
      };
      return { found, placings: isDryRun ? [] : placings(tree), diff, proposed, approved };
    };
    const keys = [source, target ?? source].map((one) => one.path.absolute);
    const { decision, results } = await explained(change({ tool, spelled: [path], keys, decide }, call.signal));
    return { ...decision.found, ...(results.length > 0 && { notes: results[0]?.notes ?? [] }) };
  };
}

/** What a path names; if it is nothing, what it may be meant to. */
async function findSource(sandbox: Sandbox, { path, operation }: EntryRequest, call: ToolCall): Promise<Target> {
  const boundary = boundaryOf(sandbox);
  const isChanged = operation !== "copy";
  const base = { from: sandbox.root, orFrom: sandbox.cwd };
  const target = findEntry(boundary, path, { ...base, call }, isChanged);
  if (target?.exists === true) return target;
  const meant = await sandbox.resolve(path, base);
  const found = findEntry(boundary, meant.relative, { from: sandbox.root }, isChanged);
  if (found?.exists === true) return found;
  throw new SandboxError({ reason: "missing", path });
}

/** @throws ToolError CONFLICT if something is there */
async function findFree(sandbox: Sandbox, to: string, source: Target): Promise<Target> {
  const boundary = boundaryOf(sandbox);
  const target = findEntry(boundary, to, { from: sandbox.root });
  // Names that mean something else to a shell, a URL or Windows are never what a caller wants to create.
  if (target === undefined || findForeignPath(to)?.remark !== undefined) {
    const { relative } = await sandbox.resolve(to, { creates: true });
    throw new SandboxError({ reason: "missing", path: to, suggestions: [relative] });
  }
  if (!target.exists || isRespelled(boundary, source, target)) return target;
  const end = resolvePath(boundary, ".", target.path.relative);
  const isDirectory = "found" in end && end.isDirectory;
  throw existsAlready(to, isDirectory ? insideOf(to, source) : undefined);
}

/** Whether the disk takes two names for one entry. */
function isRespelled(boundary: Boundary, source: Target, target: Target): boolean {
  const [parent] = parentOf(source.path.relative);
  const isAlike = foldName(source.name) === foldName(target.name) && source.name !== target.name;
  if (!isAlike || parent !== parentOf(target.path.relative)[0]) return false;
  const names = peekDirectory(boundary, boundary.paths.place(parent), () => false).map(({ name }) => name);
  return names.includes(source.name) && !names.includes(target.name);
}

function insideOf(to: string, { name }: Target): string {
  return joinRelative(to.replace(/[\\/]+$/u, ""), name);
}

function existsAlready(to: string, inside?: string): ToolError {
  const advice =
    inside === undefined ? "Choose another name" : `To put it into that directory, pass to='${echo(inside)}'`;
  return new ToolError(ErrorCode.CONFLICT, `'${echo(to)}' exists already.`, {
    hint: `Nothing was written. ${advice}.`,
  });
}

/** @throws ToolError INVALID_PARAM if a directory would go into itself */
function expectOutside(target: Target, source: Target, { path, to = "", operation }: EntryRequest): void {
  if (!target.path.relative.startsWith(`${source.path.relative}/`)) return;
  const done = operation === "copy" ? "copied" : "moved";
  throw new ToolError(ErrorCode.INVALID_PARAM, `'${echo(path)}' cannot be ${done} into itself.`, {
    hint: `Choose a name outside it, not '${echo(to)}'.`,
  });
}

/** Counts what is there, and makes sure that all of it may be changed. */
async function lookAt(
  boundary: Boundary,
  [source, target]: readonly [Target, Target | undefined],
  { path: spelled, operation, to = "" }: EntryRequest,
  signal: AbortSignal,
): Promise<Tree> {
  const { deny, protect } = boundary;
  const expectAllowed = (path: string): void => {
    for (const end of target === undefined ? [source] : [source, target]) {
      const relative = joinRelative(end.path.relative, path);
      const isDenied = deny.names(...parentOf(relative));
      const isProtected = (end === target || operation !== "copy") && protect.covers(relative);
      if (!isDenied && !isProtected) continue;
      const which = isDenied ? "" : `: '${echo(path)}'`;
      throw new ToolError(ErrorCode.ACCESS_DENIED, `Writing to '${echo(spelled)}' is not allowed.`, {
        hint: `It holds an entry that may not be changed${which}. Choose what else is in it, one by one.`,
      });
    }
  };
  const allow: TreeLook["allow"] = (path, { entries, bytes }) => {
    const limit =
      entries > MAX_ENTRIES ? `${MAX_ENTRIES} entries` : bytes > MAX_BYTES ? `${MAX_BYTES} bytes` : undefined;
    if (limit !== undefined) {
      throw new ToolError(ErrorCode.INVALID_PARAM, `'${echo(spelled)}' has more than ${limit}.`, {
        hint: "Choose smaller parts of it, one by one.",
      });
    }
    if (path !== ".") expectAllowed(path);
  };
  const look = { pacer: createPacer(signal), isToBeRemoved: operation === "delete", allow };
  const tree = await withEntry(boundary, source.path.relative, (entry) => lookAtTree(entry, look));
  const isDirectory = tree.entries[0]?.kind === "directory";
  if (!isDirectory && /[\\/]$/u.test(to)) {
    throw new ToolError(ErrorCode.NOT_FOUND, `Directory '${echo(to)}' does not exist.`, {
      hint: `Nothing was written. To make it and put it there, pass to='${echo(insideOf(to, source))}'.`,
    });
  }
  return tree;
}

function foundEntry({ entries, files, bytes }: Tree, source: Target, target: Target | undefined): FoundEntry {
  return {
    kind: entries[0]?.kind ?? "other",
    path: source.path.relative,
    children: entries.filter(({ path }) => path !== "." && !path.includes("/")).length,
    files,
    bytes,
    ...(target && { to: target.path.relative }),
    ...(target && target.missing.length > 0 && { newDirectory: parentOf(target.path.relative)[0] }),
  };
}

/** How much there is, and the first names, for a user to look at. */
function overviewOf({ entries, files, bytes }: Tree, { path: top }: FoundEntry): string {
  const names = entries.slice(0, MAX_NAMES).map(({ path, kind }) => {
    const shown = path === "." ? top : joinRelative(top, shownPath(path));
    return escapeText(kind === "directory" ? `${shown}/` : shown);
  });
  const rest = entries.length > names.length ? [`... and ${entries.length - names.length} more`] : [];
  const head = `${files} files, ${entries.length - files} directories, ${bytes} bytes`;
  return [head, ...names, ...rest, ""].join("\n");
}
