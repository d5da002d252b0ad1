import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { namesFromText, type ToolCall } from "@fstools/protocol";
import { createBoundary, type Boundary } from "./disk/boundary.ts";
import { MAX_ATTEMPTS, openFile, openSeen, type SandboxFile, type VerifiedDescriptor } from "./disk/open.ts";
import { openDirectory, readDirectory, type SandboxDirectory } from "./disk/directory.ts";
import { fsError } from "./disk/errno.ts";
import type { DirectoryEntry, Verification } from "./disk/verifier.ts";
import { SandboxError } from "./error.ts";
import type { SafePath } from "./names/safe-path.ts";
import { createPacer } from "./pacer.ts";
import { explain, type RequestedPath } from "./resolve/explain.ts";
import { createLinkProbe, follow, OUTSIDE, resolvePath, type Found, type Stopped } from "./resolve/follow.ts";
import { fromEachRoot, inOnlyRoot } from "./resolve/unnamed.ts";
import type { RootOptions } from "./roots.ts";

/**
 * What a host says about the part of its file system that may be seen: an existing directory; or several as a project,
 * where every path begins with the name of its root, and "." is their list; a single one is what `projectRoot` is.
 */
export type SandboxOptions = SandboxRules &
  ({ readonly projectRoot: string } | { readonly roots: readonly RootOptions[] });

/** What a host may say besides where its project is. */
export interface SandboxRules {
  /** A directory inside, absolute or relative to the project root or the list of roots. @default that root or list */
  readonly workingDir?: string;
  /** picomatch globs from each root for what is hidden, with all below it; without a slash at any depth. @default [] */
  readonly deny?: readonly string[];
  /** Also hides `SECRET_FILES`: keys, tokens and passwords under their usual names. @default true */
  readonly defaultDeny?: boolean;
  /** Whether what `.gitignore` files and `.git/info/exclude` of each root ignore counts as ignored. @default false */
  readonly gitignore?: boolean;
  /** Globs like those of `deny`, for what can be read but not written, with everything below it. @default [".git"] */
  readonly protect?: readonly string[];
  /** Whether to refuse to start where {@link Sandbox.verification} would be "path". @default false */
  readonly requireVerified?: boolean;
}

/** How a path is to be read. */
interface ResolveOptions {
  /** Where a relative path starts. @default the project root */
  readonly from?: SafePath;
  /** Where it starts if nothing exists there. */
  readonly orFrom?: SafePath | undefined;
  /** Whether it is to be created if it is missing: a path without a root's name is then suggested with each name. */
  readonly creates?: boolean | undefined;
  /** The call that it is for, which notes where it led, before anything is opened. */
  readonly call?: Pick<ToolCall, "note" | "tell"> | undefined;
}

/** One of a project's directories that is in no other. */
interface SandboxRoot {
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
  /** Opens a regular file, which lies inside whatever happens to the path meanwhile. @throws SandboxError */
  open(path: SafePath): SandboxFile;
  /** Resolves a path and opens the regular file there, with fewer system calls; rejects with a SandboxError. */
  resolveFile(input: string, options?: ResolveOptions): Promise<SandboxFile>;
  /** Resolves a path and opens the directory there, with fewer system calls; rejects with a SandboxError. */
  resolveDirectory(input: string, options?: ResolveOptions): Promise<SandboxDirectory>;
  /** Lists a directory in batches, without denied entries; rejects with a SandboxError or the signal's reason. */
  readDirectory(path: SafePath, options?: { readonly signal?: AbortSignal }): AsyncIterable<readonly DirectoryEntry[]>;
  /** For one listing: tells whether the link of a name leads to a directory inside that is not denied; never throws. */
  createLinkProbe(directory: SafePath): (name: string) => boolean;
}

const boundaries = new WeakMap<Sandbox, Boundary>();

/** Makes a sandbox. @throws Error if a directory does not exist, or the options ask for what cannot be */
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
  const requested = async (input: string, { from = root, ...options }: ResolveOptions = {}): Promise<Request> => {
    paths.check(from);
    if (pacer.due()) await createPacer().rest();
    return { ...options, input, from, cwd };
  };
  const sandbox: Sandbox = {
    roots: tops.map(({ path }) => ({
      path: paths.create(path),
      spellings: roots.flatMap((other) => (other.path === path ? [other.spelled, other.absolute] : [])),
    })),
    root,
    cwd,
    verification: boundary.verifier.verification,
    resolve: async (input, options) => resolve(boundary, await requested(input, options)),
    resolveFile: async (input, options) => openResolved(boundary, await requested(input, options), "file", openFile),
    resolveDirectory: async (input, options) =>
      openResolved(boundary, await requested(input, options), "directory", openDirectory),
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
      const leadsToDirectory = createLinkProbe(boundary);
      return (name) => leadsToDirectory(directory.relative, name);
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

type Request = ResolveOptions & RequestedPath;

/** In one step where the path leads to what is wanted, as most do; otherwise step by step, which tells why not. */
function openResolved<Opened>(
  boundary: Boundary,
  request: Request,
  kind: "file" | "directory",
  open: (boundary: Boundary, path: SafePath, verified?: VerifiedDescriptor) => Opened,
): Opened {
  const seen = follow(boundary, request.from.relative, request.input);
  // Links have to be confirmed one by one.
  const isDirect = "found" in seen && seen.followed.length === 0;
  if (isDirect && (kind === "file" ? seen.isFile : seen.isDirectory)) {
    const path = boundary.paths.create(seen.found);
    const verified = openSeen(boundary, path, kind);
    if (verified !== undefined) {
      request.call?.note({ path_resolved: path.relative });
      return open(boundary, path, verified);
    }
  }
  return open(boundary, resolve(boundary, request, seen));
}

function resolve(boundary: Boundary, request: Request, seen?: Found | Stopped): SafePath {
  const { input, from, orFrom, call } = request;
  const create = ({ found }: Found): SafePath => {
    call?.note({ path_resolved: found });
    return boundary.paths.create(found);
  };
  const end = resolvePath(boundary, from.relative, input, seen);
  if ("found" in end) return create(end);
  if (end.stopped !== "missing") throw explain(boundary, end, request);
  if (orFrom !== undefined) boundary.paths.check(orFrom);
  // Models also copy a name as an answer shows it: quoted and escaped.
  const shown = namesFromText(input).flatMap((spelling) => [[from, spelling] as const, [orFrom, spelling] as const]);
  for (const [base, spelling] of [[orFrom, input] as const, ...shown]) {
    const other = base && resolvePath(boundary, base.relative, spelling);
    if (other !== undefined && "found" in other) return create(other);
  }
  const named = fromEachRoot(boundary, input);
  const only = inOnlyRoot(named, input, call);
  if (only !== undefined) return create(only.end);
  throw explain(boundary, end.leadsOut === true ? OUTSIDE : end, request, named);
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
