import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import type { Boundary, TopRoot } from "../disk/boundary.ts";
import { describeErrno, errnoCode, fsError, reasonOf } from "../disk/errno.ts";
import { MAX_ATTEMPTS } from "../disk/open.ts";
import { spelledOnDisk } from "../disk/spelled-on-disk.ts";
import { lstatPath, type PathStatus } from "../disk/verifier.ts";
import type { SandboxReason } from "../error.ts";
import { joinRelative, parentOf, segments } from "../names/safe-path.ts";

/** A path that exists inside. */
export interface Found {
  /** The real path relative to the project root. */
  readonly found: string;
  readonly isDirectory: boolean;
  /** Whether it is a regular file: neither a directory, nor a FIFO, socket or device. */
  readonly isFile: boolean;
  /** The links that were followed on the way. */
  readonly followed: readonly FollowedLink[];
}

/** A link on the way, as it was seen. */
interface FollowedLink {
  /** Relative to the project root. */
  readonly path: string;
  readonly target: string;
}

/** A path that was refused, or that ended early. */
export interface Stopped {
  readonly stopped: SandboxReason;
  readonly osError?: string;
  /** The deepest existing directory on the way, relative to the project root. */
  readonly nearest: string;
  /** The relative path that the disk was last asked about; undefined if it was not asked. */
  readonly asked?: string;
  /** The links that were followed on the way. */
  readonly followed?: readonly FollowedLink[];
  /** For a missing path: the first name that `nearest` does not have, and the names after it. */
  readonly absent?: readonly string[];
  /** For a missing path: the file on the way that was used as a directory. */
  readonly file?: string;
  /** For a missing path: whether the names after what is missing lead out of the root. */
  readonly leadsOut?: boolean;
}

const MAX_LINKS = 40;
const MAX_PATH_BYTES = 4096;
// The system has no such limit, but links to long paths could otherwise block the event loop.
const MAX_STEPS = 4096;

/** Looks at an absolute path without following it; undefined if nothing is there. */
type Look = (absolute: string) => PathStatus | undefined;

/** A position on the way: in a root; in the list of several; or above the roots, where the disk is not asked. */
interface Position {
  readonly boundary: Boundary;
  readonly look: Look;
  root: TopRoot | undefined;
  /** The names below the root. */
  inside: string[];
  /** The names above the roots, where it is there. */
  above?: readonly string[] | undefined;
  kind: PathStatus["kind"];
  /** Names still to go, the next one last. */
  readonly pending: string[];
  /** How many of the next ones are of a link or an absolute path: their ".." leads where the disk's does. */
  ofDisk: number;
  readonly followed: FollowedLink[];
}

/**
 * Follows a path from the relative directory `from`, one name at a time, through links, as the system does.
 * Nothing outside the root is ever looked at, so the answer cannot depend on what is there.
 */
export function follow(boundary: Boundary, from: string, input: string, look: Look = lstatPath): Found | Stopped {
  if (input.includes("\0")) return { stopped: "invalid_name", osError: "it contains a NUL byte", nearest: "." };
  const bytes = Buffer.from(input);
  if (bytes.length >= MAX_PATH_BYTES) return invalid("ENAMETOOLONG");
  // Through bytes, so that a lone surrogate becomes the character that the system will see.
  const path = bytes.toString();
  const followed: FollowedLink[] = [];
  const root = boundary.tops.length === 1 ? boundary.tops[0] : undefined;
  const here: Position = { boundary, look, root, inside: [], kind: "directory", pending: [], ofDisk: 0, followed };
  enter(here, isAbsolute(path) ? path : `${from}/${path}`, isAbsolute(path));
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const name = here.pending.pop();
    if (name === undefined) {
      if (here.above !== undefined) return { ...OUTSIDE, followed };
      return { found: pathOf(here), isDirectory: here.kind === "directory", isFile: here.kind === "file", followed };
    }
    const isOfDisk = here.ofDisk > 0;
    if (isOfDisk) here.ofDisk -= 1;
    const stopped = here.root === undefined ? stepOutside(here, name) : stepInside(here, here.root, name, isOfDisk);
    if (stopped !== undefined) return { ...stopped, followed };
  }
  return { ...invalid("ELOOP"), followed };
}

/**
 * Tells whether the link `name` in a directory leads to a directory inside that is not denied; for use within one call.
 * Each path is asked about through its verified parent, and once: ten thousand links to one place, or to each other,
 * cost little.
 */
