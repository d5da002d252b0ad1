import { Buffer } from "node:buffer";
import { close as closeAsync, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import type { BigIntStats } from "node:fs";
import { SandboxError, type SandboxReason } from "../error.ts";
import type { Place, SafePath } from "../names/safe-path.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import type { Boundary } from "./boundary.ts";
import { describeErrno, errnoCode, fsError, reasonOf } from "./errno.ts";
import { GUARDED, type OpenedPlace } from "./verifier.ts";

/** A regular file that is open for reading; the caller that opened it closes it. */
export interface SandboxFile {
  readonly path: SafePath;
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** In whole milliseconds, rounded down. */
  readonly mtimeMs: number;
  /** Its permissions, and its setuid, setgid and sticky bits. */
  readonly mode: number;
  /** Everything that tells this state of the file from another. */
  readonly version: FileVersion;
  /** For a child process that reads this very file; undefined if the system makes up what it says. */
  readonly descriptor: number | undefined;
  /** Its first bytes, at most `length`; fewer where it is shorter than its size. */
  head(length: number): Buffer;
  /** Reads from a byte position until the target is full or the file ends; returns the number of bytes. */
  read(target: Uint8Array, position: number): number;
  /** Whether its content is still what it was when it was opened, as far as its size and time tell. */
  isUnchanged(): boolean;
  close(): void;
  /** Closes it on a thread of the pool: without its last name, ext4 frees its blocks first, which takes long. */
  closeLater(): void;
}

const MAX_UNSIZED_BYTES = 1024 * 1024;
// Taken at load: a host's tests may install fake timers, and the file would stay open.
const schedule = setImmediate;
// The largest page of memory that Linux uses.
const MAX_PAGE_BYTES = 65_536n;

/** Opens a regular file through a descriptor that is known to lead inside the sandbox. @throws SandboxError */
export function openFile(
  boundary: Boundary,
  path: SafePath,
  { descriptor, stats }: VerifiedDescriptor = openVerified(boundary, path, "file"),
): SandboxFile {
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const closeLater = (): void => {
    // After the answer: waking the thread takes as long as the rename.
    if (isOpen) schedule(closeAsync, descriptor, () => undefined);
    isOpen = false;
  };
  try {
    const held = isMadeUp(stats) ? readUnsized(descriptor, path) : undefined;
    const size = held?.length ?? Number(stats.size);
    // What looks made up may be a real file; it has as many bytes as it says.
    const isReal = size === Number(stats.size);
    const readSome = (target: Uint8Array, position: number): number =>
      held === undefined ? readAt(descriptor, path, target, position) : held.copy(target, 0, Math.min(position, size));
    return {
      path,
      size,
      mtimeMs: wholeMilliseconds(stats.mtimeNs),
      mode: Number(stats.mode) & 0o7777,
      version: versionOf(stats),
      descriptor: isReal ? descriptor : undefined,
      head: (length) => {
        const target = Buffer.allocUnsafe(Math.min(length, size));
        return target.subarray(0, readUntilFull(readSome, target, 0));
      },
      read: (target, position) => readUntilFull(readSome, target, position),
      isUnchanged: () => {
        if (!isReal) return true;
        // A new name, or another mode, changes only the time of the last status change.
        const now = fstatSync(descriptor, { bigint: true });
        return now.size === stats.size && now.mtimeNs === stats.mtimeNs;
      },
      close,
      closeLater,
    };
  } catch (error) {
    close();
    throw error;
  }
}

const NS_PER_MS = 1_000_000n;

/** A time as the tools' answers show it: rounded down. */
export function wholeMilliseconds(ns: bigint): number {
  // A division of integers drops the fraction, which rounds times before 1970 up.
  const start = ns < 0n ? ns - (NS_PER_MS - 1n) : ns;
  return Number(start / NS_PER_MS);
}

/** Reads on when the system returns fewer bytes than there are, as it may. */
export function readUntilFull(
  readSome: (target: Uint8Array, position: number) => number,
  target: Uint8Array,
  position: number,
): number {
  let filled = 0;
  while (filled < target.length) {
    const count = readSome(filled === 0 ? target : target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function readAt(descriptor: number, path: SafePath, target: Uint8Array, position: number | null): number {
  try {
    return readSync(descriptor, target, 0, target.length, position);
  } catch (error) {
    throw fsError(error, path.relative);
  }
}

/** Files that the kernel makes up have no blocks, and a size of 0 or a page. Reading real ones so does no harm. */
function isMadeUp({ size, blocks }: BigIntStats): boolean {
  return size === 0n || (blocks === 0n && size <= MAX_PAGE_BYTES);
}

/** Reads to the end, since nothing else tells the size. */
function readUnsized(descriptor: number, path: SafePath): Buffer {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = new Uint8Array(chunks.length === 0 ? 4096 : 65536);
    const count = readAt(descriptor, path, chunk, null);
    if (count === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, count));
    length += count;
    if (length > MAX_UNSIZED_BYTES) {
      throw new SandboxError({ reason: "io", path: path.relative, osError: describeErrno("EFBIG") });
    }
  }
}

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
