import type { Boundary } from "../disk/boundary.ts";
import type { PathStatus } from "../disk/verifier.ts";
import { follow, type Look } from "./follow.ts";

/**
 * Whether the link `name` in a relative directory leads to a directory inside that is not denied.
 * @param look - asks about what is inside only, as {@link createLookInside} does
 */
export function leadsToDirectory(boundary: Boundary, directory: string, name: string, look: Look): boolean {
  const end = follow(boundary, directory, name, look);
  return "found" in end && end.isDirectory;
}

/**
 * Asks about each path through its verified parent, so that no answer is about anything outside; what cannot be reached
 * like that counts as missing. It asks once, so that ten thousand links to one place, or to each other, cost little: for
 * use within one call.
 */
export function createLookInside({ paths, verifier }: Boundary): Look {
  const seen = new Map<string, PathStatus | undefined>();
  const ask = (absolute: string): PathStatus | undefined => {
    const relative = paths.relative(absolute);
    return relative === undefined ? undefined : verifier.look(paths.place(relative))?.result;
  };
  return (absolute) => {
    if (!seen.has(absolute)) seen.set(absolute, ask(absolute));
    return seen.get(absolute);
  };
}
