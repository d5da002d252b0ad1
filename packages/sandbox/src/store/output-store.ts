import { ErrorCode, isToolError, ToolError, type OutputStore } from "@fstools/protocol";
import * as fs from "node:fs";
import { closeSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import { errnoCode, fsError } from "../disk/errno.ts";
import { expectInside, openVerified } from "../disk/open.ts";
import { GUARDED } from "../disk/verifier.ts";
import { SandboxError } from "../error.ts";
import { below, joinRelative, type Place } from "../names/safe-path.ts";
import { resolvePath } from "../resolve/follow.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { explainPathErrors } from "../shared/path-words.ts";
import { EXCLUSIVE, makeParents } from "../write/held-directory.ts";

/** Where outputs go and how long they stay. */
export interface OutputStoreOptions {
  /** Below the first root that may be written; made when it is first needed. @default "tool-output" */
  readonly directory?: string;
  /** Days after which a saved output is removed. @default 7 */
  readonly retentionDays?: number;
}

const PRIVATE_DIRECTORY = 0o700;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IGNORE_ALL = new TextEncoder().encode("*\n");

/** Puts large outputs into new files for this user alone. @throws RangeError if `retentionDays` is not positive */
export function createOutputStore(
  sandbox: Sandbox,
  { directory = "tool-output", retentionDays = 7 }: OutputStoreOptions = {},
): OutputStore {
  const boundary = boundaryOf(sandbox);
  if (!(retentionDays > 0)) throw new RangeError("retentionDays must be a positive number.");
  // The model reads why something was not saved, and learns no path of the host from it.
  const shown = isAbsolute(directory) ? basename(directory) : directory;
  const kept = inFirstWritable(boundary, directory);
  // Readable but not writable, even before it exists.
  boundary.protect.keep(boundary.paths.relative(kept) ?? kept);
  let nextRemoval = 0;

  return {
    save: async (tool, chunks) => {
      try {
        const { path, isOurs } = findOrMakeDirectory(boundary, kept);
        const { descriptor, relative } = openVerified(boundary, path, "directory");
        const opened = { path, descriptor };
        try {
          if (relative !== path.relative) throw new SandboxError({ reason: "outside", path: shown });
          // In a directory that already existed it would hide the project's files from git.
          if (isOurs) await writeNewFile(boundary, opened, ".gitignore", [IGNORE_ALL]);
          const now = new Date();
          let name = outputName(tool, now, 1);
          for (let count = 2; !(await writeNewFile(boundary, opened, name, chunks)); count += 1) {
            name = outputName(tool, now, count);
          }
          noteOutput(boundary, opened, name);
          if (Date.now() >= nextRemoval) {
            nextRemoval = Date.now() + HOUR_MS;
            await removeOutputs(boundary, opened, Date.now() - retentionDays * DAY_MS);
          }
          return joinRelative(path.relative, name);
        } finally {
          closeSync(descriptor);
        }
      } catch (error) {
        const isWorded = isToolError(error) && !(error instanceof SandboxError);
        if (isWorded || errnoCode(error) === undefined) throw error;
        throw explain(fsError(error, shown), { path: shown }, { has: () => false });
      }
    },
  };
}

const explain = explainPathErrors({
  missing: (path) => `Directory '${path}' does not exist.`,
  outside: "The output directory leads outside the project root.",
  notDirectory: (path) => `'${path}' is not a directory below the project root.`,
  permission: (path) => ({ code: ErrorCode.PERMISSION_DENIED, message: `Permission denied writing to '${path}'.` }),
  failure: (osError) => ({ code: ErrorCode.EXECUTION_ERROR, message: `Failed to write the output - ${osError}` }),
});

function refusal(message: string, hint: string): ToolError {
  return new ToolError(ErrorCode.ACCESS_DENIED, message, { hint });
}

function inFirstWritable(boundary: Boundary, directory: string): string {
  const { tops } = boundary;
  const root = tops.find(({ path }) => isWritable(boundary, path)) ?? tops[0];
  return isAbsolute(directory) || root === undefined ? directory : joinRelative(root.path, directory);
}

function isWritable({ roots }: Boundary, relative: string): boolean {
  return !roots.some(({ path, access }) => access === "read" && below(path, relative) !== undefined);
}

/** The directory, and whether it was made just now. */
function findOrMakeDirectory(
  boundary: Boundary,
  directory: string,
): { readonly path: Place; readonly isOurs: boolean } {
  const { paths } = boundary;
  const end = resolvePath(boundary, ".", directory);
  const { followed = [] } = end;
  const isInside = "found" in end || end.stopped === "missing";
  // A repository can contain a link, and so choose where the output goes.
  if (isInside && followed.length > 0) {
    throw refusal("The output directory is reached through a link.", "Ask the user to remove the link.");
  }
  if (isInside && !isWritable(boundary, "found" in end ? end.found : end.nearest)) {
    throw refusal("The project may only be read.", "Ask for less at a time.");
  }
  if ("found" in end) {
    // In the root itself, outputs would be mixed with the project's files.
    if (end.isDirectory && !paths.isRoot(end.found)) return { path: paths.place(end.found), isOurs: false };
    throw new SandboxError({ reason: "not_directory", path: directory });
  }
  const { absent, nearest, stopped: reason, osError = "" } = end;
  if (absent === undefined || absent.includes("..") || paths.isList(nearest)) {
    throw new SandboxError({ reason, path: directory, osError });
  }
  const relative = joinRelative(nearest, absent.join("/"));
  const made = makeParents(boundary, nearest, absent, PRIVATE_DIRECTORY);
  return { path: paths.place(relative), isOurs: made.includes(relative) };
}

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
