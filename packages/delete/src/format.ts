import { echo, escapeText, type Outcome, ToolError } from "@fstools/protocol";
import { dryRun, type FoundEntry, type PathWords } from "@fstools/sandbox";
import type { DeleteParams } from "./params.ts";

/** The `data` of Delete. */
export interface DeleteData {
  /** Whether it was done; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "delete";
  readonly path: string;
  /** How many files there were, links and all else that is no directory among them. */
  readonly files: number;
  /** How many bytes the files had. */
  readonly bytes: number;
}

/** Delete's sentences for what can go wrong with a path. */
export const deletePathWords: PathWords = {
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
  lister: "LS",
};

/** The error for a directory that has something in it. */
export function notEmpty({ path }: DeleteParams, { children }: FoundEntry): ToolError {
  return new ToolError("INVALID_PARAM", `Directory '${echo(path)}' is not empty (${children} entries).`, {
    hint: "To delete it with everything in it, pass recursive=true.",
  });
}

/** Puts what was deleted into data and words. */
export function deleteOutcome(
  { path, files, bytes, notes = [] }: FoundEntry,
  params: DeleteParams,
): Outcome<DeleteData> {
  const isDryRun = params.dry_run;
  return {
    data: { applied: !isDryRun, operation: "delete", path, files, bytes },
    summary: (elapsedMs) => [
      `${isDryRun ? "Would delete" : "Deleted"} '${escapeText(path)}' (${files} files, ${bytes} bytes).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: isDryRun ? [dryRun(params)] : [],
    notes,
  };
}
