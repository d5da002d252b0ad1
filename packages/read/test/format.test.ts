import { describe, expect, it } from "vitest";
import { createCheckpoints } from "@fstools/text";
import { readOutcome, type ReadReport } from "../src/format.ts";

const START = { line: 1, column: 1 };

function report(part: Partial<ReadReport> & { totalLines?: number; fallback?: string } = {}): ReadReport {
  const { totalLines = 1, fallback, ...rest } = part;
  const index = { totalLines, isFlawless: true, checkpoints: createCheckpoints({ byte: 0, ...START }, 1) };
  return {
    path: "a.txt",
    start: START,
    page: { content: "   1 | a\n", lines: 1, chars: 9, next: undefined },
    text: { encoding: "utf-8", index, ...(fallback === undefined ? {} : { fallback }) },
    sizeBytes: 2,
    mtimeMs: 1000.9,
    isModified: false,
    ...rest,
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
    expect(readOutcome(report({ start: { line: 9, column: 1 }, totalLines: 9 })).notes).toEqual([
      "[End of file: 9 lines.]",
    ]);
  });

  it("discounts a fallback", () => {
    expect(readOutcome(report({ fallback: "replace" }))).toMatchObject({
      data: { fallback_encoding: "replace" },
      discounts: [{ label: "Warning" }],
    });
  });
});
