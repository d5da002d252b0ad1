import { closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { segments, createPathMint, type PathMint } from "../names/safe-path.ts";
import { createDenyRules, type DenyRules } from "../rules/deny-rules.ts";
import { createProtectRules, type ProtectRules } from "../rules/protect-rules.ts";

/** What belongs to one sandbox. */
export interface Boundary {
  /** The real path of the project root. */
  readonly root: string;
  readonly rootNames: readonly string[];
  /** The names of the project root as the host spelled it, which may lead through a link. */
  readonly givenRootNames: readonly string[];
  readonly deny: DenyRules;
  readonly protect: ProtectRules;
  readonly paths: PathMint;
  /** Whether `/proc/self/fd` says where a descriptor leads; elsewhere paths are looked at several times. */
  readonly usesProc: boolean;
  /** Whether what git ignores counts as ignored. */
  readonly gitignore: boolean;
}

/** Where Linux shows the process's own open descriptors as links. */
export const PROC_DESCRIPTORS = "/proc/self/fd";

/**
 * Draws the boundary of a sandbox around an existing directory.
 * @throws Error if `projectRoot` is not an existing directory.
 */
export function createBoundary(
  projectRoot: string,
  deny?: readonly string[],
  usesProc?: boolean,
  protect?: readonly string[],
  gitignore = false,
): Boundary {
  const givenRoot = absoluteRoot(projectRoot);
  const root = realDirectory(givenRoot);
  return {
    root,
    rootNames: segments(root),
    givenRootNames: segments(givenRoot),
    deny: createDenyRules(deny, [givenRoot, root]),
    protect: createProtectRules(protect, [givenRoot, root]),
    paths: createPathMint(root),
    usesProc: usesProc ?? procShowsDescriptors(),
    gitignore,
  };
}

function absoluteRoot(projectRoot: unknown): string {
  if (typeof projectRoot !== "string" || projectRoot === "") {
    throw new TypeError("projectRoot must be the path of an existing directory.");
  }
  return resolve(projectRoot);
}

function realDirectory(path: string): string {
  try {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new Error(`projectRoot '${path}' is not an existing directory.`, { cause: error });
  }
  throw new Error(`projectRoot '${path}' is not an existing directory.`);
}

/** Tested with "/", which every process can open: a root that can be entered but not listed tells nothing here. */
function procShowsDescriptors(): boolean {
  try {
    const descriptor = openSync("/", constants.O_RDONLY);
    try {
      return readlinkSync(`${PROC_DESCRIPTORS}/${descriptor}`) === "/";
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // No /proc, or a runtime that does not allow reading it.
    return false;
  }
}
