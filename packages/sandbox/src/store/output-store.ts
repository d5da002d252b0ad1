import { closeSync, mkdirSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { ErrorCode, type OutputStore } from "@fstools/protocol";
import type { Boundary } from "../path/boundary.ts";
import { joinRelative } from "../path/relative-path.ts";
import { entryPath, openVerified } from "../disk/descriptor.ts";
import { errnoCode, fsError } from "../errno.ts";
import { writeNewFile, type OpenedDirectory } from "../disk/new-file.ts";
import { createOutputNamer, OUTPUT_NAME } from "./output-name.ts";
import { explainPathErrors, type PathWords } from "../path-words.ts";
import { walk } from "../path/follow.ts";
import { removeOld } from "./retention.ts";
import type { SafePath } from "../path/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { SandboxError } from "../error.ts";

/** Where outputs go and how long they stay. */
export interface OutputStoreOptions {
  /**
   * A directory below the project root; made when it is first needed.
   * @default "tool-output"
   */
  readonly directory?: string;
  /**
   * Days after which a saved output is removed.
   * @default 7
   */
  readonly retentionDays?: number;
}

const PRIVATE_DIRECTORY = 0o700;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IGNORE_ALL = new TextEncoder().encode("*\n");

/**
 * A store for outputs too large for a model's context: each becomes a new file that only the process's user can read.
 * @throws RangeError if `retentionDays` is not positive.
 */
export function createOutputStore(
  sandbox: Sandbox,
  { directory = "tool-output", retentionDays = 7 }: OutputStoreOptions = {},
): OutputStore {
  const boundary = boundaryOf(sandbox);
  if (!(retentionDays > 0)) throw new RangeError("retentionDays must be a positive number.");
  const explain = explainPathErrors(STORE_WORDS);
  // The model reads why something was not saved, and learns no path of the host from it.
  const shown = isAbsolute(directory) ? basename(directory) : directory;
  const nextName = createOutputNamer();
  let nextRemoval = 0;

  const saveIn = async (opened: OpenedDirectory, tool: string, chunks: Iterable<Uint8Array>): Promise<string> => {
    await isNew(writeNewFile(boundary, opened, ".gitignore", [IGNORE_ALL]));
    let name = nextName(tool);
    while (!(await isNew(writeNewFile(boundary, opened, name, chunks)))) name = nextName(tool);
    if (Date.now() >= nextRemoval) {
      nextRemoval = Date.now() + HOUR_MS;
      await removeOld(boundary, opened, { name: OUTPUT_NAME, before: Date.now() - retentionDays * DAY_MS });
    }
    return joinRelative(opened.path.relative, name);
  };

  return {
    save: async (tool, chunks) => {
      try {
        const path = findOrMakeDirectory(boundary, directory);
        const { descriptor } = openVerified(boundary, path, "directory");
        try {
          return await saveIn({ path, descriptor }, tool, chunks);
        } finally {
          closeSync(descriptor);
        }
      } catch (error) {
        throw errnoCode(error) === undefined ? error : explain(fsError(error, shown), { path: shown }, NO_TOOLS);
      }
    },
  };
}

const NO_TOOLS = { has: () => false };

const STORE_WORDS: PathWords = {
  missing: (path) => `Directory '${path}' does not exist.`,
  outside: "The output directory leads outside the project root.",
  notDirectory: (path) => `'${path}' is not a directory below the project root.`,
  permission: (path) => ({ code: ErrorCode.PERMISSION_DENIED, message: `Permission denied writing to '${path}'.` }),
  failure: (osError) => ({ code: ErrorCode.EXECUTION_ERROR, message: `Failed to write the output - ${osError}` }),
};

/** Whether the file was written, false if there already is one of that name. */
async function isNew(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (errnoCode(error) === "EEXIST") return false;
    throw error;
  }
}

function findOrMakeDirectory(boundary: Boundary, directory: string): SafePath {
  const end = walk(boundary, ".", directory);
  if ("found" in end) return directoryBelowRoot(boundary, directory, end.found, end.isDirectory);
  if (end.absent === undefined || end.absent.includes("..")) {
    const { stopped: reason, osError = "" } = end;
    throw new SandboxError({ reason, path: directory, osError });
  }
  return boundary.paths.mint(end.absent.reduce((parent, name) => makeDirectory(boundary, parent, name), end.nearest));
}

function directoryBelowRoot(boundary: Boundary, directory: string, found: string, isDirectory: boolean): SafePath {
  // In the root itself the `.gitignore` would hide the project.
  if (!isDirectory || found === ".") throw new SandboxError({ reason: "not_directory", path: directory });
  return boundary.paths.mint(found);
}

/** Makes `name` in the relative directory `parent`, through a descriptor, so that it cannot appear elsewhere. */
function makeDirectory(boundary: Boundary, parent: string, name: string): string {
  const path = boundary.paths.mint(parent);
  const { descriptor } = openVerified(boundary, path, "directory");
  try {
    mkdirSync(entryPath(boundary, path, descriptor, name), { mode: PRIVATE_DIRECTORY });
  } catch (error) {
    if (errnoCode(error) !== "EEXIST") throw error;
  } finally {
    closeSync(descriptor);
  }
  return joinRelative(parent, name);
}
