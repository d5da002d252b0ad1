import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  type BigIntStats,
} from "node:fs";
import { join } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import type { SafePath } from "../names/safe-path.ts";
import { entryPath, openVerified } from "../disk/descriptor.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { errnoCode } from "../disk/errno.ts";
import { isSameVersion, versionOf, type FileVersion } from "../versions.ts";
import { overwriteFile } from "./overwrite-file.ts";
import { flushDirectory, withTemporaryFile, type TemporaryFile } from "./temporary-file.ts";
import { StaleTargetError } from "./write-error.ts";

/** A whole file to be put into a directory. */
export interface PutRequest {
  readonly directory: SafePath;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The version that the file must have until it is replaced; undefined if there must be no file. */
  readonly expected: FileVersion | undefined;
  /** Whether to wait until the disk has it. */
  readonly durable: boolean;
  readonly signal: AbortSignal;
}

/** Why a file was written in place: replacing it by a new one would have broken this. */
export type InPlaceReason = "hard links" | "another owner" | "a mount point";

/** The file as it is now. */
export interface PutResult {
  readonly version: FileVersion;
  readonly inPlace?: InPlaceReason;
}

interface Place {
  readonly boundary: Boundary;
  readonly directory: OpenedDirectory;
  readonly target: string;
  readonly request: PutRequest;
}

interface Put extends PutResult {
  readonly keepsTemporary: boolean;
}

/** The bits that make a program run as its owner or group. */
const SET_ID = 0o6000;
const NO_HARD_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);
const NO_RENAME: ReadonlySet<string> = new Set(["EBUSY", "EXDEV"]);

/**
 * Puts a whole file into a verified directory: no reader ever sees half of it, and a link in the way is not followed.
 * @throws StaleTargetError if the file or its directory is not what it was; else SandboxError, the system's error, or
 * the signal's reason. Then the old file is as it was, and no temporary file is left.
 */
export async function putFile(boundary: Boundary, request: PutRequest): Promise<PutResult> {
  const { descriptor, relative } = openVerified(boundary, request.directory, "directory");
  try {
    if (relative !== request.directory.relative) throw new StaleTargetError();
    const directory: OpenedDirectory = { path: request.directory, descriptor };
    const target = entryPath(boundary, directory.path, descriptor, request.name);
    const place: Place = { boundary, directory, target, request };
    const { version, inPlace } = request.expected === undefined ? await create(place) : await replace(place);
    return { version, ...(inPlace === undefined ? {} : { inPlace }) };
  } finally {
    closeSync(descriptor);
  }
}

async function create(place: Place): Promise<Put> {
  const { boundary, directory, target, request } = place;
  return withTemporaryFile(boundary, directory, { ...request, mode: undefined }, async (file) => {
    request.signal.throwIfAborted();
    const isLinked = linkUnlessTaken(file.path, target);
    if (isLinked) unlinkSync(file.path);
    else claimAndRename(file, target);
    const version = versionOf(fstatSync(file.descriptor, { bigint: true }));
    if (request.durable) await flushDirectory(directory.descriptor);
    return { version, keepsTemporary: true };
  });
}

/** A hard link, unlike a rename, fails if the name is taken; false if the file system has no hard links. */
function linkUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoCode(error) === "EEXIST") throw new StaleTargetError({ isTaken: true });
    if (NO_HARD_LINKS.has(errnoCode(error) ?? "")) return false;
    throw error;
  }
}

/** Takes the name with an empty file, which only one process can create, then replaces that file. */
function claimAndRename(file: TemporaryFile, target: string): void {
  let claim: number;
  try {
    claim = openSync(target, constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW | constants.O_WRONLY, 0o600);
  } catch (error) {
    throw errnoCode(error) === "EEXIST" ? new StaleTargetError({ isTaken: true }) : error;
  }
  try {
    renameSync(file.path, target);
  } catch (error) {
    unlinkSync(target);
    throw error;
  } finally {
    closeSync(claim);
  }
}

async function replace(place: Place): Promise<Put> {
  const { boundary, directory, target, request } = place;
  const old = expectUnchanged(place);
  expectWritable(target, old);
  // As the system clears them when a file is written: whoever could change its content could otherwise use its owner.
  const mode = Number(old.mode) & ~(constants.S_IFMT | SET_ID);
  return withTemporaryFile(boundary, directory, { ...request, mode }, async (file) => {
    const broken = brokenByRename(old, file);
    if (broken !== undefined) return inPlace(place, file, broken);
    // Right before the rename, without a turn of the event loop in between.
    request.signal.throwIfAborted();
    expectUnchanged(place);
    try {
      renameSync(file.path, target);
    } catch (error) {
      if (NO_RENAME.has(errnoCode(error) ?? "")) return inPlace(place, file, "a mount point");
      throw error;
    }
    const version = versionOf(fstatSync(file.descriptor, { bigint: true }));
    if (request.durable) await flushDirectory(directory.descriptor);
    return { version, keepsTemporary: true };
  });
}

async function inPlace(place: Place, file: TemporaryFile, reason: InPlaceReason): Promise<Put> {
  const { boundary, directory, target, request } = place;
  request.signal.throwIfAborted();
  const old = expectUnchanged(place);
  const absolute = join(directory.path.absolute, request.name);
  const copy = file.name;
  const version = await overwriteFile(boundary, { target, absolute, old, copy, ...request });
  return { version, inPlace: reason, keepsTemporary: false };
}

function brokenByRename(old: BigIntStats, file: TemporaryFile): InPlaceReason | undefined {
  if (old.nlink > 1n) return "hard links";
  const { uid, gid } = fstatSync(file.descriptor, { bigint: true });
  return uid !== old.uid || gid !== old.gid ? "another owner" : undefined;
}

function expectUnchanged({ target, request }: Place): BigIntStats {
  const stats = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  const isExpected =
    stats?.isFile() === true && request.expected !== undefined && isSameVersion(versionOf(stats), request.expected);
  if (!isExpected) throw new StaleTargetError();
  return stats;
}

/** A rename would replace even a read-only file, but only a caller that may write into a file may replace it. */
function expectWritable(target: string, { mode, uid, gid }: BigIntStats): void {
  accessSync(target, constants.W_OK);
  // The check was for the real user, but the process may run as another one.
  const { geteuid, getegid, getuid } = process;
  if (geteuid === undefined || getegid === undefined || geteuid() === getuid?.() || geteuid() === 0) return;
  const isOwner = BigInt(geteuid()) === uid;
  const bit = isOwner ? 0o200n : BigInt(getegid()) === gid ? 0o020n : 0o002n;
  if ((mode & bit) === 0n) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
}
