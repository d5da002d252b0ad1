import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { echo, namesFromText, type ToolCall } from "@fstools/protocol";
import { createBoundary, type Boundary } from "./disk/boundary.ts";
import { MAX_ATTEMPTS, openSeen, type VerifiedDescriptor } from "./disk/descriptor.ts";
import { openDirectory, readDirectory, type SandboxDirectory } from "./disk/directory.ts";
import { fsError } from "./disk/errno.ts";
import type { DirectoryEntry } from "./disk/listing.ts";
import { openFile, type SandboxFile } from "./disk/open.ts";
import type { Verification } from "./disk/verifier.ts";
import { SandboxError } from "./error.ts";
import { findForeignPath } from "./names/foreign-path.ts";
import type { SafePath } from "./names/safe-path.ts";
import { createPacer } from "./pacer.ts";
import { follow, OUTSIDE, type Found, type Stopped } from "./resolve/follow.ts";
import { createLookInside, leadsToDirectory } from "./resolve/leads-to-directory.ts";
import { isMissingRoot, resolvePath } from "./resolve/resolve-path.ts";
import { suggest } from "./resolve/suggest.ts";
import { fromEachRoot, inOnlyRoot, takenFor, type NamedPath } from "./resolve/unnamed.ts";
import type { RootOptions } from "./roots.ts";

/** What a host says about the part of its file system that may be seen. */
export type SandboxOptions = SandboxRules &
  (
    | {
        /** An existing directory; nothing outside it can be reached. */
        readonly projectRoot: string;
      }
    | {
        /**
         * Several directories as one project: every path begins with the name of its root, and "." is their list. One
         * alone is what `projectRoot` is.
         */
        readonly roots: readonly RootOptions[];
      }
  );

/** What a host may say besides where its project is. */
export interface SandboxRules {
  /**
   * A directory inside, absolute or relative to the project root; of several roots it begins with a name.
   * @default the project root, or the list of the roots
   */
  readonly workingDir?: string;
  /**
   * picomatch globs relative to each root for what stays hidden, with everything below it. One without a slash,
   * such as `*.pem`, matches at any depth.
   * @default []
   */
  readonly deny?: readonly string[];
  /**
   * Also hides what people call secrets (`SECRET_FILES`): keys, tokens and passwords under their usual names.
   * @default true
   */
  readonly defaultDeny?: boolean;
  /**
   * Whether what git ignores counts as ignored: by `.gitignore` in each root and below, and `.git/info/exclude`.
   * @default false
   */
  readonly gitignore?: boolean;
  /** Globs like those of `deny`, for what can be read but not written, with everything below it. @default [".git"] */
  readonly protect?: readonly string[];
  /** Whether to refuse to start where {@link Sandbox.verification} would be "path". @default false */
  readonly requireVerified?: boolean;
}

/** How a path is to be read. */
export interface ResolveOptions {
  /** Where a relative path starts; a string is resolved itself, from the project root. @default the project root */
  readonly from?: SafePath | string;
  /** Where it starts if nothing exists there. */
  readonly orFrom?: SafePath | undefined;
  /** Whether it is to be created if it is missing: a path without a root's name is then suggested with each name. */
  readonly creates?: boolean | undefined;
  /** The call that it is for, which notes where it led, before anything is opened. */
  readonly call?: Pick<ToolCall, "note" | "tell"> | undefined;
}

/** One of a project's directories that is in no other. */
export interface SandboxRoot {
  /** Its name as a path, where there are several. */
  readonly path: SafePath;
  /** Its absolute path as the host spelled it, links included, and its real one. */
  readonly spellings: readonly string[];
}

