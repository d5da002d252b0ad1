import * as fs from "node:fs";
import { Buffer } from "node:buffer";
import { errnoCode } from "../disk/errno.ts";
import { readUntilFull } from "../disk/open.ts";
import { GUARDED } from "../disk/verifier.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import type { InPlaceReason, PlacedStep, PreparedStep, Step, StepContext, TemporaryNames } from "./change-set.ts";
import { claimAndRename, copyExactly, expectVersion, linkExactly, linkUnlessTaken } from "./entries.ts";
import { EXCLUSIVE, flush, writeWhole, type HeldEntry } from "./held-directory.ts";
import type { Target } from "./target.ts";
import { removeEntry } from "./tree.ts";
import { DamageError, StaleTargetError } from "./write-error.ts";

/** A whole file to be put somewhere. */
export interface WriteRequest {
  readonly bytes: Uint8Array;
  /**
   * Exactly this mode.
   * @default the old file's, less setuid and setgid; for a new file `newMode`, less the umask
   */
  readonly mode?: number;
  /** @default 0o666 */
  readonly newMode?: number | undefined;
  /** The version that the file must have until it is replaced; undefined if there must be no file. */
  readonly expected: FileVersion | undefined;
}

interface Place extends HeldEntry {
  readonly context: StepContext;
  readonly names: TemporaryNames;
  /** Leads to the target in the verified directory. */
  readonly path: string;
}

/** A whole new file beside the one that it will become, which is removed in the end unless it is kept. */
interface FreshFile {
  readonly entry: HeldEntry;
  readonly descriptor: number;
  isKept: boolean;
}

/** The bits that make a program run as its owner or group. */
const SET_ID = 0o6000;
const NO_RENAME: ReadonlySet<string> = new Set(["EBUSY", "EXDEV"]);

/** Puts a whole file into a directory: no reader ever sees half of it, and a link in the way is not followed. */
export function writeStep(target: Target, request: WriteRequest): Step {
  const prepare: Step["prepare"] = async (context, names) => {
    const entry = context.enter(target);
    const place: Place = { ...entry, context, names, path: entry.directory.entry(target.name) };
    if (request.expected !== undefined) return prepareReplacement(place, request, request.expected);
    const file = await prepareFile(place, request);
    return { ...prepared(place, file), putInPlace: () => create(place, file) };
  };
  return { target, prepare };
}

async function prepareFile(
  { context, names, boundary, directory }: Place,
  { bytes, mode, newMode = 0o666 }: Omit<WriteRequest, "expected">,
): Promise<FreshFile> {
  const entry = { boundary, directory, name: names.fresh };
  // Private until it is whole and has the mode of the old file; a new file gets its final mode, by the umask, at once.
  const descriptor = fs.openSync(directory.entry(entry.name), EXCLUSIVE, mode === undefined ? newMode : 0o600);
  const file: FreshFile = { entry, descriptor, isKept: false };
  context.atEnd(async () => {
    const stats = file.isKept ? undefined : statusOf(file);
    fs.closeSync(descriptor);
    if (stats !== undefined) await removeEntry(entry, stats);
  });
  directory.expectEntry(descriptor, entry.name);
  await writeWhole(descriptor, bytes);
  if (mode !== undefined) fs.fchmodSync(descriptor, mode);
  return file;
}

/** Also when it has another name by now. */
function statusOf({ descriptor }: FreshFile): fs.BigIntStats {
  return fs.fstatSync(descriptor, { bigint: true });
}

/** The file is flushed before it gets its name: otherwise a crash could leave the name without its content. */
function prepared({ context }: Place, { entry, descriptor }: FreshFile) {
  return { fresh: entry, ...(context.durable && { flush: () => flush(descriptor) }) };
}

function create({ directory, names, path }: Place, file: FreshFile): PlacedStep {
  directory.expectInPlace();
  const fresh = directory.entry(names.fresh);
  if (linkUnlessTaken(fresh, path)) {
    try {
      fs.unlinkSync(fresh);
      file.isKept = true;
    } catch {
      // It is whole under its name; the other one is tried again in the end.
    }
  } else {
    claimAndRename(fresh, path);
    file.isKept = true;
  }
  const version = versionOf(statusOf(file));
  return {
    version: () => version,
    takeBack: () => {
      expectVersion(path, version);
      fs.unlinkSync(path);
    },
  };
}

