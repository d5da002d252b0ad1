import { createDenyRules } from "./deny-rules.ts";
import { foldNames } from "./spelling.ts";
import { below, segments } from "../names/safe-path.ts";

/** What may be read, but not written. */
export interface ProtectRules {
  /** Whether a rule names this relative path or a directory above it. */
  covers(relative: string): boolean;
  /** Also protects a directory, by its relative path. */
  keep(directory: string): void;
}

/** What is protected unless the host says otherwise. */
const DEFAULT_PROTECT: readonly string[] = [".git"];

/** Where oversized answers are kept: a model must not be able to change them. */
const SPILL_DIRECTORY = "tool-output";

/**
 * Compiles the host's `protect` globs, which are read as `deny`'s are.
 * @throws TypeError if the value is not a list of valid patterns.
 */
export function createProtectRules(
  patterns: readonly string[] | undefined,
  spellings: readonly string[] = [],
  others: readonly string[] = [],
): ProtectRules {
  // The host's patterns are checked at once; the default costs nothing until something is written.
  const compile = () => createDenyRules(patterns ?? DEFAULT_PROTECT, spellings, "protect", others);
  let rules = patterns === undefined ? undefined : compile();
  const kept = new Set(foldNames(SPILL_DIRECTORY));
  return {
    covers: (relative) => {
      rules ??= compile();
      return foldNames(relative).some((path) => isBelow(path, kept)) || rules.covers(relative);
    },
    keep: (directory) => {
      for (const path of foldNames(segments(directory).join("/"))) kept.add(path);
    },
  };
}

/** For what may not be written at all. */
export const READ_ONLY: ProtectRules = { covers: () => true, keep: () => undefined };

/** Rules of several directories, each of which counts from its own. */
export function protectBelow(parts: readonly { readonly path: string; readonly rules: ProtectRules }[]): ProtectRules {
  const [first] = parts;
  if (first !== undefined && parts.length === 1 && first.path === ".") return first.rules;
  const inside = (relative: string) =>
    parts.flatMap(({ path, rules }) => {
      const rest = below(path, relative);
      return rest === undefined ? [] : [{ rest, rules }];
    });
  return {
    covers: (relative) => inside(relative).some(({ rest, rules }) => rules.covers(rest)),
    keep: (directory) => {
      for (const { rest, rules } of inside(directory)) rules.keep(rest);
    },
  };
}

function isBelow(path: string, directories: ReadonlySet<string>): boolean {
  return [...directories].some((directory) => path === directory || path.startsWith(`${directory}/`));
}
