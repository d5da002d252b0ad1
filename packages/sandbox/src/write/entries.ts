import * as fs from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { isSameVersion, versionOf, type FileVersion } from "../versions.ts";
import { copyBytes, EXCLUSIVE, flush, isSameFile, type FileIdentity } from "./held-directory.ts";
import { DamageError, StaleTargetError } from "./write-error.ts";

const NO_SECOND_NAME = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "EXDEV"];

/**
 * A hard link, unlike a rename, fails if the name is taken.
 * @returns false if the file can't have a second name there
 * @throws StaleTargetError if the name is taken
 */
export function linkUnlessTaken(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoCode(error) === "EEXIST") throw new StaleTargetError({ isTaken: true });
    // It, or the directory, has just gone.
    if (errnoCode(error) === "ENOENT") throw new StaleTargetError();
    if (NO_SECOND_NAME.includes(errnoCode(error) ?? "")) return false;
    throw error;
  }
}

/**
 * Gives a file, or a link, a second name, if it is this one.
 * @returns false if it can't have a second name there
 * @throws StaleTargetError
 */
export function linkExactly(from: string, to: string, file: FileIdentity): boolean {
  const isLinked = linkUnlessTaken(from, to);
  const remove = (): void => {
    fs.unlinkSync(to);
  };
  if (isLinked) expectEntry(to, (stats) => isSameFile(stats, file), remove);
  return isLinked;
}

/** @throws StaleTargetError if an entry is not what it was */
export function expectVersion(path: string, expected: FileVersion): fs.BigIntStats {
  const stats = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined || !isSameVersion(versionOf(stats), expected)) throw new StaleTargetError();
  return stats;
}

/** @throws StaleTargetError, after `undo`, if an entry is not what it should be */
export function expectEntry(path: string, isExpected: (stats: fs.BigIntStats) => boolean, undo: () => void): void {
  let isSame = false;
  try {
    isSame = isExpected(fs.lstatSync(path, { bigint: true }));
  } finally {
    if (!isSame) undo();
  }
  if (!isSame) throw new StaleTargetError();
}

/**
 * Copies a file to a name that is free, if it is this one and stays as it is meanwhile.
 * @throws StaleTargetError
 */
export async function copyExactly(
  from: fs.PathLike,
  to: fs.PathLike,
  file: FileIdentity,
  isDurable: boolean,
): Promise<void> {
  const source = fs.openSync(from, fs.constants.O_RDONLY | GUARDED);
  try {
    const before = fs.fstatSync(source, { bigint: true });
    if (!isSameFile(before, file)) throw new StaleTargetError();
    const copy = createUnlessTaken(to);
    try {
      await copyBytes(source, copy);
      if (!isSameVersion(versionOf(before), versionOf(fs.fstatSync(source, { bigint: true }))))
        throw new StaleTargetError();
      fs.fchmodSync(copy, Number(before.mode) & 0o7777);
      fs.futimesSync(copy, Number(before.atimeNs) / 1e9, Number(before.mtimeNs) / 1e9);
      if (isDurable) await flush(copy);
    } catch (error) {
      fs.unlinkSync(to);
      throw error;
    } finally {
      fs.closeSync(copy);
    }
  } finally {
    fs.closeSync(source);
  }
}

/**
 * Takes a name with an empty file, which only one process can create, then replaces that file.
 * @throws StaleTargetError if the name is taken
 */
export function claimAndRename(from: string, to: string): void {
  const claim = createUnlessTaken(to);
  try {
    fs.renameSync(from, to);
  } catch (error) {
    fs.unlinkSync(to);
    throw error;
  } finally {
    fs.closeSync(claim);
  }
}

function createUnlessTaken(path: fs.PathLike): number {
  try {
    return fs.openSync(path, EXCLUSIVE, 0o600);
  } catch (error) {
    throw errnoCode(error) === "EEXIST" ? new StaleTargetError({ isTaken: true }) : error;
  }
}

/**
 * Gives an entry another name, under which nobody looks for it, if it is what it should be.
 * @throws StaleTargetError if it is not; then it has its name again
 */
export function moveAside(from: string, aside: string, isExpected: (stats: fs.BigIntStats) => boolean): void {
  fs.renameSync(from, aside);
  expectEntry(aside, isExpected, () => {
    putBack(aside, from);
  });
}

/**
 * Gives an entry that was moved aside its name again; nothing is replaced but, at most, an empty directory.
 * @throws DamageError if the name is taken
 */
export function putBack(aside: string, name: string): void {
  try {
    renameUnlessTaken(aside, name);
  } catch (error) {
    throw error instanceof StaleTargetError
      ? new DamageError("stranded", aside.slice(aside.lastIndexOf("/") + 1))
      : error;
  }
}

/** @throws StaleTargetError if the name is taken */
export function renameUnlessTaken(from: string, to: string): void {
  if (fs.lstatSync(from).isDirectory()) {
    renameDirectory(from, to);
  } else if (linkUnlessTaken(from, to)) {
    try {
      fs.unlinkSync(from);
    } catch (error) {
      fs.unlinkSync(to);
      throw error;
    }
  } else {
    claimAndRename(from, to);
  }
}

/**
 * Nothing but a directory can have a path that ends with a slash, and only an empty one is replaced by another.
 * @throws StaleTargetError if the name is taken
 */
export function renameDirectory(from: string, to: string): void {
  if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw new StaleTargetError({ isTaken: true });
  try {
    fs.renameSync(`${from}/`, `${to}/`);
  } catch (error) {
    const isTaken = ["ENOTEMPTY", "EEXIST", "ENOTDIR"].includes(errnoCode(error) ?? "");
    throw isTaken ? new StaleTargetError({ isTaken }) : error;
  }
}
