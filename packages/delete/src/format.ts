import { echo, escapeText, type Outcome, ToolError } from "@fstools/protocol";
import { dryRun, type FoundEntry } from "@fstools/sandbox";
import type { DeleteParams } from "./params.ts";

/** The `data` of Delete. */
export interface DeleteData extends Pick<FoundEntry, "path" | "files" | "bytes"> {
  /** Whether it was done; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "delete";
}

/** The error for a directory that has something in it. */
export function notEmpty({ path }: DeleteParams, { children }: FoundEntry): ToolError {
  return new ToolError("INVALID_PARAM", `Directory '${echo(path)}' is not empty (${children} entries).`, {
    hint: "To delete it with everything in it, pass recursive=true.",
  });
}

/** Puts what was deleted into data and words. */
export function deleteOutcome(found: FoundEntry, params: DeleteParams): Outcome<DeleteData> {
  const { path, files, bytes, notes = [] } = found;
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
