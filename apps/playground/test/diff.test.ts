import { describe, expect, it } from "vitest";
import { pairLines, parseDiff } from "../src/web/diff/parse-diff.ts";

const DIFF = `--- a/x
+++ b/x
@@ -1,3 +1,4 @@
 one
-two
-three
+2
+3
+4
@@ -9,1 +10,1 @@
--- not a header
\\ No newline at end of file
`;

describe("parseDiff", () => {
  it("numbers the lines of both files", () => {
    const rows = parseDiff(DIFF).map(({ kind, before, after, text }) => [kind, before, after, text]);
    expect(rows).toEqual([
      ["same", 1, 1, "one"],
      ["remove", 2, undefined, "two"],
      ["remove", 3, undefined, "three"],
      ["add", undefined, 2, "2"],
      ["add", undefined, 3, "3"],
      ["add", undefined, 4, "4"],
      ["gap", undefined, undefined, "⋯"],
      ["remove", 9, undefined, "-- not a header"],
      ["gap", undefined, undefined, "\\ No newline at end of file"],
    ]);
  });

  // Rule: Controls of a diff are visible in the page, and no line is cut.
  it("shows controls, and goes on with a long line in further rows", () => {
    const long = "x".repeat(1200);
    const rows = parseDiff(`@@ -1,2 +1,2 @@\n-a\u202eb\u001b\tc\n+${long}\n`).map(({ text }) => text);
    expect(rows).toEqual(["a\\u202eb\\u001b\tc", "x".repeat(500), `↪${"x".repeat(500)}`, `↪${"x".repeat(200)}`]);
  });

  it("finds nothing in what is not a diff", () => {
    expect(parseDiff("")).toEqual([]);
    expect(parseDiff("+not a hunk")).toEqual([]);
  });
});

describe("pairLines", () => {
  it("puts what was removed beside what came in its place", () => {
    const rows = pairLines(parseDiff(DIFF)).map(({ left, right }) => [left?.text, right?.text]);
    expect(rows).toEqual([
      ["one", "one"],
      ["two", "2"],
      ["three", "3"],
      [undefined, "4"],
      ["⋯", "⋯"],
      ["-- not a header", undefined],
      ["\\ No newline at end of file", "\\ No newline at end of file"],
    ]);
  });
});