async function prepareReplacement(
  place: Place,
  { bytes, mode }: WriteRequest,
  expected: FileVersion,
): Promise<PreparedStep> {
  const { context, boundary, directory, names, path } = place;
  const old = expectVersion(path, expected);
  expectWritable(path, old);
  // As the system clears them when a file is written: whoever could change its content could otherwise use its owner.
  const sameMode = Number(old.mode) & ~(fs.constants.S_IFMT | SET_ID);
  const file = await prepareFile(place, { bytes, mode: mode ?? sameMode });
  const broken = brokenByRename(old, statusOf(file));
  const kept = { boundary, directory, name: names.old };
  const aside = context.keepsOld && broken === undefined ? directory.entry(kept.name) : undefined;

  async function putInPlace(): Promise<PlacedStep> {
    directory.expectInPlace();
    const now = expectVersion(path, expected);
    if (broken !== undefined) return overwrite(place, file, bytes, now, broken);
    // Nothing is awaited between the check and the rename, but where the old file has to be copied.
    if (aside !== undefined && !linkExactly(path, aside, now)) {
      await copyExactly(path, aside, now, context.durable);
      expectVersion(path, expected);
    }
    try {
      fs.renameSync(directory.entry(names.fresh), path);
    } catch (error) {
      await removeEntry(kept, now);
      if (!NO_RENAME.has(errnoCode(error) ?? "")) throw error;
      return overwrite(place, file, bytes, expectVersion(path, expected), "a mount point");
    }
    file.isKept = true;
    const version = versionOf(statusOf(file));
    return {
      version: () => version,
      takeBack: () => {
        expectVersion(path, version);
        if (aside !== undefined) fs.renameSync(aside, path);
      },
      finish: () => (aside === undefined ? undefined : removeEntry(kept, now)),
    };
  }

  return { old: place, ...prepared(place, file), putInPlace };
}

async function overwrite(
  place: Place,
  file: FreshFile,
  bytes: Uint8Array,
  old: fs.BigIntStats,
  inPlace: InPlaceReason,
): Promise<PlacedStep> {
  try {
    const { status, before } = await overwriteFile(place, bytes, old);
    const version = versionOf(status);
    return {
      version: () => version,
      inPlace,
      takeBack: async () => {
        expectVersion(place.path, version);
        await overwriteFile(place, before, status);
      },
    };
  } catch (error) {
    if (error instanceof DamageError) file.isKept = true;
    throw error;
  }
}

/** @throws StaleTargetError, DamageError if a failure on the way could not be undone, or the system's error */
async function overwriteFile(
  { context: { durable }, directory, names, name, path }: Place,
  bytes: Uint8Array,
  old: fs.BigIntStats,
) {
  const descriptor = fs.openSync(path, fs.constants.O_RDWR | GUARDED);
  const write = async (content: Uint8Array): Promise<void> => {
    await writeWhole(descriptor, content);
    fs.ftruncateSync(descriptor, content.length);
    if (durable) await flush(descriptor);
  };
  try {
    const now = fs.fstatSync(descriptor, { bigint: true });
    // Not by inode: on an overlay the file may get another one when it is opened for writing.
    if (!now.isFile() || now.size !== old.size || now.mtimeNs !== old.mtimeNs) throw new StaleTargetError();
    directory.expectEntry(descriptor, name);
    const before = Buffer.allocUnsafe(Number(now.size));
    const filled = readUntilFull((rest, at) => fs.readSync(descriptor, rest, 0, rest.length, at), before, 0);
    if (filled < before.length) throw new StaleTargetError();
    try {
      await write(bytes);
    } catch (error) {
      await write(before).catch(() => {
        throw new DamageError("torn", names.fresh, error);
      });
      throw error;
    }
    return { status: fs.fstatSync(descriptor, { bigint: true }), before };
  } finally {
    fs.closeSync(descriptor);
  }
}

function brokenByRename(old: fs.BigIntStats, { uid, gid }: fs.BigIntStats): InPlaceReason | undefined {
  if (old.nlink > 1n) return "hard links";
  return uid !== old.uid || gid !== old.gid ? "another owner" : undefined;
}

/** A rename would replace even a read-only file, but only a caller that may write into a file may replace it. */
function expectWritable(path: string, { mode, uid, gid }: fs.BigIntStats): void {
  fs.accessSync(path, fs.constants.W_OK);
  // The check was for the real user, but the process may run as another one.
  const { geteuid, getegid, getuid } = process;
  if (geteuid === undefined || getegid === undefined || geteuid() === getuid?.() || geteuid() === 0) return;
  const isOwner = BigInt(geteuid()) === uid;
  const bit = isOwner ? 0o200n : BigInt(getegid()) === gid ? 0o020n : 0o002n;
  if ((mode & bit) === 0n) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
}
