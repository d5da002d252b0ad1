import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { joinRelative, relativeInside } from "./names/safe-path.ts";

/** One of a project's directories. */
export interface RootOptions {
  /** An existing directory; nothing outside the roots can be reached. */
  readonly path: string;
  /** What its paths begin with where there are several. @default the directory's name, with "-2" … if it is taken */
  readonly name?: string;
  /** "read": nothing in it may be changed. @default "write" */
  readonly access?: RootAccess;
}

/** What may be done in a root. */
export type RootAccess = "write" | "read";

/** The directory of a project, or several; exactly one of the two is given. */
export interface ProjectOptions {
  /** An existing directory; nothing outside it can be reached. */
  readonly projectRoot?: string | undefined;
  readonly roots?: readonly RootOptions[] | undefined;
}

/** A directory that the host named. */
export interface Root {
  /** Its path in the project: a name, "." if it is the only one, or a path below the root that it is in. */
  readonly path: string;
  /** Its real path. */
  readonly absolute: string;
  /** Its absolute path as the host spelled it, links included. */
  readonly spelled: string;
  readonly access: RootAccess;
}

/** A root as the host gave it, perhaps without types to check it. */
interface GivenRoot extends Pick<RootOptions, "name"> {
  readonly path: unknown;
  readonly access?: string;
}

type FoundRoot = Omit<Root, "path"> & { readonly name: string | undefined };

/** Finds the directories of a project, and names them. @throws Error if one does not exist, or a name can't be used */
export function readRoots({ projectRoot, roots }: ProjectOptions): readonly Root[] {
  const found = roots === undefined ? [find("projectRoot", { path: projectRoot })] : rootsIn(roots, projectRoot);
  const outerFirst = found.toSorted((one, other) => one.absolute.length - other.absolute.length);
  const outermost = (root: FoundRoot): FoundRoot =>
    outerFirst.find(({ absolute }) => relativeInside(absolute, root.absolute) !== undefined) ?? root;
  const names = namesOf(found.filter((root) => outermost(root) === root));
  return found.map((root) => {
    const { absolute, spelled, access } = root;
    const outer = outermost(root);
    const [name, inside] = [names.get(outer) ?? ".", relativeInside(outer.absolute, absolute) ?? "."];
    return { path: inside === "." ? name : joinRelative(name, inside), absolute, spelled, access };
  });
}

function rootsIn(roots: unknown, projectRoot: unknown): FoundRoot[] {
  if (!Array.isArray(roots) || roots.length === 0) throw new TypeError("roots must be a list of directories.");
  if (projectRoot !== undefined) throw new TypeError("Give projectRoot or roots, not both.");
  return roots.map((root: RootOptions) => find("root", root));
}

function find(option: string, { path, name, access = "write" }: GivenRoot): FoundRoot {
  if (typeof path !== "string" || path === "") {
    throw new TypeError(`${option} must be the path of an existing directory.`);
  }
  if (name !== undefined && (["", ".", ".."].includes(name) || /[/\\\0]/u.test(name))) {
    throw new TypeError(`The name of a root must be one segment of a path, but '${name}' is not.`);
  }
  if (access !== "write" && access !== "read") throw new TypeError(`access must be "write" or "read".`);
  const spelled = resolve(path);
  let cause: unknown;
  try {
    const absolute = realpathSync.native(spelled);
    if (statSync(absolute).isDirectory()) return { name, absolute, spelled, access };
  } catch (error) {
    cause = error;
  }
  throw new Error(`${option} '${spelled}' is not an existing directory.`, { cause });
}

/** Without regard to case, as some disks have none; empty for a single root. Names that the host chose come first. */
function namesOf(roots: readonly FoundRoot[]): ReadonlyMap<FoundRoot, string> {
  const names = new Map<FoundRoot, string>();
  if (roots.length < 2) return names;
  const taken = new Set<string>();
  const isOwn = ({ name }: FoundRoot): number => Number(name === undefined);
  for (const root of roots.toSorted((one, other) => isOwn(one) - isOwn(other))) {
    const wanted = root.name ?? (basename(root.spelled) || "root");
    let name = wanted;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) {
      if (root.name !== undefined) throw new TypeError(`Two roots have the name '${name}'.`);
      name = `${wanted}-${count}`;
    }
    taken.add(name.toLowerCase());
    names.set(root, name);
  }
  return names;
}
