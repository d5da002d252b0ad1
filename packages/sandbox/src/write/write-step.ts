import { accessSync, constants, lstatSync, renameSync, unlinkSync, type BigIntStats } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { isSameVersion, versionOf, type FileVersion } from "../versions.ts";
import { claimAndRename, copyExactly, linkExactly, linkUnlessTaken } from "./entries.ts";
import type { HeldDirectory } from "./held-directory.ts";
import { overwriteFile } from "./overwrite-file.ts";
import type { InPlaceReason, PlacedStep, PreparedStep, Step, StepContext, TemporaryNames } from "./step.ts";
import type { Target } from "./target.ts";
import { writeTemporaryFile, type NewContent, type TemporaryFile } from "./temporary-file.ts";
import { StaleTargetError, TornFileError } from "./write-error.ts";

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

interface Place {
  readonly context: StepContext;
  readonly names: TemporaryNames;
  readonly directory: HeldDirectory;
  readonly target: Target;
  /** Leads to the target in the verified directory. */
  readonly path: string;
}

/** The bits that make a program run as its owner or group. */
const SET_ID = 0o6000;
const NO_RENAME: ReadonlySet<string> = new Set(["EBUSY", "EXDEV"]);

/** Puts a whole file into a directory: no reader ever sees half of it, and a link in the way is not followed. */
export function writeStep(target: Target, request: WriteRequest): Step {
  const prepare: Step["prepare"] = async (context, names) => {
    const directory = context.enter(target);
    const place: Place = { context, names, directory, target, path: directory.entry(target.name) };
    if (request.expected !== undefined) return prepareReplacement(place, request, request.expected);
    const file = await prepareFile(place, request);
    return { ...prepared(place, file), putInPlace: () => create(place, file) };
  };
  return { target, prepare };
}

async function prepareFile({ context, names, directory }: Place, content: NewContent): Promise<TemporaryFile> {
  const file = await writeTemporaryFile(directory, names.fresh, content);
  context.atEnd(() => file.release());
  return file;
}

/** The file is flushed before it gets its name: otherwise a crash could leave the name without its content. */
function prepared({ context: { boundary, durable }, names, directory }: Place, file: TemporaryFile) {
  const fresh = { boundary, directory, name: names.fresh };
  return { fresh, ...(durable && { flush: () => file.flush() }) };
}

function create({ directory, path }: Place, file: TemporaryFile): PlacedStep {
  directory.expectInPlace();
  if (linkUnlessTaken(file.path, path)) {
    file.removeName();
  } else {
    claimAndRename(file.path, path);
    file.keep();
  }
  const version = versionOf(file.status());
  return {
    version: () => version,
    takeBack: () => {
      expectVersion(path, version);
      unlinkSync(path);
    },
    finish: () => undefined,
  };
}

async function prepareReplacement(
  place: Place,
  { bytes, mode }: WriteRequest,
  expected: FileVersion,
): Promise<PreparedStep> {
  const { context, directory, names, path, target } = place;
  const old = expectVersion(path, expected);
  expectWritable(path, old);
  // As the system clears them when a file is written: whoever could change its content could otherwise use its owner.
  const kept = Number(old.mode) & ~(constants.S_IFMT | SET_ID);
  const file = await prepareFile(place, { bytes, mode: mode ?? kept });
  const broken = brokenByRename(old, file.status());
  const aside = context.keepsOld && broken === undefined ? directory.entry(names.old) : undefined;

  async function putInPlace(): Promise<PlacedStep> {
    directory.expectInPlace();
    const now = expectVersion(path, expected);
    if (broken !== undefined) return overwrite(place, file, { bytes, old: now, reason: broken });
    // Nothing is awaited between the check and the rename, but where the old file has to be copied.
    if (aside !== undefined && !linkExactly(path, aside, now)) {
      await copyExactly(path, aside, now, context.durable);
      expectVersion(path, expected);
    }
    try {
      renameSync(file.path, path);
    } catch (error) {
      await directory.remove(names.old, now);
      if (!NO_RENAME.has(errnoCode(error) ?? "")) throw error;
      return overwrite(place, file, { bytes, old: expectVersion(path, expected), reason: "a mount point" });
    }
    file.keep();
    const version = versionOf(file.status());
    return {
      version: () => version,
      takeBack: () => {
        expectVersion(path, version);
        if (aside !== undefined) renameSync(aside, path);
      },
      finish: () => (aside === undefined ? undefined : directory.remove(names.old, now)),
    };
  }

  const replaced = { boundary: context.boundary, directory, name: target.name };
  return { old: replaced, ...prepared(place, file), putInPlace };
}

/** What is written in place, and why. */
interface Overwrite {
  readonly bytes: Uint8Array;
  readonly old: BigIntStats;
  readonly reason: InPlaceReason;
}

async function overwrite(place: Place, file: TemporaryFile, { bytes, old, reason }: Overwrite): Promise<PlacedStep> {
  const { context, directory, target, path } = place;
  const write = (content: Uint8Array, expected: BigIntStats) =>
    overwriteFile(directory, target.name, { bytes: content, old: expected, durable: context.durable, copy: file.name });
  try {
    const { status, before } = await write(bytes, old);
    const version = versionOf(status);
    return {
      version: () => version,
      inPlace: reason,
      takeBack: async () => {
        expectVersion(path, version);
        await write(before, status);
      },
      finish: () => undefined,
    };
  } catch (error) {
    if (error instanceof TornFileError) file.keep();
    throw error;
  }
}

function brokenByRename(old: BigIntStats, { uid, gid }: BigIntStats): InPlaceReason | undefined {
  if (old.nlink > 1n) return "hard links";
  return uid !== old.uid || gid !== old.gid ? "another owner" : undefined;
}

/** @throws StaleTargetError */
function expectVersion(path: string, expected: FileVersion): BigIntStats {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.isFile() !== true || !isSameVersion(versionOf(stats), expected)) throw new StaleTargetError();
  return stats;
}

/** A rename would replace even a read-only file, but only a caller that may write into a file may replace it. */
function expectWritable(path: string, { mode, uid, gid }: BigIntStats): void {
  accessSync(path, constants.W_OK);
  // The check was for the real user, but the process may run as another one.
  const { geteuid, getegid, getuid } = process;
  if (geteuid === undefined || getegid === undefined || geteuid() === getuid?.() || geteuid() === 0) return;
  const isOwner = BigInt(geteuid()) === uid;
  const bit = isOwner ? 0o200n : BigInt(getegid()) === gid ? 0o020n : 0o002n;
  if ((mode & bit) === 0n) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
}
