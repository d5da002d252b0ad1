import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type BigIntStats,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { PROC_DESCRIPTORS, type Boundary } from "./boundary.ts";
import { parentOf, relativeInside, type Place } from "../names/safe-path.ts";
import { errnoCode, fsError, reasonOf } from "./errno.ts";
import { SandboxError, type SandboxReason } from "../error.ts";
import { type Agreement, observeAgreed } from "./observe.ts";

/** An open descriptor that is known to lead inside the boundary. */
export interface VerifiedDescriptor {
  readonly descriptor: number;
  readonly stats: BigIntStats;
  /** Where it really leads, relative to the project root. */
  readonly relative: string;
}

/** How often to try something that another process may be changing at that moment. */
export const MAX_ATTEMPTS = 4;

/** Node has no name for it. It opens anything, without read permission and without side effects, to ask where it is. */
export const O_PATH = 0o10000000;

/** Flags for an open that follows no link in the last name and does not wait. */
export const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK | refuseLinksOnMac();

/**
 * Opens a regular file or a directory and makes sure that what was opened lies inside the boundary.
 * @throws SandboxError also if the path was swapped for something outside in the meantime.
 */
export function openVerified(boundary: Boundary, place: Place, kind: "file" | "directory"): VerifiedDescriptor {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      expectKind(lstatSync(place.absolute, { bigint: true }), kind, place);
      const verified = attemptOpen(boundary, place, openFlags(kind));
      if (verified !== undefined) return expectOpened(verified, kind, place);
    } catch (error) {
      const failure = fsError(error, place.relative);
      if (isConfirmedInside(boundary, place, kind, failure)) throw failure;
    }
  }
  throw refusal("outside", place);
}

/**
 * Opens what was at a place a moment ago, if it is still there: at exactly this path, through no link, of this kind.
 * @returns undefined if it is not, or if that is unknown; {@link openVerified} finds out why.
 */
export function openSeen(boundary: Boundary, place: Place, kind: "file" | "directory"): VerifiedDescriptor | undefined {
  if (!boundary.usesProc) return undefined;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(place.absolute, openFlags(kind));
    const stats = fstatSync(descriptor, { bigint: true });
    const isExpected = kind === "file" ? stats.isFile() : stats.isDirectory();
    const isThere = readlinkSync(`${PROC_DESCRIPTORS}/${descriptor}`) === place.absolute;
    if (isExpected && isThere) return { descriptor, stats, relative: place.relative };
  } catch {
    // The failure may be about something outside, so it is not reported before that is certain.
  }
  if (descriptor !== undefined) closeSync(descriptor);
  return undefined;
}

function openFlags(kind: "file" | "directory"): number {
  return constants.O_RDONLY | GUARDED | (kind === "directory" ? constants.O_DIRECTORY : 0);
}

/** The path of `name` in an open directory: through the descriptor where the system can, so that it cannot be redirected. */
export function entryPath(
  boundary: Boundary,
  directory: Pick<Place, "absolute">,
  descriptor: number,
  name: string,
): string {
  return boundary.usesProc ? `${PROC_DESCRIPTORS}/${descriptor}/${name}` : join(directory.absolute, name);
}

/** @throws SandboxError if the descriptor does not lead inside, or to something denied. */
export function expectInside(boundary: Boundary, location: string, place: Place): string {
  const relative = relativeInside(boundary.root, location);
  if (relative === undefined) throw refusal("outside", place);
  if (boundary.deny.covers(relative)) throw refusal("denied", place);
  return relative;
}

