import { createDenyRules } from "../deny/deny-rules.ts";

/** What may be read, but not written. */
export interface ProtectRules {
  /** Whether a rule names this relative path or a directory above it. */
  covers(relative: string): boolean;
}

/** What is protected unless the host says otherwise. */
export const DEFAULT_PROTECT: readonly string[] = [".git"];

/** Where answers that did not fit are kept: a model that could change them could fool itself. */
const SPILL_DIRECTORY = "tool-output";

/**
 * Compiles the host's `protect` globs, which are read as `deny`'s are.
 * @throws TypeError if the value is not a list of valid patterns.
 */
export function createProtectRules(
  patterns: readonly string[] | undefined,
  spellings: readonly string[] = [],
): ProtectRules {
  // What the host wrote is checked at once; the default costs nothing until something is written.
  const compile = () => createDenyRules(patterns ?? DEFAULT_PROTECT, spellings);
  let rules = patterns === undefined ? undefined : compile();
  return {
    covers: (relative) => {
      rules ??= compile();
      return isSpilled(relative) || rules.covers(relative);
    },
  };
}

function isSpilled(relative: string): boolean {
  const [top = ""] = relative.split("/");
  return top.normalize("NFKC").toLowerCase() === SPILL_DIRECTORY;
}
