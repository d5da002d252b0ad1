import { constants, closeSync, lstatSync, openSync, readlinkSync, type BigIntStats, type Stats } from "node:fs";
import type { Place } from "../names/safe-path.ts";
import { errnoCode } from "./errno.ts";
import type { DirectorySlices } from "./listing.ts";

/** How the sandbox knows that what it opened lies inside: by asking the descriptor, or by looking at its path again. */
export type Verification = "descriptor" | "path";

/** Makes sure that what was opened, or is at a path, lies inside, whatever happens to the path meanwhile. */
export interface Verifier {
  readonly verification: Verification;
  /** The real path that an open descriptor leads to; undefined if it has none any more, or if it is unknown. */
  locate(descriptor: number, absolute: string): string | undefined;
  /** Opens what is at exactly this place, through no link; undefined if that fails, or if it is unknown. */
  openExactly(place: Place, flags: number): OpenedPlace | undefined;
  /**
   * Does something with a place through its parent directory, once that is known to be where its path says: so the
   * result, or what `work` throws, is about what is inside; undefined if it could not be reached like this.
   */
  throughParent<Result>(place: Place, work: (location: string) => Result): { readonly result: Result } | undefined;
  /** What is at a place inside, or that nothing is; undefined if that is unknown. */
  look(place: Place): { readonly result: PathStatus | undefined } | undefined;
  /** The status of `name` in an open directory; undefined if it is unknown. */
  lstatEntry(
    directory: Place,
    descriptor: number,
    name: string,
  ): { readonly result: Stats | BigIntStats | undefined } | undefined;
  /** The path of `name` in an open directory: where the system can, one that cannot be redirected. */
  entryPath(directory: Pick<Place, "absolute">, descriptor: number, name: string): string;
  /** Lists an open directory by a path that leads to it. @throws SandboxError if it may have been another one */
  list(place: Place, descriptor: number, open: (location: string) => DirectorySlices): DirectorySlices;
}

/** An open descriptor, and what it leads to. */
export interface OpenedPlace {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/** What is at a path, as far as following it needs to know. */
export interface PathStatus {
  readonly kind: "file" | "directory" | "link" | "other";
  /** Where a link leads; undefined if it was replaced meanwhile, so that it has to be looked at again. */
  readonly target: string | undefined;
  readonly device: number;
}

/** Asks the disk about an absolute path, without following it; undefined if nothing is there. */
export function lstatPath(absolute: string): PathStatus | undefined {
  const stats = lstatSync(absolute, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return { kind: "link", target: linkTarget(absolute), device: stats.dev };
  return { kind: statusKind(stats), target: undefined, device: stats.dev };
}

/** The kind of what is not a link. */
export function statusKind(stats: Stats | BigIntStats): "file" | "directory" | "other" {
  return stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other";
}

/** Where a link leads; undefined if there is none any more. */
export function linkTarget(absolute: string): string | undefined {
  try {
    return readlinkSync(absolute);
  } catch (error) {
    // Windows says UNKNOWN of what is not a link.
    if (["EINVAL", "ENOENT", "UNKNOWN"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
}

/** Flags for an open that follows no link in the last name and does not wait. */
export const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK | refuseLinksOnMac();

/** Since version 11 macOS can refuse links anywhere in a path (O_NOFOLLOW_ANY); not yet tried on a Mac. */
function refuseLinksOnMac(): number {
  if (process.platform !== "darwin") return 0;
  const flag = 0x20000000;
  try {
    closeSync(openSync("/", constants.O_RDONLY | constants.O_NOFOLLOW | flag));
    return flag;
  } catch {
    return 0;
  }
}
