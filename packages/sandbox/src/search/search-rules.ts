import { GLOB_IGNORED_NAMES } from "../names/ignored-names.ts";
import { joinRelative, parentOf, type SafePath } from "../names/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { addIgnoreFile, ignoreLevelAt, ignoreLevelBelow, isIgnored, type IgnoreLevel } from "./ignore-files.ts";

/** What a search skips unless it is asked for. */
export interface SearchScope {
  /** Names that begin with a dot. */
  readonly includeHidden: boolean;
  /** Directories such as node_modules. */
  readonly includeIgnored: boolean;
}

/** Why a search skips an entry. */
export type PassedBy = "hidden" | "ignored";

/** Says why a search skips an entry; undefined if it doesn't. */
export type SearchRules = (name: string, isDirectory: boolean) => PassedBy | undefined;

/** The rules for the entries of a directory below the start of a search. */
export function createSearchRules({ includeHidden, includeIgnored }: SearchScope): SearchRules {
  return (name, isDirectory) => {
    if (!includeHidden && name.startsWith(".")) return "hidden";
    return !includeIgnored && isDirectory && GLOB_IGNORED_NAMES.has(name) ? "ignored" : undefined;
  };
}

/**
 * Makes a test whether a walk from `start` would reach a file, for paths found in another way, relative to `start`.
 * It only asks rules and ignore files: it does not say whether there is such a file, or where it leads.
 */
export function createSearchedTest(sandbox: Sandbox, start: SafePath, scope: SearchScope): (path: string) => boolean {
  const boundary = boundaryOf(sandbox);
  boundary.paths.check(start);
  const rules = createSearchRules(scope);
  const { deny } = boundary;
  const first = scope.includeIgnored ? undefined : ignoreLevelAt(boundary, start.relative);
  /** What is known about directories; false for those that are not entered. */
  const directories = new Map<string, Entered | false>([[".", { level: first }]]);

  function enter(directory: string): Entered | false {
    const known = directories.get(directory);
    if (known !== undefined) return known;
    const above = reach(directory, true);
    const place = joinRelative(start.relative, directory);
    const level = above === false ? undefined : above.level && ignoreLevelBelow(above.level, boundary, place);
    const isAdded = !boundary.paths.isRoot(place);
    const entered = above !== false && { level: level && isAdded ? addIgnoreFile(level, boundary, place) : level };
    directories.set(directory, entered);
    return entered;
  }

  /** The directory of an entry, or false if a walk would not reach the entry. */
  function reach(path: string, isDirectory: boolean): Entered | false {
    const [parent, name] = parentOf(path);
    const above = enter(parent);
    const place = joinRelative(start.relative, path);
    if (boundary.paths.isRoot(place)) return above;
    if (above === false || rules(name, isDirectory) !== undefined) return false;
    if (above.level !== undefined && isIgnored(above.level, name, isDirectory)) return false;
    return deny.names(...parentOf(place)) ? false : above;
  }

  return (path) => reach(path, false) !== false;
}

interface Entered {
  readonly level: IgnoreLevel | undefined;
}
