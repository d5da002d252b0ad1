import { SandboxError, type SafePath, type Sandbox } from "@fstools/sandbox";
import type { SkippedDirectory } from "@fstools/sandbox";

const MAX_NAMED = 3;

/**
 * The first of the directories that a walk from `start` skipped, with paths relative to the project root.
 * A walk reads unchecked, so one of them may lie behind a link that was put in the way: none is named that a verified
 * listing does not have.
 */
export async function nameSkipped(
  sandbox: Sandbox,
  start: SafePath,
  skipped: readonly SkippedDirectory[],
  signal: AbortSignal,
): Promise<readonly SkippedDirectory[]> {
  const named: SkippedDirectory[] = [];
  for (const { path, reason } of skipped.slice(0, MAX_NAMED)) {
    const fromRoot = start.relative === "." ? path : `${start.relative}/${path}`;
    if (await isListed(sandbox, fromRoot, signal)) named.push({ path: fromRoot, reason });
  }
  return named;
}

async function isListed(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<boolean> {
  const slash = path.lastIndexOf("/");
  const parent = slash < 0 ? "." : path.slice(0, slash);
  const name = path.slice(slash + 1);
  try {
    const directory = await sandbox.resolve(parent);
    if (directory.relative !== parent) return false;
    for await (const entries of sandbox.readDirectory(directory, { signal })) {
      if (entries.some((entry) => entry.name === name && entry.kind === "directory")) return true;
    }
    return false;
  } catch (error) {
    // The answer stands without the name; it is the check that failed or was aborted.
    if (error instanceof SandboxError || signal.aborted) return false;
    throw error;
  }
}
