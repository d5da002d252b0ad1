import { echo } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { SandboxError } from "../error.ts";
import { findForeignPath } from "../names/foreign-path.ts";
import type { SafePath } from "../names/safe-path.ts";
import { isMissingRoot, resolvePath, type Stopped } from "./follow.ts";
import { suggest } from "./suggest.ts";
import { fromEachRoot, type NamedPath } from "./unnamed.ts";

/** A path that was asked for. */
export interface RequestedPath {
  readonly input: string;
  /** Where the caller's own relative paths start. */
  readonly from: SafePath;
  /** Where those of the tool that lists directories do. */
  readonly cwd: SafePath;
  /** Whether it was to be created if it is missing. */
  readonly creates?: boolean | undefined;
}

/** Why a path leads nowhere, with what the caller may have meant, also by one without a root's name. */
export function explain(
  boundary: Boundary,
  seen: Stopped,
  { input, from, cwd, creates = false }: RequestedPath,
  named: readonly NamedPath[] = [],
): SandboxError {
  const nowhere = named.flatMap(({ end }) => ("stopped" in end ? [end] : []));
  const isNowhere = named.length > 0 && nowhere.length === named.length;
  // What no root has may be denied in one: a rule gives the same answer either way.
  const end = (isNowhere ? nowhere.find(({ stopped }) => stopped === "denied") : undefined) ?? seen;
  const { stopped: reason, osError = "" } = end;
  const nearest = spelledFrom(boundary, cwd, end.nearest);
  if (reason !== "missing" && reason !== "outside") return new SandboxError({ reason, path: input, osError, nearest });
  const foreign = findForeignPath(input);
  const suggestions = [
    ...named.flatMap((one) => (isMeant(boundary, one, creates) ? [one.path] : [])),
    ...(foreign === undefined ? [] : existing(boundary, [foreign.spelling, `/${foreign.spelling}`])),
    ...[end, ...nowhere].flatMap((stopped) => similar(boundary, stopped)),
  ];
  return new SandboxError({
    reason,
    path: input,
    osError,
    nearest: reason === "missing" && isMissingRoot(boundary, end.nearest) ? "" : nearest,
    suggestions: [...new Set(suggestions)].slice(0, 3).map((suggestion) => spelledFrom(boundary, from, suggestion)),
    remark: foreign?.remark ?? (isNowhere ? namesOfRoots(boundary) : ""),
  });
}

/** Whether it is there, or could be created in a directory that is. */
function isMeant({ protect }: Boundary, { path, end }: NamedPath, creates: boolean): boolean {
  if ("found" in end) return true;
  return creates && end.absent?.length === 1 && !protect.covers(path);
}

/** Those of the spellings that name something below a root, by their real paths. */
function existing(boundary: Boundary, spellings: readonly string[]): string[] {
  const ends = spellings.flatMap((spelling) => [
    resolvePath(boundary, ".", spelling),
    ...fromEachRoot(boundary, spelling).map(({ end }) => end),
  ]);
  return ends.flatMap((end) => ("found" in end && !boundary.paths.isRoot(end.found) ? [end.found] : []));
}

/** What exists that the caller may have meant by a path that does not. */
function similar(boundary: Boundary, { file, nearest, absent }: Stopped): readonly string[] {
  return [...(file === undefined ? [] : [file]), ...(absent === undefined ? [] : suggest(boundary, nearest, absent))];
}

const MAX_NAMED_ROOTS = 10;

function namesOfRoots({ tops }: Boundary): string {
  const names = tops.slice(0, MAX_NAMED_ROOTS).map(({ path }) => `'${echo(path)}'`);
  return `A path begins with the name of a root: ${names.join(", ")}${tops.length > names.length ? ", …" : ""}.`;
}

/** A relative path, spelled from `base` if it would name something else there. */
function spelledFrom(boundary: Boundary, base: SafePath, relative: string): string {
  if (base.relative === ".") return relative;
  const end = resolvePath(boundary, base.relative, relative);
  if (!("found" in end) || end.found === relative) return relative;
  const up = "../".repeat(base.relative.split("/").length);
  return relative === "." ? up.slice(0, -1) : up + relative;
}