/** The only way to the disk: paths, files and directories inside the project root. */
export interface Sandbox {
  readonly roots: readonly SandboxRoot[];
  /** The root, or the list of several. */
  readonly root: SafePath;
  /** The working directory. */
  readonly cwd: SafePath;
  /** "descriptor" on Linux with `/proc`: no swap of a path goes unseen. "path" elsewhere: the best without it. */
  readonly verification: Verification;
  /** Follows a path through links to what it really names; rejects with a SandboxError. */
  resolve(input: string, options?: ResolveOptions): Promise<SafePath>;
  /** @throws SandboxError */
  kind(path: SafePath): "file" | "directory" | "other";
  /**
   * Opens a regular file; what was opened is known to lie inside, whatever happens to the path meanwhile.
   * @throws SandboxError
   */
  open(path: SafePath): SandboxFile;
  /** Resolves a path and opens the regular file there, with fewer system calls; rejects with a SandboxError. */
  resolveFile(input: string, options?: ResolveOptions): Promise<SandboxFile>;
  /** Resolves a path and opens the directory there, with fewer system calls; rejects with a SandboxError. */
  resolveDirectory(input: string, options?: ResolveOptions): Promise<SandboxDirectory>;
  /** Lists a directory in batches, without denied entries; rejects with a SandboxError or the signal's reason. */
  readDirectory(path: SafePath, options?: { readonly signal?: AbortSignal }): AsyncIterable<readonly DirectoryEntry[]>;
  /**
   * For one listing: tells whether the link of a name in `directory` leads to a directory inside that is not denied.
   * It looks at each path only once; never throws.
   */
  createLinkProbe(directory: SafePath): (name: string) => boolean;
}

const boundaries = new WeakMap<Sandbox, Boundary>();

/**
 * Makes a sandbox around a project.
 * @throws Error if `projectRoot` is not an existing directory, `workingDir` is not one inside it, `deny` is invalid,
 * or `requireVerified` asks for what the system cannot do.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { workingDir, defaultDeny = true, requireVerified = false } = options;
  const boundary = createBoundary({ ...options, defaultDeny });
  if (requireVerified && boundary.verifier.verification !== "descriptor") {
    throw new Error(
      "requireVerified: this system does not tell where a descriptor leads (it has no usable /proc/self/fd).",
    );
  }
  return createSandboxWithin(boundary, workingDir);
}

/** Makes a sandbox within a boundary. */
export function createSandboxWithin(boundary: Boundary, workingDir = "."): Sandbox {
  const { paths, roots, tops } = boundary;
  // Asked at the start of every call, so that a burst of small calls shares the event loop too; each rests on its own.
  const pacer = createPacer();
  const root = paths.create(".");
  const cwd = paths.create(workingDirectory(boundary, workingDir));
  const sandbox: Sandbox = {
    roots: tops.map(({ path }) => ({
      path: paths.create(path),
      spellings: roots.flatMap((other) => (other.path === path ? [other.spelled, other.absolute] : [])),
    })),
    root,
    cwd,
    verification: boundary.verifier.verification,
    resolve: async (input, { from = root, ...options } = {}) => {
      if (pacer.due()) await createPacer().rest();
      return resolve(boundary, cwd, input, { ...options, from: startAt(boundary, from) });
    },
    resolveFile: async (input, { from = root, ...options } = {}) => {
      if (pacer.due()) await createPacer().rest();
      return openResolved(boundary, cwd, input, { ...options, from: startAt(boundary, from) }, "file", openFile);
    },
    resolveDirectory: async (input, { from = root, ...options } = {}) => {
      if (pacer.due()) await createPacer().rest();
      return openResolved(
        boundary,
        cwd,
        input,
        { ...options, from: startAt(boundary, from) },
        "directory",
        openDirectory,
      );
    },
    kind: (path) => kind(boundary, path),
    open: (path) => {
      paths.check(path);
      return openFile(boundary, path);
    },
    readDirectory: (path, { signal } = {}) => {
      paths.check(path);
      return readDirectory(boundary, path, signal);
    },
    createLinkProbe: (directory) => {
      const look = createLookInside(boundary);
      return (name) => leadsToDirectory(boundary, directory.relative, name, look);
    },
  };
  boundaries.set(sandbox, boundary);
  return Object.freeze(sandbox);
}

