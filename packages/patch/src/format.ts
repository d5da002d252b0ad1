import { escapeText, type Discount, type Outcome, type ToolCall } from "@fstools/protocol";
import { changeDiscounts, changeNotes, directoryNotes, fileChangeWords, knownAs, lineList } from "@fstools/sandbox";
import type { FileDiff, MadeFileChange, PathWords, StepResult } from "@fstools/sandbox";
import { DIFFERENCES } from "@fstools/text";
import type { PatchParams } from "./params.ts";
import type { PlacedHunks } from "./place.ts";

/** The `data` of Patch. */
export interface PatchData {
  /** Whether the files were changed; false for a dry run. */
  readonly applied: boolean;
  readonly operation: "patch";
  readonly files: readonly MadeFileChange[];
  /** A unified diff of all files, of at most 100 lines and 10 KiB. */
  readonly diff_preview: string;
  readonly diff_truncated: boolean;
  /** The kind of difference between a hunk and a file that was ignored. */
  readonly fallback?: string;
}

/** The figures of Patch. */
export interface PatchStats {
  readonly bytes_written: number;
  readonly lines_added: number;
  readonly lines_removed: number;
}

/** One file, and what to say about it. */
export interface PatchedFile extends MadeFileChange, Pick<PlacedHunks, "lines" | "fallbacks"> {
  /** The new lines with some around them, as they are shown; only where a hunk was not found exactly. */
  readonly newLines: string;
  readonly wasStale: boolean;
  /** The directory that has to be made for it. */
  readonly newDirectory: string | undefined;
  /** How many bytes are written. */
  readonly size: number;
}

/** Patch's sentences for what can go wrong with a path. */
export const patchPathWords: PathWords = {
  ...fileChangeWords,
  missing: (path) => `File '${path}' does not exist.`,
};

/** What there is to report about one call. */
export interface PatchReport {
  readonly files: readonly PatchedFile[];
  readonly whole: FileDiff;
  /** Empty for a dry run. */
  readonly written: readonly StepResult[];
  readonly params: PatchParams;
}

/** Puts a patch into data and words. */
export function patchOutcome(report: PatchReport, call: Pick<ToolCall, "has">): Outcome<PatchData, PatchStats> {
  const { files, whole, written, params } = report;
  const isDryRun = params.dry_run;
  const preview = whole.preview();
  const fallbacks = files.flatMap(({ path, fallbacks: own }) => own.map((fallback) => ({ ...fallback, path })));
  const [first] = fallbacks;
  const newDirectories = files.map(({ newDirectory }) => newDirectory);
  const stale = files.filter(({ wasStale }) => wasStale);
  // Of files in which a hunk was not found exactly.
  const shown = files
    .filter(({ newLines }, index) => newLines !== "" && written[index]?.isChangedAgain !== true)
    .map(({ path, newLines }) => `${escapeText(path)}\n${newLines}`);
  return {
    data: {
      applied: !isDryRun,
      operation: "patch",
      files: files.map(({ path, operation, from, lines_added, lines_removed }) => {
        return { path, operation, ...(from === undefined ? {} : { from }), lines_added, lines_removed };
      }),
      diff_preview: preview.text,
      diff_truncated: preview.isTruncated,
      ...(first === undefined ? {} : { fallback: first.kind }),
    },
    summary: (elapsedMs) => [`${isDryRun ? "Would patch" : "Patched"} ${files.length} files.`, `(Took ${elapsedMs}ms)`],
    discounts: [
      ...fallbacks.map(({ kind, lines, path }): Discount => {
        const verb = isDryRun ? "Would change" : "Changed";
        const where = `${lineList([lines])} of '${escapeText(path)}'`;
        const reason = `${verb} ${where}, where the text differs from the patch in ${DIFFERENCES[kind]}.`;
        return { label: "Warning", reason, next: "Check the lines below." };
      }),
      ...changeDiscounts({ isDryRun, preview, given: params, reader: knownAs("Read", call), files: files.length }),
    ],
    notes: [
      ...directoryNotes(newDirectories, isDryRun),
      ...stale.map(({ path }) => `Note: '${escapeText(path)}' had been modified since it was read.`),
      ...written.flatMap((result, index) => changeNotes(result, files[index]?.path)),
    ],
    body: [files.map(fileLine).join("\n"), ...shown].join("\n\n"),
    stats: {
      bytes_written: isDryRun ? 0 : files.reduce((sum, { size }) => sum + size, 0),
      lines_added: whole.linesAdded,
      lines_removed: whole.linesRemoved,
    },
  };
}

const LETTERS = { create: "A", update: "M", delete: "D", move: "R" } as const;

/** "M src/a.ts (lines 40-44)". */
function fileLine({ operation, path, from, lines }: PatchedFile): string {
  const name = from === undefined ? escapeText(path) : `${escapeText(from)} -> ${escapeText(path)}`;
  return `${LETTERS[operation]} ${name}${lines.length === 0 ? "" : ` (${lineList(lines)})`}`;
}