export function createLinkProbe(boundary: Boundary): (directory: string, name: string) => boolean {
  const { paths, verifier } = boundary;
  const seen = new Map<string, PathStatus | undefined>();
  const look = (absolute: string): PathStatus | undefined => {
    if (!seen.has(absolute)) {
      const relative = paths.relative(absolute);
      // What cannot be reached like that counts as missing.
      seen.set(absolute, relative === undefined ? undefined : verifier.look(paths.place(relative))?.result);
    }
    return seen.get(absolute);
  };
  return (directory, name) => {
    const end = follow(boundary, directory, name, look);
    return "found" in end && end.isDirectory;
  };
}

/** The one answer for everything outside. */
export const OUTSIDE: Stopped = { stopped: "outside", nearest: "." };

function invalid(code: "ENAMETOOLONG" | "ELOOP"): Stopped {
  return { stopped: "invalid_name", osError: describeErrno(code), nearest: "." };
}

/** Puts the names of a path or of a link's target in front of those still to go. */
function enter(here: Position, path: string, isOfDisk: boolean): void {
  const names = segments(path);
  if (isAbsolute(path)) {
    const spelled = here.boundary.spellings.find((spelling) => startsWith(names, spelling.names));
    here.kind = "directory";
    if (spelled === undefined) standAt(here, []);
    else {
      standIn(here, spelled.top);
      names.splice(0, spelled.names.length, ...spelled.inside);
    }
  }
  if (isOfDisk) here.ofDisk += names.length;
  here.pending.push(...names.reverse());
}

function startsWith(names: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => isSameName(name, names[index]));
}

// What the host and the system call the root is known; on Windows its case does not matter.
function isSameName(known: string | undefined, given: string | undefined): boolean {
  return known === given || (sep === "\\" && known?.toLowerCase() === given?.toLowerCase());
}

function standIn(here: Position, root: TopRoot | undefined): void {
  here.root = root;
  here.inside = [];
  here.above = undefined;
}

/** Stands at an absolute path that is above the roots, or at the top of one. */
function standAt(here: Position, names: readonly string[]): void {
  const top = here.boundary.tops.find((root) => root.names.length === names.length && startsWith(names, root.names));
  standIn(here, top);
  if (top === undefined) here.above = names;
}

/** Above the roots only their own real paths are known, in the list only they; whatever else there may be is outside. */
function stepOutside(here: Position, name: string): Stopped | undefined {
  const { tops } = here.boundary;
  if (here.above !== undefined) {
    const names = name === ".." ? here.above.slice(0, -1) : [...here.above, name];
    if (!tops.some((root) => startsWith(root.names, names))) return OUTSIDE;
    standAt(here, names);
    return undefined;
  }
  if (name === "..") return OUTSIDE;
  const top = tops.find(({ path }) => path === name);
  if (top === undefined) return missing(here, name);
  standIn(here, top);
  return undefined;
}

function stepInside(here: Position, root: TopRoot, name: string, isOfDisk: boolean): Stopped | undefined {
  const { boundary, look } = here;
  const directory = pathOf(here);
  if (here.kind !== "directory") {
    const osError = describeErrno("ENOTDIR");
    const [nearest] = parentOf(directory);
    return { stopped: "missing", osError, nearest, asked: directory, file: directory, leadsOut: leadsOut(here, name) };
  }
  if (name === "..") {
    if (here.inside.pop() !== undefined) return undefined;
    if (isOfDisk || boundary.tops.length === 1) standAt(here, root.names.slice(0, -1));
    else standIn(here, undefined);
    return undefined;
  }
  // Before the disk is asked, so that the answer does not reveal whether it exists.
  const path = joinRelative(directory, name);
  if (boundary.deny.names(directory, name)) return { stopped: "denied", nearest: directory };
  try {
    const status = look(boundary.paths.absolute(path));
    if (status === undefined) return missing(here, name);
    const spelled = boundary.deny.isEmpty ? name : spelledOnDisk(boundary, directory, name, status.device);
    if (spelled === undefined) return { stopped: "denied", nearest: directory, asked: path };
    return step(here, spelled, status);
  } catch (error) {
    const osError = describeErrno(errnoCode(error) ?? "UNKNOWN");
    return { stopped: reasonOf(error), osError, nearest: directory, asked: path };
  }
}

function step(here: Position, name: string, { kind, target }: PathStatus): Stopped | undefined {
  if (kind !== "link") {
    here.inside.push(name);
    here.kind = kind;
  } else if (target === undefined) {
    // Looked at again: it was replaced before it could be read.
    here.pending.push(name);
    here.ofDisk += 1;
  } else {
    if (here.followed.length === MAX_LINKS) return invalid("ELOOP");
    here.followed.push({ path: joinRelative(pathOf(here), name), target });
    enter(here, target, true);
  }
  return undefined;
}

