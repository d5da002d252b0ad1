import { escapeText, type Discount, type Outcome, type ToolCall } from "@fstools/protocol";
import { changeDiscounts, changeNotes, fileChangeWords, knownAs, lineList } from "@fstools/sandbox";
import type { LineRange, FileDiff, FileState, PathWords, StepResult } from "@fstools/sandbox";
import { DIFFERENCES, type Equivalence } from "@fstools/text";
import type { EditParams } from "./params.ts";

/** The `data` of Edit. */
export interface EditData {
  /** Whether the file was changed; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "edit";
  readonly replacements: number;
  /** A unified diff, of at most 100 lines and 10 KiB. */
  readonly diff_preview: string;
  readonly diff_truncated: boolean;
  /** The kind of difference between `old_string` and the file that was ignored. */
  readonly fallback?: Equivalence;
}

/** Everything that Edit reports about one call. */
export interface EditReport {
  /** Relative to the project root. */
  readonly path: string;
  /** How many there are. */
  readonly replacements: number;
  /** The lines of the new file that the first of them left, in order. */
  readonly lines: readonly LineRange[];
  readonly diff: FileDiff;
  /** The new lines with some around them, as they are shown. */
  readonly newLines: string;
  /** For matches that were not exact: which kind of difference, and where. */
  readonly fallbacks: readonly { readonly kind: Equivalence; readonly lines: LineRange }[];
  readonly hadNumbers: boolean;
  /** Whether the file had changed since it was last seen. */
  readonly wasStale: boolean;
  readonly bytesWritten: number;
  readonly written: StepResult | undefined;
  /** The file as it is after the call. */
  readonly state: FileState;
  readonly given: EditParams;
}

/** Edit's sentences for what can go wrong with a path. */
export const editPathWords: PathWords = {
  ...fileChangeWords,
  missing: (path) => `File '${path}' does not exist.`,
  creator: "Write",
};

/** The figures of Edit. */
export interface EditStats {
  readonly bytes_written: number;
  readonly lines_added: number;
  readonly lines_removed: number;
  readonly file_mtime_ms: number;
  readonly file_size_bytes: number;
}

/** Puts an edit into data and words. */
export function editOutcome(report: EditReport, call: Pick<ToolCall, "has">): Outcome<EditData, EditStats> {
  const { path, replacements, lines, diff, fallbacks, state } = report;
  const isDryRun = report.given.dry_run;
  const preview = diff.preview();
  const count = replacements === 1 ? "1 replacement" : `${replacements} replacements`;
  return {
    data: {
      applied: !isDryRun,
      operation: "edit",
      replacements,
      diff_preview: preview.text,
      diff_truncated: preview.isTruncated,
      ...(fallbacks[0] === undefined ? {} : { fallback: fallbacks[0].kind }),
    },
    summary: (elapsedMs) => [
      `${isDryRun ? "Would edit" : "Edited"} '${escapeText(path)}': ${count} (${lineList(lines)}).`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: [
      ...fallbacks.map(({ kind, lines }): Discount => {
        const where = `${isDryRun ? "Would replace" : "Replaced"} ${lineList([lines])}`;
        const reason = `${where}, where the text differs from old_string in ${DIFFERENCES[kind]}.`;
        return { label: "Warning", reason, next: "Check the lines below." };
      }),
      ...changeDiscounts({ isDryRun, preview, given: report.given, reader: knownAs("Read", call) }),
    ],
    notes: [
      ...(report.hadNumbers ? ["Note: The line numbers in old_string were taken off."] : []),
      ...(report.wasStale ? [`Note: '${escapeText(path)}' had been modified since it was read.`] : []),
      ...changeNotes(report.written),
    ],
    body: report.written?.isChangedAgain === true ? "" : report.newLines,
    stats: {
      bytes_written: report.bytesWritten,
      lines_added: diff.linesAdded,
      lines_removed: diff.linesRemoved,
      file_mtime_ms: state.mtimeMs,
      file_size_bytes: state.sizeBytes,
    },
  };
}
