import { lstat, unlink } from "node:fs/promises";
import type { Stats } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { peekDirectory } from "../disk/directory.ts";
import type { OpenedDirectory } from "../disk/new-file.ts";
import { SandboxError } from "../error.ts";

const MAX_TOOL_NAME = 64;

/** The names of files that an output store made. */
const OUTPUT_NAME = /^tool_\d{8}_\d{6}_[A-Za-z0-9_-]+\.json$/u;

/** A file name such as `tool_20250131_235959_LS.json` (UTC); a further one in the same second ends in `_2`, `_3`, …. */
export function outputName(tool: string, date: Date, count: number): string {
  const time = date.toISOString().slice(0, 19).replaceAll(/[-:]/gu, "").replace("T", "_");
  const shown = tool.replaceAll(/[^A-Za-z0-9_-]/gu, "").slice(0, MAX_TOOL_NAME) || "unnamed";
  return `tool_${time}_${shown}${count === 1 ? "" : `_${count}`}.json`;
}

/** Removes outputs that were last changed before a time; what cannot be removed stays for the next time. */
export async function removeOutputs(boundary: Boundary, directory: OpenedDirectory, before: number): Promise<void> {
  for (const name of namesIn(boundary, directory)) {
    const path = boundary.verifier.entryPath(directory.path, directory.descriptor, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats !== undefined && isOutput(stats) && stats.mtimeMs < before) await unlink(path).catch(() => undefined);
  }
}

function namesIn(boundary: Boundary, { path }: OpenedDirectory): string[] {
  try {
    const entries = peekDirectory(boundary, path, () => false);
    return entries.flatMap(({ name }) => (OUTPUT_NAME.test(name) ? [name] : []));
  } catch (error) {
    if (error instanceof SandboxError) return [];
    throw error;
  }
}

/** A repository can contain files of such names, but git cannot store mode 0600; Windows has no such modes and owners. */
function isOutput(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1 && (stats.mode & 0o777) === 0o600 && stats.uid === process.getuid?.();
}
