import { escapeText, type Outcome, type ToolCall } from "@fstools/protocol";
import { changeDiscounts, changeNotes, directoryNotes, fileChangeWords, knownAs } from "@fstools/sandbox";
import type { FileDiff, FileState, PathWords, StepResult } from "@fstools/sandbox";
import { countLines } from "./content.ts";
import type { WriteParams } from "./params.ts";

/** The `data` of Write. */
export interface WriteData {
  /** Whether the file has the content now; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "create" | "update";
  /** A unified diff, of at most 100 lines and 10 KiB. */
  readonly diff_preview: string;
  readonly diff_truncated: boolean;
}

/** Everything that Write reports about one call. */
export interface WriteReport {
  /** Relative to the project root. */
  readonly path: string;
  readonly params: WriteParams;
  readonly operation: "create" | "update";
  readonly diff: FileDiff;
  /** Whether the content was there already. */
  readonly isUnchanged: boolean;
  /** The directory that had to be made. */
  readonly newDirectory: string | undefined;
  readonly originalSize: number;
  readonly newSize: number;
  readonly written: StepResult | undefined;
  /** The file as it is after the call; undefined if there is none. */
  readonly state: FileState | undefined;
}

/** Write's sentences for what can go wrong with a path. */
export const writePathWords: PathWords = {
  ...fileChangeWords,
  missing: (path) => `File '${path}' cannot be created there.`,
};

/** The figures of Write. */
export interface WriteStats {
  readonly bytes_written: number;
  readonly original_size: number;
  readonly new_size: number;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly file_mtime_ms?: number;
  readonly file_size_bytes?: number;
}

/** Puts what was written into data and words. */
export function writeOutcome(report: WriteReport, call: Pick<ToolCall, "has">): Outcome<WriteData, WriteStats> {
  const { path, params, operation, diff, isUnchanged, newDirectory, newSize, state, written } = report;
  // What is there already needs no second call.
  const isDryRun = params.dry_run && !isUnchanged;
  const preview = diff.preview();
  const size = `(${countLines(params.content)} lines, ${newSize} bytes).`;
  return {
    data: { applied: !isDryRun, operation, diff_preview: preview.text, diff_truncated: preview.isTruncated },
    summary: (elapsedMs) => [`${verb(operation, isDryRun)} '${escapeText(path)}' ${size}`, `(Took ${elapsedMs}ms)`],
    discounts: changeDiscounts({ isDryRun, preview, given: params, reader: knownAs("Read", call) }),
    notes: [
      ...(isUnchanged ? ["(No change.)"] : []),
      ...directoryNotes([newDirectory], isDryRun),
      ...changeNotes(written),
    ],
    stats: {
      bytes_written: written === undefined ? 0 : newSize,
      original_size: report.originalSize,
      // What came after the change may have made it longer.
      new_size: written === undefined ? newSize : (state?.sizeBytes ?? newSize),
      lines_added: diff.linesAdded,
      lines_removed: diff.linesRemoved,
      ...(state === undefined ? {} : { file_mtime_ms: state.mtimeMs, file_size_bytes: state.sizeBytes }),
    },
  };
}

function verb(operation: WriteReport["operation"], isDryRun: boolean): string {
  if (isDryRun) return `Would ${operation}`;
  return operation === "create" ? "Created" : "Updated";
}
