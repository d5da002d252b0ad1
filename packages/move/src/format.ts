import { escapeText, type Outcome } from "@fstools/protocol";
import { directoryNotes, dryRun, type FoundEntry } from "@fstools/sandbox";
import type { MoveParams } from "./params.ts";

/** The `data` of Move. */
export interface MoveData extends Pick<FoundEntry, "path" | "files" | "bytes"> {
  /** Whether it was done; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "move" | "copy";
  readonly from: string;
}

/** Puts what was moved into data and words. */
export function moveOutcome(found: FoundEntry, params: MoveParams): Outcome<MoveData> {
  const { path: from, to: path = "", files, bytes, newDirectory, notes = [] } = found;
  const { copy, dry_run: isDryRun } = params;
  const verb = isDryRun ? `Would ${copy ? "copy" : "move"}` : copy ? "Copied" : "Moved";
  return {
    data: { applied: !isDryRun, operation: copy ? "copy" : "move", from, path, files, bytes },
    summary: (elapsedMs) => [
      `${verb} '${escapeText(from)}' to '${escapeText(path)}' (${files} files).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: isDryRun ? [dryRun(params)] : [],
    notes: [...directoryNotes([newDirectory], isDryRun), ...notes],
  };
}
