import { sep, resolve } from "node:path";

declare const brand: unique symbol;

/** A place below the project root, by its spelling alone: what is there is unknown, even whether it is a link. */
export interface Place {
  /** The path in the host's file system. */
  readonly absolute: string;
  /** The same path relative to the project root, with "/" between names; "." is the root. */
  readonly relative: string;
}

/** A place that a sandbox resolved: at that moment the path led there through no link, in the spelling of the disk. */
export interface SafePath extends Place {
  readonly [brand]: true;
}

/** Translates between the paths of one sandbox and those of the disk, and creates its safe paths. */
export interface PathFactory {
  /** The absolute path of a relative one. */
  absolute(relative: string): string;
  /** The relative path of an absolute one; undefined if it lies outside. */
  relative(absolute: string): string | undefined;
  place(relative: string): Place;
  /** For a path that was resolved. */
  create(relative: string): SafePath;
  /** @throws TypeError if this factory did not create the path. */
  check(path: SafePath): void;
}

/** Creates the factory for a sandbox's safe paths; `root` is a real directory. */
export function createPathFactory(root: string): PathFactory {
  const created = new WeakSet<SafePath>();
  const prefix = root.endsWith(sep) ? root : root + sep;
  const native = (relative: string): string => (sep === "/" ? relative : relative.replaceAll("/", sep));
  const absolute = (relative: string): string => (relative === "." ? root : prefix + native(relative));
  return {
    absolute,
    relative: (path) => relativeInside(root, path),
    place: (relative) => ({ absolute: absolute(relative), relative }),
    create: (relative) => {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the one place that creates a SafePath
      const path = Object.freeze({ absolute: absolute(relative), relative }) as SafePath;
      created.add(path);
      return path;
    },
    check: (path) => {
      if (!created.has(path)) throw new TypeError("Expected a path that this sandbox resolved.");
    },
  };
}

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

/** `name` below the relative POSIX path `directory`, where "." and "" mean the top. */
export function joinRelative(directory: string, name: string): string {
  return directory === "." || directory === "" ? name : `${directory}/${name}`;
}

/** The absolute path that an input spells: only for messages, since nothing about it is checked. */
export function spelledPath(input: string, from: SafePath): string {
  return resolve(from.absolute, input);
}