/** The boundary of a sandbox, for the other parts of this package that use the disk. */
export function boundaryOf(sandbox: Sandbox): Boundary {
  const boundary = boundaries.get(sandbox);
  if (boundary === undefined) throw new TypeError("Expected a sandbox made by createSandbox.");
  return boundary;
}

function workingDirectory(boundary: Boundary, workingDir: string): string {
  const end = follow(boundary, ".", hostPath(workingDir));
  if ("found" in end && end.isDirectory) return end.found;
  const roots = boundary.tops.map(({ path }) => `'${boundary.paths.absolute(path)}'`);
  throw new Error(`workingDir '${workingDir}' is not an existing directory inside projectRoot ${roots.join(", ")}.`);
}

/** The host, unlike a caller, may spell an absolute path through any link. */
function hostPath(path: string): string {
  if (!isAbsolute(path)) return path;
  try {
    return realpathSync.native(path);
  } catch {
    // Missing or unreadable: the walk finds out, and reports both in the same way.
    return path;
  }
}

function startAt(boundary: Boundary, from: SafePath | string): SafePath {
  const root = boundary.paths.create(".");
  if (typeof from === "string") return resolve(boundary, root, from, { from: root });
  boundary.paths.check(from);
  return from;
}

/** A {@link ResolveOptions} whose start is known. */
interface Start extends ResolveOptions {
  readonly from: SafePath;
}

/** In one step where the path leads to what is wanted, as most do; otherwise step by step, which tells why not. */
function openResolved<Opened>(
  boundary: Boundary,
  cwd: SafePath,
  input: string,
  start: Start,
  kind: "file" | "directory",
  open: (boundary: Boundary, path: SafePath, verified?: VerifiedDescriptor) => Opened,
): Opened {
  const seen = follow(boundary, start.from.relative, input);
  // Links have to be confirmed one by one.
  const isDirect = "found" in seen && seen.followed.length === 0;
  if (isDirect && (kind === "file" ? seen.isFile : seen.isDirectory)) {
    const path = boundary.paths.create(seen.found);
    const verified = openSeen(boundary, path, kind);
    if (verified !== undefined) {
      start.call?.note({ path_resolved: path.relative });
      return open(boundary, path, verified);
    }
  }
  return open(boundary, resolve(boundary, cwd, input, start, seen));
}

function resolve(
  boundary: Boundary,
  cwd: SafePath,
  input: string,
  { from, orFrom, creates, call }: Start,
  seen?: Found | Stopped,
): SafePath {
  const create = (relative: string): SafePath => {
    call?.note({ path_resolved: relative });
    return boundary.paths.create(relative);
  };
  const end = resolvePath(boundary, from.relative, input, seen);
  if ("found" in end) return create(end.found);
  if (end.stopped !== "missing") throw explain(boundary, end, input, { from, cwd });
  if (orFrom !== undefined) boundary.paths.check(orFrom);
  // Models also copy a name as an answer shows it: quoted and escaped.
  const shown = namesFromText(input).flatMap((spelling) => [[from, spelling] as const, [orFrom, spelling] as const]);
  for (const [base, spelling] of [[orFrom, input] as const, ...shown]) {
    if (base === undefined) continue;
    const other = resolvePath(boundary, base.relative, spelling);
    if ("found" in other) return create(other.found);
  }
  const named = fromEachRoot(boundary, input);
  const only = inOnlyRoot(named);
  if (only !== undefined) {
    call?.tell(takenFor(input, only.path));
    return create(only.end.found);
  }
  throw explain(boundary, end.leadsOut === true ? OUTSIDE : end, input, { from, cwd, named, creates });
}

/** What is known about a path that leads nowhere. */
interface Attempt extends Pick<ResolveOptions, "creates"> {
  /** Where the caller's own relative paths start. */
  readonly from: SafePath;
  /** Where those of the tool that lists directories do. */
  readonly cwd: SafePath;
  /** For a path without a root's name: the same with the name of each of several. */
  readonly named?: readonly NamedPath[];
}

