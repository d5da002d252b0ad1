import type { Root } from "../roots.ts";
import type { DenyRules } from "./deny-rules.ts";
import { foldNames } from "./spelling.ts";
import { below, joinRelative, segments } from "../names/safe-path.ts";

/** What may be read, but not written. */
export type ProtectRules = ReturnType<typeof createProtectRules>;

/** What is protected unless the host says otherwise. */
export const DEFAULT_PROTECT: readonly string[] = [".git"];

/** Where oversized answers are kept: a model must not be able to change them. */
const SPILL_DIRECTORY = "tool-output";

/** Protects what rules name, spill directories, and roots that may only be read; compiles as late as it can. */
export function createProtectRules(roots: readonly Root[], compile: () => DenyRules) {
  const readOnly = roots.flatMap(({ path, access }) => (access === "read" ? [path] : []));
  const kept = new Set(roots.flatMap(({ path }) => foldNames(joinRelative(path, SPILL_DIRECTORY))));
  let rules: DenyRules | undefined;
  return {
    /** Whether a rule names this relative path or a directory above it. */
    covers: (relative: string): boolean =>
      isIn(readOnly, relative) ||
      foldNames(relative).some((path) => isIn([...kept], path)) ||
      (rules ??= compile()).covers(relative),
    /** Also protects a directory, by its relative path. */
    keep: (directory: string): void => {
      for (const path of foldNames(segments(directory).join("/"))) kept.add(path);
    },
  };
}

function isIn(directories: readonly string[], relative: string): boolean {
  return directories.some((directory) => below(directory, relative) !== undefined);
}
