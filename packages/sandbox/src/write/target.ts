import type { ToolCall } from "@fstools/protocol";
import { sep } from "node:path";
import type { Boundary } from "../disk/boundary.ts";
import { spelledOnDisk } from "../disk/spelled-on-disk.ts";
import { follow, resolvePath, type Found, type Stopped } from "../resolve/follow.ts";
import { fromEachRoot, inOnlyRoot } from "../resolve/unnamed.ts";
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
  /** Whether it was only seen: its descriptor has to confirm it. */
  readonly isSeen?: boolean;
}

/** Where a path starts: `orFrom` if nothing exists at `from`. */
export interface TargetBase {
  readonly from: SafePath;
  readonly orFrom?: SafePath;
  /** Is told if a path without a root's name was found in one of several; without it, none is taken so. */
  readonly call?: Pick<ToolCall, "tell">;
}

/**
 * Follows a path to the file that it names, or would name if it were created; undefined if it can't be created there.
 * @throws SandboxError
 */
export function findTarget(
  boundary: Boundary,
  input: string,
  { from, orFrom, call }: TargetBase,
  find: typeof seenFrom = fileFrom,
): Target | undefined {
  const target = find(boundary, input, from);
  if (target?.exists === true) return target;
  const other = orFrom && find(boundary, input, orFrom);
  if (other?.exists === true) return other;
  const only = call && inOnlyRoot(fromEachRoot(boundary, input), input, call);
  return only === undefined ? target : find(boundary, only.path, from);
}

/**
 * The same for an entry of any kind, which a last link is itself.
 * @param change - `false` if it is only read: then no rule protects it
 * @throws SandboxError
 */
export function findEntry(boundary: Boundary, input: string, base: TargetBase, change = true): Target | undefined {
  return findTarget(boundary, input, base, (_, path, from) => entryFrom(boundary, path, from, change));
}

/** The same without confirming a file that is going to be opened, where its descriptor does that. */
export function seenFrom(boundary: Boundary, input: string, from: SafePath): Target | undefined {
  boundary.paths.check(from);
  const end = follow(boundary, from.relative, input);
  const isDirect = "found" in end && end.isFile && end.followed.length === 0;
  if (!isDirect || boundary.verifier.verification !== "descriptor") return fileFrom(boundary, input, from, end);
  const target = targetAt(boundary, input, end);
  return target && { ...target, isSeen: true };
}

function fileFrom(boundary: Boundary, input: string, from: SafePath, seen?: Found | Stopped): Target | undefined {
  boundary.paths.check(from);
  const end = resolvePath(boundary, from.relative, input, seen);
  if ("found" in end && end.isDirectory) throw new SandboxError({ reason: "is_directory", path: input });
  return targetAt(boundary, input, end);
}

/** Everything up to its last name, that name, and slashes after it. */
const LAST_NAME = sep === "/" ? /^(.*\/)?([^/]+)\/*$/su : /^(.*[\\/])?([^\\/]+)[\\/]*$/su;

function entryFrom(boundary: Boundary, input: string, from: SafePath, change: boolean): Target | undefined {
  const { paths, protect, verifier } = boundary;
  paths.check(from);
  const whole = resolvePath(boundary, from.relative, input);
  const [, parent = ".", name = ".."] = LAST_NAME.exec(input) ?? [];
  const isNamed = name !== ".." && name !== ".";
  const end = isNamed ? resolvePath(boundary, from.relative, parent) : whole;
  const isInside = isNamed && "found" in end && !paths.isList(end.found);
  // A root is no entry of a directory that could be changed; a link to one is.
  if (!isInside && "found" in whole && paths.isRoot(whole.found)) {
    throw new SandboxError({ reason: "denied", path: input });
  }
  if ("stopped" in whole && whole.stopped === "invalid_name" && input.includes("\0")) targetAt(boundary, input, whole);
  if (!isNamed) return targetAt(boundary, input, whole, [], change);
  if (!("found" in end)) return targetAt(boundary, input, end, [name], change);
  if (!end.isDirectory) throw new SandboxError({ reason: "missing", path: input });
  if (paths.isList(end.found)) return undefined;
  const relative = joinRelative(end.found, name);
  const seen = verifier.look(paths.place(relative));
  if (seen === undefined) throw new SandboxError({ reason: "outside", path: input, nearest: end.found });
  // A disk may know a name in several spellings, and one of them may be what a rule is about.
  const spelled = seen.result === undefined ? name : spelledOnDisk(boundary, end.found, name, seen.result.device);
  if (spelled === undefined || (change && protect.covers(joinRelative(end.found, spelled)))) {
    throw new SandboxError({ reason: "denied", path: input, nearest: end.found });
  }
  const found = { ...end, found: relative };
  return targetAt(boundary, input, found, [], change, seen.result !== undefined);
}

/** What a path ends at, if the rules allow that it is changed. */
function targetAt(
  { deny, paths, protect }: Boundary,
  input: string,
  end: Found | Stopped,
  below: readonly string[] = [],
  change = true,
  exists = "found" in end,
): Target | undefined {
  if ("stopped" in end) {
    const { stopped: reason, osError = "", nearest, leadsOut } = end;
    if (leadsOut === true) throw new SandboxError({ reason: "outside", path: input, nearest });
    if (reason !== "missing") throw new SandboxError({ reason, path: input, osError, nearest });
    if (end.absent === undefined || end.absent.includes("..") || paths.isList(nearest)) return undefined;
  }
  const absent = "found" in end ? [] : [...(end.absent ?? []), ...below];
  const relative = "found" in end ? end.found : joinRelative(end.nearest, absent.join("/"));
  const names = relative.split("/");
  const own = Math.max(absent.length, 1);
  const nearest = names.slice(0, -own).join("/") || ".";
  if (deny.covers(relative) || (change && protect.covers(relative))) {
    throw new SandboxError({ reason: "denied", path: input, nearest });
  }
  return { path: paths.create(relative), nearest, missing: names.slice(-own, -1), name: names.at(-1) ?? "", exists };
}
