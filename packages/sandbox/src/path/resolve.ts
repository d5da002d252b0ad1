import { lstatSync, realpathSync } from "node:fs";
import { fsError, reasonOf } from "../errno.ts";
import { MAX_ATTEMPTS, throughParent } from "../disk/descriptor.ts";
import type { Boundary } from "./boundary.ts";
import { follow, OUTSIDE, type Found, type Stopped } from "./follow.ts";
import { relativeInside } from "./relative-path.ts";

/**
 * Follows a path, and says only what was seen inside: while it was followed, a directory on the way, or the root, may
 * have become a link to outside, and then neither what is there nor what is missing there is told.
 * @throws SandboxError if the system fails.
 */
export function resolvePath(boundary: Boundary, from: string, input: string): Found | Stopped {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const end = follow(boundary, from, input);
    if (isConfirmed(boundary, end)) return "found" in end ? spelledBySystem(boundary, end) : end;
  }
  return OUTSIDE;
}

function isConfirmed(boundary: Boundary, end: Found | Stopped): boolean {
  const asked = "found" in end ? end.found : end.asked;
  if (asked === undefined) return true;
  try {
    const seen = throughParent(boundary, boundary.paths.place(asked), (location) =>
      lstatSync(location, { throwIfNoEntry: false }),
    );
    if (seen === undefined) return false;
    const { result: stats } = seen;
    if (stats === undefined) return "stopped" in end && end.stopped === "missing" && end.file === undefined;
    if (stats.isSymbolicLink()) return false;
    return "found" in end ? stats.isDirectory() === end.isDirectory : end.file !== undefined && !stats.isDirectory();
  } catch (error) {
    const reason = reasonOf(error);
    if ("stopped" in end && end.stopped === reason) return true;
    if (reason === "io" || reason === "unknown") throw fsError(error, asked);
    return false;
  }
}

// macOS and Windows take a name in any case, and tell the one on the disk; elsewhere that is the exception.
const TELLS_SPELLING = process.platform === "win32" || process.platform === "darwin";

function spelledBySystem(boundary: Boundary, end: Found): Found | Stopped {
  if (!TELLS_SPELLING) return end;
  try {
    const found = relativeInside(boundary.root, realpathSync.native(boundary.paths.absolute(end.found)));
    if (found === undefined) return OUTSIDE;
    return boundary.deny.covers(found) ? { stopped: "denied", nearest: "." } : { ...end, found };
  } catch (error) {
    throw fsError(error, end.found);
  }
}
