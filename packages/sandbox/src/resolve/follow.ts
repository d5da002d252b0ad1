import { isAbsolute, sep } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import { describeErrno, errnoCode, reasonOf } from "../disk/errno.ts";
import { spelledOnDisk } from "../disk/spelled-on-disk.ts";
import { lstatPath, type PathStatus } from "../disk/verifier.ts";
import type { SandboxReason } from "../error.ts";
import { segments } from "../names/safe-path.ts";

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
export interface FollowedLink {
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

/** A position on the way: a number of names of the root's real path and, once it has all of them, names below it. */
interface Position {
  depth: number;
  inside: string[];
  kind: PathStatus["kind"];
  /** Names still to go, the next one last. */
  readonly pending: string[];
  /** How many links were met, those included that were replaced before they could be read. */
  links: number;
  readonly followed: FollowedLink[];
}

/** Looks at an absolute path without following it; undefined if nothing is there. */
export type Look = (absolute: string) => PathStatus | undefined;

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
  const here: Position = {
    depth: boundary.rootNames.length,
    inside: [],
    kind: "directory",
    pending: [],
    links: 0,
    followed: [],
  };
  enter(boundary, here, isAbsolute(path) ? path : `${from}/${path}`);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const name = here.pending.pop();
    const isInside = here.depth === boundary.rootNames.length;
    if (name === undefined) {
      const { inside, kind, followed } = here;
      if (!isInside) return { ...OUTSIDE, followed };
      return { found: relative(inside), isDirectory: kind === "directory", isFile: kind === "file", followed };
    }
    const stopped = isInside ? stepInside(boundary, here, name, look) : stepAbove(boundary, here, name);
    if (stopped !== undefined) return { ...stopped, followed: here.followed };
  }
  return { ...invalid("ELOOP"), followed: here.followed };
}

/** The one answer for everything outside. */
export const OUTSIDE: Stopped = { stopped: "outside", nearest: "." };

function invalid(code: "ENAMETOOLONG" | "ELOOP"): Stopped {
  return { stopped: "invalid_name", osError: describeErrno(code), nearest: "." };
}

/** Puts the names of a path or of a link's target in front of those still to go. */
function enter(boundary: Boundary, here: Position, path: string): void {
  const names = segments(path);
  if (isAbsolute(path)) {
    const spelled = [boundary.givenRootNames, boundary.rootNames].find((root) => startsWith(names, root));
    names.splice(0, spelled?.length ?? 0);
    here.depth = spelled === undefined ? 0 : boundary.rootNames.length;
    here.inside = [];
    here.kind = "directory";
  }
  here.pending.push(...names.reverse());
}

function startsWith(names: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => isSameName(name, names[index]));
}

// What the host and the system call the root is known; on Windows its case does not matter.
function isSameName(known: string | undefined, given: string | undefined): boolean {
  return known === given || (sep === "\\" && known?.toLowerCase() === given?.toLowerCase());
}

/** Above the root only its own real path is known; whatever else there may be is outside. */
function stepAbove(boundary: Boundary, here: Position, name: string): Stopped | undefined {
  if (name === "..") here.depth = Math.max(0, here.depth - 1);
  else if (isSameName(boundary.rootNames[here.depth], name)) here.depth += 1;
  else return OUTSIDE;
  return undefined;
}

function stepInside(boundary: Boundary, here: Position, name: string, look: Look): Stopped | undefined {
  if (here.kind !== "directory") {
    const osError = describeErrno("ENOTDIR");
    const nearest = relative(here.inside.slice(0, -1));
    const file = relative(here.inside);
    return { stopped: "missing", osError, nearest, asked: file, file, leadsOut: leadsOut(here, name) };
  }
  if (name === "..") {
    if (here.inside.pop() === undefined) here.depth = Math.max(0, here.depth - 1);
    return undefined;
  }
  // Before the disk is asked, so that the answer does not reveal whether it exists.
  const path = relative([...here.inside, name]);
  if (boundary.deny.names(relative(here.inside), name)) return { stopped: "denied", nearest: relative(here.inside) };
  try {
    const status = look(boundary.paths.absolute(path));
    const isSpelled = status === undefined || boundary.deny.isEmpty;
    const spelled = isSpelled ? name : spelledOnDisk(boundary, relative(here.inside), name, status.device);
    if (spelled === undefined) return { stopped: "denied", nearest: relative(here.inside), asked: path };
    return step(boundary, here, spelled, status);
  } catch (error) {
    const osError = describeErrno(errnoCode(error) ?? "UNKNOWN");
    return { stopped: reasonOf(error), osError, nearest: relative(here.inside), asked: path };
  }
}

function step(boundary: Boundary, here: Position, name: string, status: PathStatus | undefined): Stopped | undefined {
  if (status === undefined) return missing(boundary, here, name);
  if (status.kind === "link") {
    here.links += 1;
    if (here.links > MAX_LINKS) return invalid("ELOOP");
    if (status.target === undefined) here.pending.push(name);
    else {
      here.followed.push({ path: relative([...here.inside, name]), target: status.target });
      enter(boundary, here, status.target);
    }
  } else {
    here.inside.push(name);
    here.kind = status.kind;
  }
  return undefined;
}

/** A missing path may be denied as well: a rule gives the same answer either way. */
function missing(boundary: Boundary, here: Position, name: string): Stopped {
  const absent = [name, ...here.pending.toReversed()];
  const end = absent.indexOf("..");
  const spelled = end < 0 ? absent : absent.slice(0, end);
  const nearest = relative(here.inside);
  if (boundary.deny.covers(relative([...here.inside, ...spelled]))) return { stopped: "denied", nearest };
  return {
    stopped: "missing",
    osError: describeErrno("ENOENT"),
    nearest,
    asked: relative([...here.inside, name]),
    absent,
    leadsOut: leadsOut(here, name),
  };
}

/** Whether the names still to go lead above the root, by their spelling alone, as there is nothing to follow. */
function leadsOut({ inside, pending }: Position, name: string): boolean {
  let depth = inside.length;
  return [name, ...pending.toReversed()].some((next) => {
    depth += next === ".." ? -1 : 1;
    return depth < 0;
  });
}

function relative(names: readonly string[]): string {
  return names.length === 0 ? "." : names.join("/");
}
