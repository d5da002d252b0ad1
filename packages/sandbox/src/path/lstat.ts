import { lstatSync, readlinkSync } from "node:fs";
import { errnoCode } from "../errno.ts";
import { kindOf, type DirectoryEntry } from "../disk/listing.ts";

/** What stands at a path, as far as somebody who follows it needs to know. */
export interface PathStatus {
  readonly kind: DirectoryEntry["kind"];
  /** Where a link leads; undefined if it was replaced meanwhile, so that it has to be looked at again. */
  readonly target: string | undefined;
}

/** Looks at an absolute path without following it; undefined if nothing is there. */
export type Lstat = (absolute: string) => PathStatus | undefined;

/** Asks the disk. */
export function lstatPath(absolute: string): PathStatus | undefined {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const kind = kindOf(stats);
  return { kind, target: kind === "link" ? linkTarget(absolute) : undefined };
}

/**
 * Asks the disk once about each path, so that ten thousand links to one place, or to each other, cost little.
 * For answers of one call that only decide about order.
 */
export function createLstatCache(): Lstat {
  const seen = new Map<string, PathStatus | undefined>();
  return (absolute) => {
    if (seen.has(absolute)) return seen.get(absolute);
    const status = lstatPath(absolute);
    if (status?.kind !== "link" || status.target !== undefined) seen.set(absolute, status);
    return status;
  };
}

function linkTarget(absolute: string): string | undefined {
  try {
    return readlinkSync(absolute);
  } catch (error) {
    if (["EINVAL", "ENOENT"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
}
