import type { Boundary } from "../disk/boundary.ts";
import type { PathStatus } from "../disk/verifier.ts";
import { follow } from "./follow.ts";

/**
 * Tells whether the link `name` in a relative directory leads to a directory inside that is not denied. Each path is
 * asked about through its verified parent, so that no answer is about anything outside, and only once, so that ten
 * thousand links to one place, or to each other, cost little: for use within one call.
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
