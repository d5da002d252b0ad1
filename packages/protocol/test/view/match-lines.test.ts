import { expect, it } from "vitest";
import { matchLines } from "../../src/index.ts";

it("groups matches by file, with what is around them, each line once", () => {
  const matches = [
    { file: "a.ts", line: 3, text: "three", before: ["one", "two"], after: ["four", "five"] },
    { file: "a.ts", line: 5, text: "five", before: ["three", "four"], after: ["six"] },
    { file: "a.ts", line: 9, text: "\tnine\u0000", before: [], after: [] },
    { file: "b\n.ts", line: 1, text: "12: not a number" },
  ];
  expect(matchLines(matches)).toMatchInlineSnapshot(`
    "a.ts
      1- one
      2- two
      3: three
      4- four
      5: five
      6- six
      --
      9: 	nine\\u0000
    b\\n.ts
      1: 12: not a number"
  `);
});

it("separates nothing where no context was asked for", () => {
  const matches = [1, 5, 9].map((line) => ({ file: "a", line, text: "x" }));
  expect(matchLines(matches)).toBe("a\n  1: x\n  5: x\n  9: x");
});

it("shows the first line of a match that spans lines, and several that begin in one line", () => {
  const matches = [
    { file: "a", line: 1, end_line: 3, text: "x", before: [], after: ["four"] },
    { file: "a", line: 5, text: "y", before: ["four"], after: [] },
    { file: "a", line: 5, text: "y again", before: ["four"], after: [] },
  ];
  expect(matchLines(matches)).toBe("a\n  1: x\n  4- four\n  5: y\n  5: y again");
});
