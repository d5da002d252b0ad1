import { type Discount, escapeText, type Outcome } from "@fstools/protocol";
import type { ReadData } from "./data.ts";
import type { Page, Place } from "@fstools/text";
import type { IndexedText } from "@fstools/text";

/** Everything that Read tells about one call. */
export interface ReadReport {
  /** Relative to the project root. */
  readonly path: string;
  readonly start: Place;
  readonly page: Page;
  readonly text: IndexedText;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly isModified: boolean;
}

/** Puts a reading into words. */
export function readOutcome(report: ReadReport): Outcome<ReadData> {
  const { page, text, isModified } = report;
  return {
    data: {
      content: page.content,
      truncated: page.next !== undefined,
      ...(text.fallback === undefined ? {} : { fallback_encoding: text.fallback }),
      ...(isModified ? { modified_externally: true } : {}),
    },
    summary: (elapsedMs) => summary(report, elapsedMs),
    discounts: [...truncation(report), ...encodingWarning(text)],
    notes: endOfFile(report),
    stats: {
      lines_read: page.lines,
      chars_read: page.chars,
      total_lines: text.index.totalLines,
      file_size_bytes: report.sizeBytes,
      file_mtime_ms: Math.floor(report.mtimeMs),
      encoding: text.encoding,
    },
    pagesItself: true,
  };
}

function summary({ path, start, page, isModified }: ReadReport, elapsedMs: number): string[] {
  const shown = `'${escapeText(path)}'`;
  if (page.lines === 0) return [`Read 0 lines from ${shown} (file is empty).`];
  return [
    `Read ${page.lines} lines from ${shown} (Lines ${start.line}-${lastLine(start, page)}).`,
    `(Took ${elapsedMs}ms)`,
    ...(isModified ? [`Note: ${shown} was modified externally.`] : []),
  ];
}

function truncation({ start, page, text }: ReadReport): Discount[] {
  const { next } = page;
  if (next === undefined) return [];
  if (next.column > 1) {
    return [
      {
        label: "Truncated",
        reason: `Line ${next.line} continues.`,
        next: `Use start_line=${next.line} start_column=${next.column} to continue.`,
      },
    ];
  }
  const isFirstPage = start.line === 1 && start.column === 1;
  const lines = isFirstPage ? `first ${page.lines}` : `lines ${start.line}-${lastLine(start, page)}`;
  return [
    {
      label: "Truncated",
      reason: `Showing ${lines} of ${text.index.totalLines} lines.`,
      next: `Use start_line=${next.line} to continue.`,
    },
  ];
}

function encodingWarning({ fallback }: IndexedText): Discount[] {
  if (fallback === undefined) return [];
  if (fallback === "replace") {
    return [
      {
        label: "Warning",
        reason: "Not valid UTF-8; bad bytes shown as U+FFFD.",
        next: "Pass encoding=… if you know it.",
      },
    ];
  }
  return [
    {
      label: "Warning",
      reason: `Not valid UTF-8; read as ${fallback}.`,
      next: "Pass encoding=… if it is another one.",
    },
  ];
}

function endOfFile({ start, page, text }: ReadReport): string[] {
  const isLastOfMany = page.next === undefined && start.line > 1;
  return isLastOfMany ? [`[End of file: ${text.index.totalLines} lines.]`] : [];
}

function lastLine(start: Place, page: Page): number {
  return start.line + page.lines - 1;
}
