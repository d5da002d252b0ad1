import {
  echo,
  escapeLine,
  escapeText,
  ErrorCode,
  ToolError,
  type Discount,
  type Outcome,
  type ToolCall,
} from "@fstools/protocol";
import {
  changeDiscounts,
  changeNotes,
  knownAs,
  type DiffPreview,
  type FileDiff,
  type FileState,
  type PathWords,
  type PutResult,
} from "@fstools/sandbox";
import { firstCodePoints } from "@fstools/text";
import type { ClosestLines } from "./closest.ts";
import type { Equivalence } from "./equivalence.ts";
import type { EditParams } from "./params.ts";
import type { LineRange, ShownLines } from "./splice.ts";

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
  readonly isDryRun: boolean;
  /** The lines of the new file that were replaced, in order. */
  readonly lines: readonly LineRange[];
  readonly diff: FileDiff;
  /** The new lines with some around them. */
  readonly regions: readonly ShownLines[];
  /** For matches that were not exact: which kind of difference, and where. */
  readonly fallbacks: readonly { readonly kind: Equivalence; readonly lines: LineRange }[];
  readonly hadNumbers: boolean;
  /** Whether the file had changed since it was last seen. */
  readonly wasStale: boolean;
  readonly bytesWritten: number;
  readonly written: PutResult | undefined;
  /** The file as it is after the call. */
  readonly state: FileState;
  readonly given: EditParams;
}

