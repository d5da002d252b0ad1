import { escapeText, type Outcome } from "@fstools/protocol";
import { dryRun, type FoundEntry, type PathWords } from "@fstools/sandbox";
import type { MoveParams } from "./params.ts";

/** The `data` of Move. */
export interface MoveData {
  /** Whether it was done; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "move" | "copy";
  readonly from: string;
  readonly path: string;
  /** How many files there are, links and all else that is no directory among them. */
  readonly files: number;
  /** How many bytes the files have. */
  readonly bytes: number;
}

/** Move's sentences for what can go wrong with a path. */
export const movePathWords: PathWords = {
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
  lister: "LS",
};

/** Puts what was moved into data and words. */
export function moveOutcome(found: FoundEntry, params: MoveParams): Outcome<MoveData> {
  const { path: from, to: path = "", files, bytes, newDirectory, notes = [] } = found;
  const { copy, dry_run: isDryRun } = params;
  const verb = isDryRun ? `Would ${copy ? "copy" : "move"}` : copy ? "Copied" : "Moved";
  const made = newDirectory === undefined ? [] : [escapeText(newDirectory)];
  return {
    data: { applied: !isDryRun, operation: copy ? "copy" : "move", from, path, files, bytes },
    summary: (elapsedMs) => [
      `${verb} '${escapeText(from)}' to '${escapeText(path)}' (${files} files).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: isDryRun ? [dryRun(params)] : [],
    notes: [...made.map((directory) => `(${isDryRun ? "Would create" : "Created"} directory: ${directory})`), ...notes],
  };
}
