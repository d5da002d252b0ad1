import * as fs from "node:fs";
import { join } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import { expectInside } from "../disk/descriptor.ts";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import type { Place } from "../names/safe-path.ts";
import { EXCLUSIVE } from "../write/held-directory.ts";

/** A directory that was opened and verified. */
export interface OpenedDirectory {
  readonly path: Place;
  readonly descriptor: number;
}

const PRIVATE_FILE = 0o600;
const MAX_TOOL_NAME = 64;

/** The names of files that an output store made. */
const OUTPUT_NAME = /^tool_\d{8}_\d{6}_[A-Za-z0-9_-]+\.json$/u;

/** A file name such as `tool_20250131_235959_LS.json` (UTC); a further one in the same second ends in `_2`, `_3`, …. */
export function outputName(tool: string, date: Date, count: number): string {
  const time = date.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "").replace("T", "_");
  const shown = tool.replaceAll(/[^A-Za-z0-9_-]/gu, "").slice(0, MAX_TOOL_NAME) || "unnamed";
  return `tool_${time}_${shown}${count === 1 ? "" : `_${count}`}.json`;
}

/** Writes a new file into an open directory, whole or not at all; false if there already is one of that name. */
export async function writeNewFile(
  boundary: Boundary,
  { path: directory, descriptor }: OpenedDirectory,
  name: string,
  chunks: Iterable<Uint8Array>,
): Promise<boolean> {
  const path = boundary.verifier.entryPath(directory, descriptor, name);
  const file = await fs.promises.open(path, EXCLUSIVE, PRIVATE_FILE).catch((error: unknown) => {
    if (errnoCode(error) === "EEXIST") return undefined;
    throw error;
  });
  if (file === undefined) return false;
  try {
    try {
      const location = boundary.verifier.locate(file.fd, join(directory.absolute, name));
      expectInside(boundary, location ?? "", directory);
      await fs.promises.writeFile(file, chunks);
    } finally {
      // Some file systems report only now that the disk is full.
      await file.close();
    }
    return true;
  } catch (error) {
    await fs.promises.unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Notes a new output in the store's own list; where the list is not ours or can't be written, it is never removed. */
export function noteOutput(boundary: Boundary, directory: OpenedDirectory, name: string): void {
  withList(boundary, directory, (list) => {
    // The name before may have been written in part only.
    fs.writeFileSync(list, `\n${name}\n`);
  });
}

/** Removes listed outputs that were last changed before a time; what cannot be removed stays for the next time. */
export async function removeOutputs(boundary: Boundary, directory: OpenedDirectory, before: number): Promise<void> {
  const done = new Set<string>();
  for (const name of withList(boundary, directory, namesIn) ?? []) {
    const path = boundary.verifier.entryPath(directory.path, directory.descriptor, name);
    const stats = await fs.promises.lstat(path).catch(() => undefined);
    if (stats === undefined || !isOurs(stats)) done.add(name);
    else if (stats.mtimeMs < before) await fs.promises.unlink(path).then(() => done.add(name), errnoCode);
  }
  withList(boundary, directory, (list) => {
    // Read again: further names may have come meanwhile.
    const kept = namesIn(list).filter((name) => !done.has(name));
    fs.ftruncateSync(list, 0);
    fs.writeFileSync(list, kept.map((name) => `${name}\n`).join(""));
  });
}

const LIST_NAME = ".fstools-outputs";
const LIST_FLAGS = fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_APPEND | GUARDED;
// Hundreds of thousands of names: more than a store makes before it removes the old ones.
const MAX_LIST_BYTES = 16 * 1024 * 1024;

function namesIn(list: number): string[] {
  const lines = fs.readFileSync(list, "utf8").split("\n");
  return lines.filter((name) => OUTPUT_NAME.test(name));
}

/** Undefined if the list is not ours. */
function withList<Result>(
  { verifier }: Boundary,
  { path, descriptor }: OpenedDirectory,
  work: (list: number) => Result,
): Result | undefined {
  try {
    const list = fs.openSync(verifier.entryPath(path, descriptor, LIST_NAME), LIST_FLAGS, PRIVATE_FILE);
    try {
      const [stats, absolute] = [fs.fstatSync(list), join(path.absolute, LIST_NAME)];
      const isTrusted = isOurs(stats) && stats.size <= MAX_LIST_BYTES && verifier.locate(list, absolute) === absolute;
      return isTrusted ? work(list) : undefined;
    } finally {
      fs.closeSync(list);
    }
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return undefined;
  }
}

/** A repository can contain such files, but git cannot store mode 0600; Windows has no such modes and owners. */
function isOurs(stats: fs.Stats): boolean {
  return (
    stats.isFile() && stats.nlink === 1 && (stats.mode & 0o777) === PRIVATE_FILE && stats.uid === process.geteuid?.()
  );
}