/** Undefined if the file was removed or replaced meanwhile, as when an editor saves it: worth another try. */
function attemptOpen(boundary: Boundary, place: Place, flags: number): VerifiedDescriptor | undefined {
  const descriptor = openGuarded(place, flags);
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const location = locate(boundary, descriptor, place.absolute);
    if (location !== undefined) {
      return { descriptor, stats, relative: expectInside(boundary, location, place) };
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** Opens a path without following a link in its last name, and without waiting. */
export function openGuarded(place: Place, flags: number): number {
  try {
    return openSync(place.absolute, flags | GUARDED);
  } catch (error) {
    // A link has appeared since the last look: ELOOP, for a directory ENOTDIR, on BSD EMLINK.
    const isLostRace = ["ELOOP", "ENOTDIR", "EMLINK"].includes(errnoCode(error) ?? "");
    throw isLostRace ? refusal("outside", place) : error;
  }
}

/** The real path that an open descriptor leads to; undefined if it has none any more, or if it is unknown. */
export function locate(boundary: Boundary, descriptor: number, absolute: string): string | undefined {
  if (!boundary.usesProc) return agreedPlace(boundary, descriptor, absolute) === undefined ? undefined : absolute;
  const location = readlinkSync(`${PROC_DESCRIPTORS}/${descriptor}`);
  // A name may really end like this; only paths inside are asked whether theirs does.
  const looksDeleted = location.endsWith(" (deleted)") && relativeInside(boundary.root, location) !== undefined;
  const named = () => lstatSync(location, { bigint: true, throwIfNoEntry: false });
  return looksDeleted && !isSame(descriptor, named()) ? undefined : location;
}

/** What the looks at a path agree on, if it is what the descriptor leads to; for systems without `/proc`. */
export function agreedPlace(boundary: Boundary, descriptor: number, absolute: string): Agreement | undefined {
  const agreement = observeAgreed(boundary.root, absolute);
  return isSame(descriptor, agreement?.last) ? agreement : undefined;
}

/** What is at a place inside, or that nothing is; undefined if that is unknown. */
export function lstatInside(
  boundary: Boundary,
  place: Place,
): { readonly result: Stats | BigIntStats | undefined } | undefined {
  if (boundary.usesProc) {
    return throughParent(boundary, place, (location) => lstatSync(location, { throwIfNoEntry: false }));
  }
  // Several looks that agree are better evidence than a single one, which may have been led elsewhere at that moment.
  const agreement = observeAgreed(boundary.root, place.absolute);
  return agreement && { result: agreement.last };
}

/** Where the link at a place inside leads; undefined if there is none, or if that is unknown. */
export function readLinkInside(boundary: Boundary, place: Place): string | undefined {
  try {
    if (boundary.usesProc) return throughParent(boundary, place, (location) => readlinkSync(location))?.result;
    const parent = boundary.paths.absolute(parentOf(place.relative)[0]);
    if (observeAgreed(boundary.root, parent) === undefined) return undefined;
    const target = readlinkSync(place.absolute);
    return observeAgreed(boundary.root, parent) === undefined ? undefined : target;
  } catch (error) {
    if (["EINVAL", "ENOENT", "ENOTDIR", "UNKNOWN"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
}

/**
 * Looks at a place through its parent directory, once that is known to be where its path says, through no link.
 * So the result, or the error that `work` throws, is about what is inside.
 * @returns undefined if the place could not be reached like this.
 */
export function throughParent<Result>(
  boundary: Boundary,
  { relative, absolute }: Place,
  work: (location: string) => Result,
): { readonly result: Result } | undefined {
  if (!boundary.usesProc) {
    if (observeAgreed(boundary.root, absolute) === undefined) return undefined;
    const outcome = attempt(() => work(absolute));
    return observeAgreed(boundary.root, absolute) === undefined ? undefined : outcome();
  }
  const [parent, name] = relative === "." ? [".", "."] : parentOf(relative);
  const directory = boundary.paths.place(parent);
  let descriptor: number;
  try {
    descriptor = openSync(directory.absolute, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    // The root itself became a link, or a file.
    if (parent === "." && ["ENOTDIR", "ELOOP"].includes(errnoCode(error) ?? "")) return undefined;
    if (parent === "." || errnoCode(error) === "EMFILE") throw error;
    throughParent(boundary, directory, (location) => {
      const stats = lstatSync(location);
      if (!stats.isSymbolicLink() && !stats.isDirectory()) throw error;
    });
    return undefined;
  }
  try {
    const isThere = locate(boundary, descriptor, directory.absolute) === directory.absolute;
    return isThere ? { result: work(entryPath(boundary, directory, descriptor, name)) } : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Does something now; the returned function gives its result, or throws its error, later. */
function attempt<Result>(work: () => Result): () => { readonly result: Result } {
  try {
    const result = work();
    return () => ({ result });
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Whether a failure is about what is inside: a swapped path must not reveal anything about the outside. */
function isConfirmedInside(
  boundary: Boundary,
  place: Place,
  kind: "file" | "directory",
  { reason }: SandboxError,
): boolean {
  if (reason === "outside" || reason === "denied") return true;
  try {
    throughParent(boundary, place, (location) => {
      expectKind(lstatSync(location, { bigint: true }), kind, place);
      closeSync(openSync(location, openFlags(kind)));
    });
    return false;
  } catch (error) {
    return (error instanceof SandboxError ? error.reason : reasonOf(error)) === reason;
  }
}

function isSame(descriptor: number, named: BigIntStats | undefined): boolean {
  const opened = fstatSync(descriptor, { bigint: true });
  return opened.dev === named?.dev && opened.ino === named.ino;
}

function expectOpened(verified: VerifiedDescriptor, kind: "file" | "directory", place: Place): VerifiedDescriptor {
  try {
    expectKind(verified.stats, kind, place);
    return verified;
  } catch (error) {
    closeSync(verified.descriptor);
    throw error;
  }
}

function expectKind(stats: BigIntStats, kind: "file" | "directory", place: Place): void {
  // The path was real when it was resolved: a link there now was put there since.
  if (stats.isSymbolicLink()) throw refusal("outside", place);
  if (kind === "directory") {
    if (!stats.isDirectory()) throw refusal("not_directory", place);
  } else if (!stats.isFile()) {
    throw refusal(stats.isDirectory() ? "is_directory" : "not_regular", place);
  }
}

function refusal(reason: SandboxReason, place: Place): SandboxError {
  return new SandboxError({ reason, path: place.relative });
}

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
