import { describe, expect, it } from "vitest";
import { TextError, type TextPage, type TextProblem } from "@fstools/text";
import { readOutcome, type ReadReport, wordTextError } from "../src/format.ts";

const START = { line: 1, column: 1 };

const PAGE: TextPage = {
  content: "   1 | a\n",
  lines: 1,
  chars: 9,
  next: undefined,
  cutLineLength: undefined,
  totalLines: 1,
  sizeBytes: 2,
  encoding: "utf-8",
  fallback: undefined,
};

function report(part: Partial<ReadReport> = {}): ReadReport {
  return {
    path: "a.txt",
    start: START,
    page: PAGE,
    mtimeMs: 1000.9,
    isModified: false,
    hasGrep: true,
    maxDurationMs: 10_000,
    ...part,
  };
}

describe("readOutcome", () => {
  it("floors the time of the last change", () => {
    expect(readOutcome(report()).stats).toMatchObject({ file_mtime_ms: 1000 });
  });

  it("has no discount for a complete page of UTF-8, modified or not", () => {
    expect(readOutcome(report()).discounts).toEqual([]);
    const modified = readOutcome(report({ isModified: true }));
    expect(modified.discounts).toEqual([]);
    expect(modified.summary(7)).toEqual([
      "Read 1 lines from 'a.txt' (Lines 1-1).",
      "(Took 7ms)",
      "Note: 'a.txt' was modified externally.",
    ]);
  });

  it("escapes what could forge a line", () => {
    expect(readOutcome(report({ path: "a\n[x]\u202e" })).summary(0)[0]).toBe(
      String.raw`Read 1 lines from 'a\n[x]\u202e' (Lines 1-1).`,
    );
  });

  it("marks the end of the file only on a later page", () => {
    expect(readOutcome(report()).notes).toEqual([]);
    expect(readOutcome(report({ start: { line: 1, column: 2 } })).notes).toEqual([]);
    expect(readOutcome(report({ start: { line: 9, column: 1 }, page: { ...PAGE, totalLines: 9 } })).notes).toEqual([
      "[End of file: 9 lines.]",
    ]);
  });

  it("discounts a fallback", () => {
    expect(readOutcome(report({ page: { ...PAGE, fallback: "replace" } }))).toMatchObject({
      data: { fallback_encoding: "replace" },
      discounts: [{ label: "Warning" }],
    });
  });
});

describe("wordTextError", () => {
  const input = { path: "a", start_line: 9, start_column: 4, limit: 500, encoding: undefined };

  it.each<[TextProblem, string, string, string]>([
    [
      { reason: "binary", kind: "a PNG image", markedEncoding: undefined },
      "BINARY_FILE",
      "File 'a' appears to be binary.",
      "It is a PNG image.",
    ],
    [
      { reason: "binary", kind: undefined, markedEncoding: "utf-32le" },
      "BINARY_FILE",
      "File 'a' appears to be binary.",
      "It begins with the byte order mark of utf-32le: pass encoding=utf-32le to read it as text.",
    ],
    [
      { reason: "binary", kind: undefined, markedEncoding: undefined },
      "BINARY_FILE",
      "File 'a' appears to be binary.",
      "If it is text, pass its 'encoding'.",
    ],
    [
      { reason: "line_past_end", totalLines: 3 },
      "INVALID_PARAM",
      "start_line (9) exceeds file length (3 lines). Valid range: 1 to 3.",
      "Use start_line=1 to read the end of the file.",
    ],
    [
      { reason: "line_past_end", totalLines: 3000 },
      "INVALID_PARAM",
      "start_line (9) exceeds file length (3000 lines). Valid range: 1 to 3000.",
      "Use start_line=2501 to read the end of the file.",
    ],
    [
      { reason: "line_past_end", totalLines: 0 },
      "INVALID_PARAM",
      "start_line exceeds file length (file is empty). Valid start_line is 1.",
      "There is nothing to read in this file.",
    ],
    [
      { reason: "column_past_end", lineLength: 3 },
      "INVALID_PARAM",
      "start_column (4) exceeds line length (3 characters).",
      "Use start_line=9 without start_column to read the line from its beginning.",
    ],
    [
      { reason: "changed" },
      "EXECUTION_ERROR",
      "File 'a' changed while it was being read.",
      "Call Read again to read its new content.",
    ],
    [
      { reason: "endless_run", encoding: "utf7" },
      "EXECUTION_ERROR",
      "The file has a run without blanks that is too long for utf7.",
      "Check the encoding, or read the file without it.",
    ],
    [
      { reason: "too_slow", scannedLine: 7, scannedColumn: 1 },
      "TIMEOUT",
      "Read timed out (>0.5s) before line 9.",
      "Use a start_line up to 7.",
    ],
    [
      { reason: "too_slow", scannedLine: 9, scannedColumn: 3 },
      "TIMEOUT",
      "Read timed out (>0.5s) before column 4 of line 9.",
      "Use a start_column up to 3.",
    ],
  ])("%j", (problem, code, message, hint) => {
    const error = wordTextError(new TextError(problem), input, { maxDurationMs: 500 });
    expect(error).toMatchObject({ code, message, hint });
  });

  it("clips and escapes the caller's path", () => {
    const path = `a\n${"b".repeat(300)}`;
    const error = wordTextError(new TextError({ reason: "changed" }), { ...input, path }, { maxDurationMs: 1 });
    expect(error.message).toMatch(/^File 'a\\nb+…' changed/u);
  });
});