function explain(
  boundary: Boundary,
  seen: Stopped,
  input: string,
  { from, cwd, named = [], creates = false }: Attempt,
): SandboxError {
  const nowhere = named.flatMap(({ end }) => ("stopped" in end ? [end] : []));
  const isNowhere = named.length > 0 && nowhere.length === named.length;
  // What no root has may be denied in one: a rule gives the same answer either way.
  const end = (isNowhere ? nowhere.find(({ stopped }) => stopped === "denied") : undefined) ?? seen;
  const { stopped: reason, osError = "" } = end;
  const nearest = spelledFrom(boundary, cwd, end.nearest);
  if (reason !== "missing" && reason !== "outside") return new SandboxError({ reason, path: input, osError, nearest });
  const foreign = findForeignPath(input);
  const isRootGone = reason === "missing" && isMissingRoot(boundary, end.nearest);
  const suggestions = [
    ...named.flatMap((one) => (isMeant(boundary, one, creates) ? [one.path] : [])),
    ...(foreign === undefined ? [] : existing(boundary, [foreign.spelling, `/${foreign.spelling}`])),
    ...[end, ...nowhere].flatMap((stopped) => similar(boundary, stopped)),
  ];
  const remark = foreign?.remark ?? (isNowhere ? namesOfRoots(boundary) : undefined);
  return new SandboxError({
    reason,
    path: input,
    osError,
    nearest: isRootGone ? "" : nearest,
    suggestions: [...new Set(suggestions)].slice(0, 3).map((path) => spelledFrom(boundary, from, path)),
    ...(remark === undefined ? {} : { remark }),
  });
}

/** Whether it is there, or could be created in a directory that is. */
function isMeant({ protect }: Boundary, { path, end }: NamedPath, creates: boolean): boolean {
  if ("found" in end) return true;
  return creates && end.absent?.length === 1 && !protect.covers(path);
}

/** What exists that the caller may have meant by a path that does not. */
function similar(boundary: Boundary, { file, nearest, absent }: Stopped): readonly string[] {
  return [...(file === undefined ? [] : [file]), ...(absent === undefined ? [] : suggest(boundary, nearest, absent))];
}

const MAX_NAMED_ROOTS = 10;

function namesOfRoots({ tops }: Boundary): string {
  const names = tops.slice(0, MAX_NAMED_ROOTS).map(({ path }) => `'${echo(path)}'`);
  return `A path begins with the name of a root: ${names.join(", ")}${tops.length > names.length ? ", …" : ""}.`;
}

/** A relative path, spelled from `base` if it would name something else there. */
function spelledFrom(boundary: Boundary, base: SafePath, relative: string): string {
  if (base.relative === ".") return relative;
  const end = resolvePath(boundary, base.relative, relative);
  if (!("found" in end) || end.found === relative) return relative;
  const up = "../".repeat(base.relative.split("/").length);
  return relative === "." ? up.slice(0, -1) : up + relative;
}

/** Those of the spellings that name something below a root, by their real paths. */
function existing(boundary: Boundary, spellings: readonly string[]): string[] {
  const ends = spellings.flatMap((spelling) => [
    resolvePath(boundary, ".", spelling),
    ...fromEachRoot(boundary, spelling).map(({ end }) => end),
  ]);
  return ends.flatMap((end) => ("found" in end && !boundary.paths.isRoot(end.found) ? [end.found] : []));
}

function kind(boundary: Boundary, path: SafePath): "file" | "directory" | "other" {
  boundary.paths.check(path);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const seen = boundary.verifier.look(path);
      if (seen === undefined) continue;
      if (seen.result === undefined) throw new SandboxError({ reason: "missing", path: path.relative });
      const { kind: found } = seen.result;
      // The path was real when it was resolved: a link there now was put there since.
      if (found !== "link") return found;
    }
  } catch (error) {
    throw fsError(error, path.relative);
  }
  throw new SandboxError({ reason: "outside", path: path.relative });
}
