import { lstatSync, realpathSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { MAX_ATTEMPTS } from "../disk/descriptor.ts";
import { describeErrno, errnoCode, fsError, reasonOf } from "../disk/errno.ts";
import { follow, OUTSIDE, type FollowedLink, type Found, type Stopped } from "./follow.ts";

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
