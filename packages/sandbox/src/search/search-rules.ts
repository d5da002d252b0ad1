import type { Boundary } from "../path/boundary.ts";
import { GLOB_IGNORED_NAMES } from "../path/ignore.ts";
import { joinRelative } from "../path/relative-path.ts";
import type { SafePath } from "../path/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";

/** What a search passes by unless it is asked for. */
export interface SearchScope {
  /** Names that begin with a dot. */
  readonly includeHidden: boolean;
  /** Directories such as node_modules. */
  readonly includeIgnored: boolean;
}

/** Why a search passes an entry by. */
export type PassedBy = "hidden" | "ignored";

/** Says why a search passes an entry by; undefined if it doesn't. */
export type SearchRules = (name: string, isDirectory: boolean) => PassedBy | undefined;

/** The rules for the entries of a directory below the start of a search. */
export function createSearchRules({ includeHidden, includeIgnored }: SearchScope): SearchRules {
  return (name, isDirectory) => {
    if (!includeHidden && name.startsWith(".")) return "hidden";
    return !includeIgnored && isDirectory && GLOB_IGNORED_NAMES.has(name) ? "ignored" : undefined;
  };
}

/**
 * Makes the test whether a walk from `start` would come to a file, for paths that something else has found; they are
 * relative to `start`. It asks only rules, not the disk: whether there is such a file, and where it leads, it does not say.
 */
export function createSearchedTest(sandbox: Sandbox, start: SafePath, scope: SearchScope): (path: string) => boolean {
  const boundary = boundaryOf(sandbox);
  boundary.paths.check(start);
  const rules = createSearchRules(scope);
  const directories = new Map<string, boolean>([["", true]]);

  function isEntered(directory: string): boolean {
    const known = directories.get(directory);
    if (known !== undefined) return known;
    const entered = isReached(directory, true);
    directories.set(directory, entered);
    return entered;
  }

  function isReached(path: string, isDirectory: boolean): boolean {
    const slash = path.lastIndexOf("/");
    if (!isEntered(slash < 0 ? "" : path.slice(0, slash))) return false;
    return rules(path.slice(slash + 1), isDirectory) === undefined && !isDenied(boundary, start, path);
  }

  return (path) => isReached(path, false);
}

function isDenied({ deny }: Boundary, start: SafePath, path: string): boolean {
  return !deny.isEmpty && deny.names(joinRelative(start.relative, path));
}
