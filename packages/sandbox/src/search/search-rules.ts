import { lstatSync } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { errnoCode } from "../disk/errno.ts";
import { openFile } from "../disk/open.ts";
import { GLOB_IGNORED_NAMES } from "../names/ignored-names.ts";
import { below, joinRelative, parentOf, segments, type SafePath } from "../names/safe-path.ts";
import { boundaryOf, type Sandbox } from "../sandbox.ts";
import { parseIgnoreRules, rulesBelow, verdictOf, type IgnoreRules } from "./ignore-rules.ts";

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

/** Makes a test whether a walk from `start` would reach a relative path, by rules and ignore files alone. */
export function createSearchedTest(sandbox: Sandbox, start: SafePath, scope: SearchScope): (path: string) => boolean {
  const boundary = boundaryOf(sandbox);
  boundary.paths.check(start);
  const rules = createSearchRules(scope);
  const first = scope.includeIgnored ? undefined : ignoreLevelAt(boundary, start.relative);
  /** What git ignores in directories; false for those that are not entered. */
  const directories = new Map<string, IgnoreLevel | undefined | false>([[".", first]]);

  function enter(directory: string): IgnoreLevel | undefined | false {
    if (!directories.has(directory)) {
      const above = reach(directory, true);
      directories.set(directory, above && ignoreLevelBelow(above, boundary, joinRelative(start.relative, directory)));
    }
    return directories.get(directory);
  }

  /** What git ignores in the directory of an entry, or false if a walk would not reach the entry. */
  function reach(path: string, isDirectory: boolean): IgnoreLevel | undefined | false {
    const [parent, name] = parentOf(path);
    const above = enter(parent);
    const place = joinRelative(start.relative, path);
    if (above === false || boundary.paths.isRoot(place)) return above;
    if (rules(name, isDirectory) !== undefined || boundary.deny.names(...parentOf(place))) return false;
    return above !== undefined && isIgnored(above, name, isDirectory) ? false : above;
  }

  return (path) => reach(path, false) !== false;
}

/** What git ignores in one directory, by the ignore files from its root down to it. */
export interface IgnoreLevel {
  /** The nearest file first. */
  readonly files: readonly IgnoreRules[];
  /** How many characters of wildcards files further down may still have. */
  readonly wildcardChars: number;
}

/** The name of an ignore file. */
export const IGNORE_FILE = ".gitignore";

/** More than 20 times the longest in practice; what comes after it does not count. */
const MAX_FILE_BYTES = 262_144;

/** Each name is compared with each wildcard: past this, a single name could block the event loop. */
const MAX_WILDCARD_CHARS = 32_768;

/** The level of a directory, with its own ignore file; undefined if the host does not want ignore files. */
export function ignoreLevelAt(boundary: Boundary, directory: string): IgnoreLevel | undefined {
  if (!boundary.gitignore) return undefined;
  const { paths } = boundary;
  const nothing: IgnoreLevel = { files: [], wildcardChars: MAX_WILDCARD_CHARS };
  if (paths.isList(directory)) return nothing;
  const root = paths.rootOf(directory);
  const exclude = addFile(nothing, boundary, joinRelative(root, ".git/info"), "exclude");
  let level = addFile(exclude, boundary, root, IGNORE_FILE);
  let path = root;
  for (const name of segments(below(root, directory) ?? ".")) {
    path = joinRelative(path, name);
    level = ignoreLevelBelow(level, boundary, path);
  }
  return level;
}

/** The level of a directory in that of this level; its own ignore file is looked for unless it is known to have none. */
export function ignoreLevelBelow(
  level: IgnoreLevel,
  boundary: Boundary,
  directory: string,
  hasIgnoreFile = true,
): IgnoreLevel {
  if (boundary.paths.isRoot(directory)) return ignoreLevelAt(boundary, directory) ?? level;
  const [, name] = parentOf(directory);
  const inherited = { ...level, files: level.files.map((rules) => rulesBelow(rules, name)) };
  return hasIgnoreFile ? addFile(inherited, boundary, directory, IGNORE_FILE) : inherited;
}

/** Whether git ignores an entry by its own path; the walk knows whether it ignores a directory above. */
export function isIgnored({ files }: IgnoreLevel, name: string, isDirectory: boolean): boolean {
  for (const rules of files) {
    const verdict = verdictOf(rules, name, isDirectory);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
}

/** For one listing: tells whether git ignores an entry of `directory`; undefined unless the host wants ignore files. */
export function createIgnoreTest(sandbox: Sandbox, directory: SafePath) {
  const boundary = boundaryOf(sandbox);
  boundary.paths.check(directory);
  const level = ignoreLevelAt(boundary, directory.relative);
  return level && ((name: string, isDirectory: boolean) => isIgnored(level, name, isDirectory));
}

function addFile(level: IgnoreLevel, boundary: Boundary, directory: string, name: string): IgnoreLevel {
  const content = readIgnoreFile(boundary, joinRelative(directory, name));
  if (content === undefined || content.length === 0) return level;
  const rules = parseIgnoreRules(content, level.wildcardChars);
  return { files: [rules, ...level.files], wildcardChars: level.wildcardChars - rules.wildcardChars };
}

/** The first bytes of a regular file inside that is not a link; undefined if it cannot be read. */
function readIgnoreFile(boundary: Boundary, relative: string): Buffer | undefined {
  if (boundary.deny.covers(relative)) return undefined;
  try {
    // Most directories have none, and to verify that would cost more than all else.
    if (lstatSync(boundary.paths.absolute(relative), { throwIfNoEntry: false }) === undefined) return undefined;
    const file = openFile(boundary, boundary.paths.create(relative));
    try {
      return file.head(MAX_FILE_BYTES);
    } finally {
      file.close();
    }
  } catch (error) {
    // As in git, a file that cannot be read has no rules.
    if (errnoCode(error) === undefined) throw error;
    return undefined;
  }
}
