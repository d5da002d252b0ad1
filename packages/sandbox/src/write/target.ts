import type { Boundary } from "../disk/boundary.ts";
import { resolvePath } from "../resolve/resolve-path.ts";
import { joinRelative, type SafePath } from "../names/safe-path.ts";
import { SandboxError } from "../error.ts";

/** A file that may be written, by its real path. */
export interface Target {
  readonly path: SafePath;
  /** The deepest directory above it that exists, relative to the project root. */
  readonly nearest: string;
  /** The directories that are missing below `nearest`, outermost first. */
  readonly missing: readonly string[];
  readonly name: string;
  readonly exists: boolean;
}

/** Where a path starts: `orFrom` if nothing exists at `from`. */
export interface TargetBase {
  readonly from: SafePath;
  readonly orFrom?: SafePath;
}

/**
 * Follows a path to the file that it names, or would name if it were created; undefined if it can't be created there.
 * @throws SandboxError
 */
export function findTarget(boundary: Boundary, input: string, { from, orFrom }: TargetBase): Target | undefined {
  const target = targetFrom(boundary, input, from);
  if (target?.exists === true || orFrom === undefined) return target;
  const other = targetFrom(boundary, input, orFrom);
  return other?.exists === true ? other : target;
}

function targetFrom(boundary: Boundary, input: string, from: SafePath): Target | undefined {
  boundary.paths.check(from);
  const end = resolvePath(boundary, from.relative, input);
  if ("found" in end) {
    if (end.isDirectory) throw new SandboxError({ reason: "is_directory", path: input });
    return allowed(boundary, input, end.found.split("/"), 1, true);
  }
  const { stopped: reason, osError = "", nearest, absent, leadsOut } = end;
  if (leadsOut === true) throw new SandboxError({ reason: "outside", path: input, nearest });
  if (reason !== "missing") throw new SandboxError({ reason, path: input, osError, nearest });
  if (absent === undefined || absent.includes("..")) return undefined;
  const names = joinRelative(nearest, absent.join("/")).split("/");
  return allowed(boundary, input, names, absent.length, false);
}

function allowed(boundary: Boundary, input: string, names: readonly string[], absent: number, exists: boolean): Target {
  const relative = names.join("/");
  const nearest = names.slice(0, -absent).join("/") || ".";
  if (boundary.protect.covers(relative)) throw new SandboxError({ reason: "denied", path: input, nearest });
  const path = boundary.paths.create(relative);
  return { path, nearest, missing: names.slice(-absent, -1), name: names.at(-1) ?? "", exists };
}
