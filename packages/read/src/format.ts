import { assigned, type Discount, echo, escapeText, type Outcome, ToolError } from "@fstools/protocol";
import type { PathWords } from "@fstools/sandbox";
import type { Place, TextError, TextPage, TextProblem } from "@fstools/text";
import type { ReadParams } from "./params.ts";

/** The payload of Read. */
export interface ReadData {
  /** Lines as "%4d | %s\n". */
  readonly content: string;
  /** There is more after this page. */
  readonly truncated: boolean;
  /** "replace", or the encoding that was used because the file is not UTF-8. */
  readonly fallback_encoding?: string;
  /** Set if the file changed since a tool of this conversation last read or wrote it. */
  readonly modified_externally?: true;
  /** The picture, in base64; `content` is empty then. */
  readonly media?: {
    readonly mime_type: string;
    readonly data: string;
    /** Of what is in `data`, which may be smaller than the file. */
    readonly width: number;
    readonly height: number;
  };
}

export interface ReadReport {
  readonly path: string;
  readonly start: Place;
  readonly page: TextPage;
  readonly mtimeMs: number;
  readonly isModified: boolean;
  readonly maxDurationMs: number;
  readonly pages?: number | undefined;
  readonly hasGrep: boolean;
}

/** Read's sentences for what can go wrong with a path. */
export const readPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `File '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  isDirectory: (path) => `Path '${path}' is a directory. Use LS to explore it.`,
};

/** The figures of Read. */
export interface ReadStats {
  readonly lines_read: number;
  readonly chars_read: number;
  readonly total_lines?: number;
  readonly file_size_bytes: number;
  readonly file_mtime_ms: number;
  readonly encoding: string;
  /** Of a PDF. */
  readonly pages?: number;
}

/** Puts a page into words. */
export function readOutcome(report: ReadReport): Outcome<ReadData, ReadStats> {
  const { path, start, page, pages, mtimeMs, isModified, hasGrep } = report;
  const shown = `'${escapeText(path)}'`;
  const isLastOfMany = page.next === undefined && start.line > 1;
  // Most of a notebook is outputs: who looks for a cell need not page through them.
  const isNotebook = hasGrep && page.next !== undefined && start.line === 1 && path.endsWith(".ipynb");
  return {
    data: {
      content: page.content,
      truncated: page.next !== undefined,
      ...(page.fallback === undefined ? {} : { fallback_encoding: page.fallback }),
      ...(isModified ? { modified_externally: true } : {}),
    },
    summary: (elapsedMs) =>
      page.lines === 0
        ? [`Read 0 lines from ${shown} (file is empty).`]
        : [
            `Read ${page.lines} lines from ${shown} (Lines ${start.line}-${lastLine(start, page)}).`,
            `(Took ${elapsedMs}ms)`,
            ...(isModified ? [`Note: ${shown} was modified externally.`] : []),
          ],
    discounts: [...truncation(report), ...encodingWarning(page)],
    notes: [
      ...(isLastOfMany ? [`[End of file: ${String(page.totalLines)} lines.]`] : []),
      ...(isNotebook ? [`[Note: A notebook is JSON. To find its cells, use Grep with pattern '"cell_type"'.]`] : []),
    ],
    stats: {
      lines_read: page.lines,
      chars_read: page.chars,
      ...(page.totalLines === undefined ? {} : { total_lines: page.totalLines }),
      file_size_bytes: page.sizeBytes,
      file_mtime_ms: Math.floor(mtimeMs),
      encoding: page.encoding,
      ...(pages === undefined ? {} : { pages }),
    },
    pagesItself: true,
  };
}

/** Says what is wrong with a text or with the place that was asked for. */
export function wordTextError(
  { problem }: TextError,
  { path, start_line, start_column, limit }: ReadParams,
  { maxDurationMs }: { readonly maxDurationMs: number },
): ToolError {
  const invalid = (message: string, hint: string) => new ToolError("INVALID_PARAM", message, { hint });
  const failed = (message: string, hint: string) => new ToolError("EXECUTION_ERROR", message, { hint });
  switch (problem.reason) {
    case "binary":
      return new ToolError("BINARY_FILE", `File '${echo(path)}' appears to be binary.`, { hint: binaryHint(problem) });
    case "line_past_end": {
      const { totalLines: total } = problem;
      if (total === 0) {
        const message = "start_line exceeds file length (file is empty). Valid start_line is 1.";
        return invalid(message, "There is nothing to read in this file.");
      }
      return invalid(
        `start_line (${start_line}) exceeds file length (${total} lines). Valid range: 1 to ${total}.`,
        `Use start_line=${Math.max(1, total - limit + 1)} to read the end of the file.`,
      );
    }
    case "column_past_end":
      return invalid(
        `start_column (${start_column}) exceeds line length (${problem.lineLength} characters).`,
        `Use start_line=${start_line} without start_column to read the line from its beginning.`,
      );
    case "changed":
      return failed(
        `File '${echo(path)}' changed while it was being read.`,
        "Call Read again to read its new content.",
      );
    case "endless_run":
      return failed(
        `The file has a run without blanks that is too long for ${problem.encoding}.`,
        "Check the encoding, or read the file without it.",
      );
    case "too_slow": {
      const { scannedLine, scannedColumn } = problem;
      const [place, hint] =
        scannedLine < start_line
          ? [`line ${start_line}`, `Use a start_line up to ${scannedLine}.`]
          : [`column ${start_column} of line ${start_line}`, `Use a start_column up to ${scannedColumn}.`];
      return new ToolError("TIMEOUT", `Read timed out (>${seconds(maxDurationMs)}) before ${place}.`, { hint });
    }
  }
}

function binaryHint({ kind, markedEncoding }: Extract<TextProblem, { readonly reason: "binary" }>): string {
  if (kind !== undefined) return `It is ${kind}.`;
  if (markedEncoding === undefined) return "If it is text, pass its 'encoding'.";
  return `It begins with the byte order mark of ${markedEncoding}: pass encoding=${markedEncoding} to read it as text.`;
}

function truncation({ start, page, maxDurationMs }: ReadReport): Discount[] {
  const { next, totalLines, cutLineLength } = page;
  if (next === undefined) return [];
  const change = { start_line: next.line, ...(next.column > 1 ? { start_column: next.column } : {}) };
  const onward = `Use ${assigned(change)} to continue.`;
  if (totalLines === undefined) {
    const reason = `The file is too large to count in ${seconds(maxDurationMs)}.`;
    return [{ label: "Partial", reason, next: onward, stoppedEarly: true }];
  }
  const isFirstPage = start.line === 1 && start.column === 1;
  const lines = isFirstPage ? `first ${page.lines}` : `lines ${start.line}-${lastLine(start, page)}`;
  const reason =
    cutLineLength === undefined
      ? `Showing ${lines} of ${totalLines} lines.`
      : `Line ${next.line} continues (${cutLineLength} characters).`;
  // A column that this call named must not be carried to the line where the next page begins.
  return [{ label: "Truncated", reason, next: onward, change: { start_column: undefined, ...change } }];
}

function encodingWarning({ fallback }: TextPage): Discount[] {
  if (fallback === undefined) return [];
  const [reason, next] =
    fallback === "replace"
      ? ["Not valid UTF-8; bad bytes shown as U+FFFD.", "Pass encoding=… if you know it."]
      : [`Not valid UTF-8; read as ${fallback}.`, "Pass encoding=… if it is another one."];
  return [{ label: "Warning", reason, next }];
}

const lastLine = (start: Place, page: TextPage) => start.line + page.lines - 1;
const seconds = (milliseconds: number) => `${milliseconds / 1000}s`;
