import { closeSync, constants, fstatSync, lstatSync, openSync, type BigIntStats } from "node:fs";
import { SandboxError, type SandboxReason } from "../error.ts";
import type { Place } from "../names/safe-path.ts";
import type { Boundary } from "./boundary.ts";
import { errnoCode, fsError, reasonOf } from "./errno.ts";
import { GUARDED, type OpenedPlace } from "./verifier.ts";

/** An open descriptor that is known to lead inside the boundary. */
export interface VerifiedDescriptor extends OpenedPlace {
  /** Where it really leads, relative to the project root. */
  readonly relative: string;
}

type Kind = "file" | "directory";

/** How often to try something that another process may be changing at that moment. */
export const MAX_ATTEMPTS = 4;

/** Opens a regular file or directory that is known to lie inside. @throws SandboxError, also after a swap meanwhile */
export function openVerified(boundary: Boundary, place: Place, kind: Kind): VerifiedDescriptor {
  // The list of several roots is on no disk.
  if (boundary.paths.isList(place.relative)) throw refusal("is_directory", place);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      expectKind(lstatSync(place.absolute, { bigint: true }), kind, place);
      const verified = attemptOpen(boundary, place, kind);
      if (verified !== undefined) return verified;
    } catch (error) {
      const failure = fsError(error, place.relative);
      if (isConfirmedInside(boundary, place, kind, failure)) throw failure;
    }
  }
  throw refusal("outside", place);
}

/** Opens what was at exactly this path a moment ago; undefined if it is not there: {@link openVerified} tells why. */
export function openSeen(boundary: Boundary, place: Place, kind: Kind): VerifiedDescriptor | undefined {
  const opened = boundary.verifier.openExactly(place, openFlags(kind));
  if (opened === undefined) return undefined;
  const { descriptor, stats } = opened;
  if (kind === "file" ? stats.isFile() : stats.isDirectory()) return { descriptor, stats, relative: place.relative };
  closeSync(descriptor);
  return undefined;
}

/** Follows no link in the last name, and does not wait. */
function openFlags(kind: Kind): number {
  return constants.O_RDONLY | GUARDED | (kind === "directory" ? constants.O_DIRECTORY : 0);
}

/** @throws SandboxError if the descriptor does not lead inside, or to something denied. */
export function expectInside(boundary: Boundary, location: string, place: Place): string {
  const relative = boundary.paths.relative(location);
  if (relative === undefined) throw refusal("outside", place);
  if (boundary.deny.covers(relative)) throw refusal("denied", place);
  return relative;
}

/** Undefined if the file was removed or replaced meanwhile, as when an editor saves it: worth another try. */
function attemptOpen(boundary: Boundary, place: Place, kind: Kind): VerifiedDescriptor | undefined {
  const descriptor = openHere(place, kind);
  let verified: VerifiedDescriptor | undefined;
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const location = boundary.verifier.locate(descriptor, place.absolute);
    if (location === undefined) return undefined;
    const inside = { descriptor, stats, relative: expectInside(boundary, location, place) };
    expectKind(stats, kind, place);
    return (verified = inside);
  } finally {
    if (verified === undefined) closeSync(descriptor);
  }
}

function openHere(place: Place, kind: Kind): number {
  try {
    return openSync(place.absolute, openFlags(kind));
  } catch (error) {
    // A link has appeared since the last look: ELOOP, for a directory ENOTDIR, on BSD EMLINK.
    const isLostRace = ["ELOOP", "ENOTDIR", "EMLINK"].includes(errnoCode(error) ?? "");
    throw isLostRace ? refusal("outside", place) : error;
  }
}

/** Whether a failure is about what is inside: a swapped path must not reveal anything about the outside. */
function isConfirmedInside({ verifier }: Boundary, place: Place, kind: Kind, failure: SandboxError): boolean {
  const { reason, cause } = failure;
  // That a path is too long is known from its spelling.
  if (reason === "outside" || reason === "denied" || errnoCode(cause) === "ENAMETOOLONG") return true;
  try {
    verifier.throughParent(place, (location) => {
      expectKind(lstatSync(location, { bigint: true }), kind, place);
      closeSync(openSync(location, openFlags(kind)));
    });
    return false;
  } catch (error) {
    return (error instanceof SandboxError ? error.reason : reasonOf(error)) === reason;
  }
}

function expectKind(stats: BigIntStats, kind: Kind, place: Place): void {
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
