import { resolve, sep } from "node:path";
import type { SafePath } from "./safe-path.ts";

const SEPARATORS = sep === "\\" ? /[\\/]+/u : /\/+/u;

/** The names of a path in order, without empty ones and ".". */
export function segments(path: string): string[] {
  return path.split(SEPARATORS).filter((segment) => segment !== "" && segment !== ".");
}

/** The POSIX path of `absolute` relative to `root` ("." for the root itself), or undefined if it lies outside. */
export function relativeInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return ".";
  const prefix = root.endsWith(sep) ? root : root + sep;
  return absolute.startsWith(prefix) ? segments(absolute.slice(prefix.length)).join("/") : undefined;
}

/** The relative directory that holds a relative path, and its name there. */
export function parentOf(relative: string): readonly [directory: string, name: string] {
  const slash = relative.lastIndexOf("/");
  return slash < 0 ? [".", relative] : [relative.slice(0, slash), relative.slice(slash + 1)];
}

/** `name` below the relative POSIX path `directory`, where "." and "" stand for the top. */
export function joinRelative(directory: string, name: string): string {
  return directory === "." || directory === "" ? name : `${directory}/${name}`;
}

/** The absolute path that an input spells, by its letters alone: for messages, as nothing about it is checked. */
export function spelledPath(input: string, from: SafePath): string {
  return resolve(from.absolute, input);
}