/** Edit's sentences for what can go wrong with a path. */
export const editPathWords: PathWords = {
  missing: (path) => `File '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  denied: (path) => `Writing to '${path}' is not allowed.`,
  isDirectory: (path) => `Path '${path}' is a directory.`,
  lister: "LS",
  reader: "Read",
};

const MAX_LISTED_LINES = 10;
const MAX_BODY_LINES = 40;
const MAX_BODY_CHARS = 10_000;
const MAX_LINE_CHARS = 2000;

const DIFFERENCES: Readonly<Record<Equivalence, string>> = {
  trailing_space: "trailing blanks or a last line end",
  indentation: "indentation",
  punctuation: "the kind of quotes, dashes or spaces",
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
  const { path, isDryRun, lines, diff, fallbacks, state } = report;
  const preview = diff.preview();
  const count = `${lines.length} replacements (lines ${lineList(lines)}).`;
  return {
    data: {
      applied: !isDryRun,
      operation: "edit",
      replacements: lines.length,
      diff_preview: preview.text,
      diff_truncated: preview.isTruncated,
      ...(fallbacks[0] === undefined ? {} : { fallback: fallbacks[0].kind }),
    },
    summary: (elapsedMs) => [
      `${isDryRun ? "Would edit" : "Edited"} '${escapeText(path)}': ${count}`,
      `(Took ${elapsedMs}ms)`,
    ],
    discounts: discounts(report, preview, call),
    notes: [
      ...(report.hadNumbers ? ["Note: The line numbers in old_string were taken off."] : []),
      ...(report.wasStale ? [`Note: '${escapeText(path)}' had been modified since it was read.`] : []),
      ...changeNotes(report.written),
    ],
    body: newLines(report.regions),
    stats: {
      bytes_written: report.bytesWritten,
      lines_added: diff.linesAdded,
      lines_removed: diff.linesRemoved,
      file_mtime_ms: state.mtimeMs,
      file_size_bytes: state.sizeBytes,
    },
  };
}

function discounts(report: EditReport, preview: DiffPreview, call: Pick<ToolCall, "has">): Discount[] {
  const { isDryRun, fallbacks, given } = report;
  return [
    ...fallbacks.map(({ kind, lines }): Discount => {
      return {
        label: "Warning",
        reason: `${isDryRun ? "Would replace" : "Replaced"} ${inWords(lines)}, where the text differs from old_string in ${DIFFERENCES[kind]}.`,
        next: "Check the lines below.",
      };
    }),
    ...changeDiscounts({ isDryRun, preview, given, reader: knownAs("Read", call) }),
  ];
}

/** "40-44, 90": only as many as a reader will look at. */
function lineList(ranges: readonly LineRange[], count = ranges.length): string {
  const shown = ranges.slice(0, MAX_LISTED_LINES).map(({ first, last }) => span(first, last));
  return [...new Set(shown), ...(count > MAX_LISTED_LINES ? ["…"] : [])].join(", ");
}

function span(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}

function inWords({ first, last }: LineRange): string {
  return `${first === last ? "line" : "lines"} ${span(first, last)}`;
}

function newLines(regions: readonly ShownLines[]): string {
  const lines: string[] = [];
  let chars = 0;
  for (const { line: first, text } of regions) {
    if (lines.length > 0) lines.push("  ...");
    for (const line of numbered(text, first)) {
      chars += line.length;
      if (lines.length >= MAX_BODY_LINES || chars > MAX_BODY_CHARS) return lines.join("\n");
      lines.push(line);
    }
  }
  return lines.join("\n");
}

/** Lines as Read prints them; what could be taken for another line, or turn the text around, is escaped. */
function* numbered(text: string, first: number): Generator<string> {
  let number = first;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end;
    const line = firstCodePoints(text.slice(from, next), MAX_LINE_CHARS);
    yield `${String(number).padStart(4)} | ${escapeLine(line)}`;
    from = next + 1;
  }
}

/** One of several edits that failed. */
export interface FailedEdit {
  readonly path: string;
  /** Its place in `edits`; undefined if there is only one. */
  readonly index: number | undefined;
}

/** An error about one edit, which names it if there are several. */
export function editError(
  { index }: FailedEdit,
  message: string,
  hint: string,
  body: readonly string[] = [],
): ToolError {
  const whole = index === undefined ? message : `Edit at index ${index}: ${message}`;
  const text = [`${whole} ${hint}`, ...(body.length === 0 ? [] : ["", ...body])].join("\n");
  return new ToolError(ErrorCode.INVALID_PARAM, whole, {
    hint,
    report: { ...(index === undefined ? {} : { data: { failed_index: index } }), text: () => text },
  });
}

/** The text is nowhere; says what comes closest, or that the change is there already. */
export function notFound(
  edit: FailedEdit,
  closest: ClosestLines | undefined,
  doneAtLine: number | undefined,
  call: Pick<ToolCall, "has">,
): ToolError {
  const message = `old_string not found in '${echo(edit.path)}'.`;
  if (doneAtLine !== undefined) return editError(edit, message, `new_string is already there, at line ${doneAtLine}.`);
  if (closest === undefined) {
    const reader = knownAs("Read", call);
    const look =
      reader === undefined
        ? "Copy the text from the file."
        : `Run ${reader} on '${echo(edit.path)}' and copy the text from it.`;
    return editError(edit, message, look);
  }
  const { first, lines, difference } = closest;
  const shown = [...numbered(lines.slice(0, MAX_LISTED_LINES).join("\n"), first)];
  const where = inWords({ first, last: first + lines.length - 1 });
  return editError(edit, message, `Closest: ${where}; ${difference}.`, shown);
}

/** The text is in several places. */
export function notUnique(edit: FailedEdit, lines: readonly number[], count: number): ToolError {
  const list = lineList(
    lines.map((line) => ({ first: line, last: line })),
    count,
  );
  return editError(
    edit,
    `old_string must be unique, but it occurs ${count} times in '${echo(edit.path)}' (lines ${list}).`,
    "Add a line around it, or pass replace_all=true.",
  );
}

/** The text is in more places than one call can replace. */
export function tooMany(edit: FailedEdit, count: number): ToolError {
  return editError(
    edit,
    `old_string occurs ${count} times in '${echo(edit.path)}', which is too many to replace at once.`,
    `Replace longer strings, or change the file with another program.`,
  );
}

/** Two edits change the same text; the later one is reported as failed. */
export function overlapping(one: number, other: number): ToolError {
  const [first, second] = one < other ? [one, other] : [other, one];
  return new ToolError(ErrorCode.INVALID_PARAM, `Edits ${first} and ${second} are overlapping.`, {
    hint: "Nothing was written. Make one edit of the two.",
    report: { data: { failed_index: second } },
  });
}
