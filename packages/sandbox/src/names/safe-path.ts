import { isAbsolute, posix, resolve, sep } from "node:path";

declare const brand: unique symbol;

/** A place in the project, by its spelling alone: what is there is unknown, even whether it is a link. */
export interface Place {
  /** The path in the host's file system; "" for the list of several roots, which is in none. */
  readonly absolute: string;
  /** The path in the project; of several roots each begins with its name, and "." is their list, otherwise the root. */
  readonly relative: string;
}

/** A place that a sandbox resolved: at that moment the path led there through no link, in the spelling of the disk. */
export interface SafePath extends Place {
  readonly [brand]: true;
}

/** Translates between the paths of one sandbox and those of the disk, and creates its safe paths. */
export type PathFactory = ReturnType<typeof createPathFactory>;

/** Creates the factory for a sandbox's safe paths; the roots are real directories by name, a single one by ".". */
export function createPathFactory(roots: ReadonlyMap<string, string>) {
  const created = new WeakSet<SafePath>();
  const isSingle = roots.has(".");
  const rootOf = (path: string): string => (isSingle ? "." : (path.split("/", 1)[0] ?? path));
  const absolute = (relative: string): string => {
    const name = rootOf(relative);
    const root = roots.get(name);
    const inside = below(name, relative);
    if (root === undefined || inside === undefined) return "";
    return inside === "." ? root : prefixOf(root) + (sep === "/" ? inside : inside.replaceAll("/", sep));
  };
  return {
    /** The absolute path of a relative one. */
    absolute,
    /** The relative path of an absolute one; undefined if it lies outside. */
    relative: (path: string): string | undefined => {
      for (const [name, root] of roots) {
        const inside = relativeInside(root, path);
        if (inside !== undefined) return inside === "." ? name : joinRelative(name, inside);
      }
      return undefined;
    },
    /** Whether a relative path is a root's, or the list of roots: then it is no entry of a directory. */
    isRoot: (path: string): boolean => rootOf(path) === path,
    /** Whether it is the list of several roots, which is no directory of the disk. */
    isList: (path: string): boolean => !isSingle && path === ".",
    /** The path of the root that holds a relative path. */
    rootOf,
    place: (path: string): Place => ({ absolute: absolute(path), relative: path }),
    /** For a path that was resolved. */
    create: (path: string): SafePath => {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the one place that creates a SafePath
      const safe = Object.freeze({ absolute: absolute(path), relative: path }) as SafePath;
      created.add(safe);
      return safe;
    },
    /** @throws TypeError if this factory did not create the path. */
    check: (path: SafePath): void => {
      if (!created.has(path)) throw new TypeError("Expected a path that this sandbox resolved.");
    },
  };
}

function prefixOf(root: string): string {
  return root.endsWith(sep) ? root : root + sep;
}

const SEPARATORS = sep === "\\" ? /[\\/]+/u : /\/+/u;

/** The names of a path in order, without empty ones and ".". */
export function segments(path: string): string[] {
  return path.split(SEPARATORS).filter((segment) => segment !== "" && segment !== ".");
}

/** The POSIX path of `absolute` relative to `root` ("." for the root itself), or undefined if it lies outside. */
export function relativeInside(root: string, absolute: string): string | undefined {
  if (absolute === root) return ".";
  const prefix = prefixOf(root);
  return absolute.startsWith(prefix) ? segments(absolute.slice(prefix.length)).join("/") : undefined;
}

/** The relative directory that holds a relative path, and its name there. */
export function parentOf(relative: string): readonly [directory: string, name: string] {
  const slash = relative.lastIndexOf("/");
  return slash < 0 ? [".", relative] : [relative.slice(0, slash), relative.slice(slash + 1)];
}

/** What a relative path is below a relative directory: "." for the directory itself, undefined if it is not in it. */
export function below(directory: string, relative: string): string | undefined {
  if (directory === "." || directory === relative) return directory === relative ? "." : relative;
  return relative.startsWith(`${directory}/`) ? relative.slice(directory.length + 1) : undefined;
}

/** `name` below the relative POSIX path `directory`, where "." and "" mean the top. */
export function joinRelative(directory: string, name: string): string {
  return directory === "." || directory === "" ? name : `${directory}/${name}`;
}

/** The absolute path that an input spells: only for messages, since nothing about it is checked. */
export function spelledPath(
  input: string,
  { roots, root: base }: { readonly roots: readonly { readonly path: Place }[]; readonly root: Place },
  from = base,
): string {
  if (roots.length === 1 || isAbsolute(input)) return resolve(from.absolute, input);
  const relative = posix.join(from.relative, input);
  const root = roots.find(({ path }) => below(path.relative, relative) !== undefined)?.path;
  // In the list of the roots nothing else has an absolute path.
  return root === undefined ? relative : resolve(root.absolute, below(root.relative, relative) ?? ".");
}