/** A missing path may be denied as well: a rule gives the same answer either way. */
function missing(here: Position, name: string): Stopped {
  const absent = [name, ...here.pending.toReversed()];
  const end = absent.indexOf("..");
  const spelled = end < 0 ? absent : absent.slice(0, end);
  const nearest = pathOf(here);
  if (here.boundary.deny.covers(joinRelative(nearest, spelled.join("/")))) return { stopped: "denied", nearest };
  return {
    stopped: "missing",
    osError: describeErrno("ENOENT"),
    nearest,
    ...(here.root === undefined ? {} : { asked: joinRelative(nearest, name) }),
    absent,
    leadsOut: leadsOut(here, name),
  };
}

/** Whether the names still to go lead above the top, by their spelling alone, as there is nothing to follow. */
function leadsOut(here: Position, name: string): boolean {
  let depth = segments(pathOf(here)).length;
  return [name, ...here.pending.toReversed()].some((next) => {
    depth += next === ".." ? -1 : 1;
    return depth < 0;
  });
}

/** The relative path of a position that is not above the roots. */
function pathOf({ root, inside }: Position): string {
  if (root === undefined) return ".";
  const path = inside.join("/") || ".";
  return root.path === "." ? path : path === "." ? root.path : `${root.path}/${path}`;
}

/**
 * Follows a path, or goes on from what was `seen` a moment ago, and reports only what was seen inside: meanwhile a
 * directory on the way may have become a link to outside, and the answer must not reveal what exists there.
 */
export function resolvePath(
  boundary: Boundary,
  from: string,
  input: string,
  seen = follow(boundary, from, input),
): Found | Stopped {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const end = attempt === 0 ? seen : follow(boundary, from, input);
    if (isConfirmed(boundary, end)) return "found" in end ? spelledBySystem(boundary, end) : end;
    // To follow a path to a root itself asks the disk nothing.
    if ("found" in end && isMissingRoot(boundary, end.found)) {
      return { stopped: "missing", osError: describeErrno("ENOENT"), nearest: end.found };
    }
  }
  return OUTSIDE;
}

/** Whether a path is that of a root, and nothing has the root's name any more. */
export function isMissingRoot({ paths }: Boundary, relative: string): boolean {
  if (!paths.isRoot(relative) || paths.isList(relative)) return false;
  try {
    return lstatSync(paths.absolute(relative), { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // What was a directory above it is a file now; any other failure tells nothing about the root.
    return errnoCode(error) === "ENOTDIR";
  }
}

function isConfirmed(boundary: Boundary, end: Found | Stopped): boolean {
  const { followed = [] } = end;
  if (!followed.every((link) => isStillThere(boundary, link))) return false;
  const asked = "found" in end ? end.found : end.asked;
  if (asked === undefined) return true;
  try {
    const seen = boundary.verifier.look(boundary.paths.place(asked));
    if (seen === undefined) return false;
    const kind = seen.result?.kind;
    if ("found" in end) return kind !== undefined && kind !== "link" && (kind === "directory") === end.isDirectory;
    if (end.stopped === "denied") return kind !== undefined;
    if (kind === undefined) return end.stopped === "missing" && end.file === undefined;
    return end.file !== undefined && kind !== "link" && kind !== "directory";
  } catch (error) {
    const reason = reasonOf(error);
    if ("stopped" in end && end.stopped === reason) return true;
    if (reason === "io" || reason === "unknown") throw fsError(error, asked);
    return false;
  }
}

function isStillThere({ paths, verifier }: Boundary, { path, target }: FollowedLink): boolean {
  try {
    return verifier.look(paths.place(path))?.result?.target === target;
  } catch (error) {
    if (reasonOf(error) === "missing") return false;
    throw error;
  }
}

// macOS and Windows accept a name in any case, and report the one on the disk; elsewhere that is the exception.
const TELLS_SPELLING = process.platform === "win32" || process.platform === "darwin";

function spelledBySystem(boundary: Boundary, end: Found): Found | Stopped {
  if (!TELLS_SPELLING || boundary.paths.isList(end.found)) return end;
  try {
    const found = boundary.paths.relative(realpathSync.native(boundary.paths.absolute(end.found)));
    if (found === undefined) return OUTSIDE;
    return boundary.deny.covers(found) ? { stopped: "denied", nearest: "." } : { ...end, found };
  } catch (error) {
    throw fsError(error, end.found);
  }
}
