import { closeSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { ErrorCode, isToolError, ToolError, type OutputStore } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { below, joinRelative, type Place } from "../names/safe-path.ts";
import { openVerified } from "../disk/descriptor.ts";
import { errnoCode, fsError } from "../disk/errno.ts";
import { noteOutput, outputName, removeOutputs, writeNewFile } from "./outputs.ts";
import { explainPathErrors } from "../shared/path-words.ts";
import { resolvePath } from "../resolve/resolve-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { SandboxError } from "../error.ts";
import { makeParents } from "../write/held-directory.ts";

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
