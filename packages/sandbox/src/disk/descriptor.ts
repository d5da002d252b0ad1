import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";
import { PROC_DESCRIPTORS, type Boundary } from "../path/boundary.ts";
import { relativeInside } from "../path/relative-path.ts";
import { errnoCode, fsError } from "../errno.ts";
import type { SafePath } from "../path/safe-path.ts";
import { SandboxError, type SandboxReason } from "../error.ts";

/** An open descriptor that was seen to lead inside the boundary. */
export interface VerifiedDescriptor {
  readonly descriptor: number;
  readonly stats: BigIntStats;
  /** Where it really leads, relative to the project root. */
  readonly relative: string;
}

const MAX_ATTEMPTS = 4;

/**
 * Opens a regular file or a directory and makes sure that what was opened lies inside the boundary.
 * @throws SandboxError also if the path was swapped for something outside in the meantime.
 */
export function openVerified(boundary: Boundary, path: SafePath, kind: "file" | "directory"): VerifiedDescriptor {
  boundary.paths.check(path);
  const flags = constants.O_RDONLY | (kind === "directory" ? constants.O_DIRECTORY : 0);
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      expectKind(lstatSync(path.absolute, { bigint: true }), kind, path);
      const verified = attemptOpen(boundary, path, flags);
      if (verified !== undefined) return expectOpened(verified, kind, path);
    }
  } catch (error) {
    throw fsError(error, path.relative);
  }
  throw refusal("outside", path);
}

/** The path of `name` in an open directory: through the descriptor where the system can, so that it cannot be redirected. */
export function entryPath(
  boundary: Boundary,
  directory: Pick<SafePath, "absolute">,
  descriptor: number,
  name: string,
): string {
  return boundary.usesProc ? `${PROC_DESCRIPTORS}/${descriptor}/${name}` : join(directory.absolute, name);
}

/** @throws SandboxError if the descriptor does not lead inside, or to something denied. */
export function expectInside(boundary: Boundary, location: string, path: SafePath): string {
  const relative = relativeInside(boundary.root, location);
  if (relative === undefined) throw refusal("outside", path);
  if (boundary.deny.covers(relative)) throw refusal("denied", path);
  return relative;
}

/** Undefined if the file was removed or replaced meanwhile, as an editor's save does, so that it is worth another try. */
function attemptOpen(boundary: Boundary, path: SafePath, flags: number): VerifiedDescriptor | undefined {
  const descriptor = openGuarded(path, flags);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const location = locate(boundary, descriptor, path.absolute);
    if (location !== undefined) {
      return { descriptor, stats, relative: expectInside(boundary, location, path) };
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** Opens a path without following a link in its last name, and without waiting. */
export function openGuarded(path: SafePath, flags: number): number {
  try {
    return openSync(path.absolute, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // A link stands where a moment ago there was none: ELOOP, for a directory ENOTDIR, on BSD EMLINK.
    const isLostRace = ["ELOOP", "ENOTDIR", "EMLINK"].includes(errnoCode(error) ?? "");
    throw isLostRace ? refusal("outside", path) : error;
  }
}

/** The real path that an open descriptor leads to, or undefined if no path leads to it any more. */
export function locate(boundary: Boundary, descriptor: number, absolute: string): string | undefined {
  if (!boundary.usesProc) {
    const real = realPath(absolute);
    const isSame = real !== undefined && isSameFile(descriptor, real);
    // Once more, as the path may have led elsewhere just while device and inode were compared.
    return isSame && realPath(absolute) === real ? real : undefined;
  }
  const location = readlinkSync(`${PROC_DESCRIPTORS}/${descriptor}`);
  // A name may really end like this; whether it does is asked only of paths inside.
  const looksDeleted = location.endsWith(" (deleted)") && relativeInside(boundary.root, location) !== undefined;
  return looksDeleted && !isSameFile(descriptor, location) ? undefined : location;
}

function realPath(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute);
  } catch {
    // Whatever the reason, nothing is known about the descriptor, and the next attempt reports it.
    return undefined;
  }
}

function isSameFile(descriptor: number, absolute: string): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  const named = lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  return opened.dev === named?.dev && opened.ino === named.ino;
}

function expectOpened(verified: VerifiedDescriptor, kind: "file" | "directory", path: SafePath): VerifiedDescriptor {
  try {
    expectKind(verified.stats, kind, path);
    return verified;
  } catch (error) {
    closeSync(verified.descriptor);
    throw error;
  }
}

function expectKind(stats: BigIntStats, kind: "file" | "directory", path: SafePath): void {
  // The path was real when it was resolved: a link there now was put there since.
  if (stats.isSymbolicLink()) throw refusal("outside", path);
  if (kind === "directory") {
    if (!stats.isDirectory()) throw refusal("not_directory", path);
  } else if (!stats.isFile()) {
    throw refusal(stats.isDirectory() ? "is_directory" : "not_regular", path);
  }
}

function refusal(reason: SandboxReason, path: SafePath): SandboxError {
  return new SandboxError({ reason, path: path.relative });
}
