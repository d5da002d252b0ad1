import { isAbsolute } from "node:path";
import { echo, type ToolCall } from "@fstools/protocol";
import type { Boundary } from "../disk/boundary.ts";
import { joinRelative, segments } from "../names/safe-path.ts";
import { follow, resolvePath, type Found, type Stopped } from "./follow.ts";

/** A path that begins with no root's name, taken from one of several roots. */
export interface NamedPath {
  /** The same path with the root's name in front. */
  readonly path: string;
  readonly end: Found | Stopped;
}

/** What a path that begins with no root's name leads to from each of several roots; empty for any other path. */
export function fromEachRoot(boundary: Boundary, input: string): readonly NamedPath[] {
  const { tops, paths } = boundary;
  if (tops.length === 1 || isAbsolute(input)) return [];
  const end = follow(boundary, ".", input);
  if ("found" in end || end.stopped !== "missing" || !paths.isList(end.nearest)) return [];
  return tops.map(({ path: root }) => {
    const path = joinRelative(root, segments(input).join("/"));
    return { path, end: resolvePath(boundary, ".", path) };
  });
}

/** What exactly one of several roots has, which is told to the caller; undefined if it is none, or more. */
export function inOnlyRoot(named: readonly NamedPath[], input: string, call: Pick<ToolCall, "tell"> | undefined) {
  const [only, ...others] = named.flatMap(({ path, end }) => ("found" in end ? [{ path, end }] : []));
  if (only === undefined || others.length > 0) return undefined;
  call?.tell(`Note: '${echo(input)}' was taken as '${echo(only.path)}'.`);
  return only;
}
