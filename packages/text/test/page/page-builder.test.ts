import { describe, expect, it } from "vitest";
import { createPageBuilder, type PageRequest } from "../../src/page/page-builder.ts";
import { referenceLines } from "../support.ts";

const START = { line: 1, column: 1 };

function build(text: string, request: Partial<PageRequest> = {}, from = START) {
  const builder = createPageBuilder(
    { start: START, limit: 100, maxPageBytes: 1000, maxLineChars: 10, ...request },
    from,
    from.line - 1 + referenceLines(text).length,
  );
  for (let index = 0; index < text.length; index += 3) if (!builder.push(text.slice(index, index + 3))) break;
  return builder.finish();
}

describe("createPageBuilder", () => {
  it("shows every line of a short text", () => {
    expect(build("a\r\nb\rc\n\nd")).toEqual({
      content: "   1 | a\n   2 | b\n   3 | c\n   4 | \n   5 | d\n",
      lines: 5,
      chars: 44,
      next: undefined,
    });
  });

  it("ends after `limit` lines, and knows whether there are more", () => {
    expect(build("a\nb\nc\n", { limit: 2 })).toMatchObject({ lines: 2, next: { line: 3, column: 1 } });
    expect(build("a\nb\nc\n", { limit: 3 })).toMatchObject({ lines: 3, next: undefined });
  });

  it("starts at a later line, wherever the text it is given begins", () => {
    expect(build("a\nb\nc\n", { start: { line: 2, column: 1 } })).toMatchObject({ content: "   2 | b\n   3 | c\n" });
    expect(build("b\nc\n", { start: { line: 3, column: 1 } }, { line: 2, column: 1 })).toMatchObject({
      content: "   3 | c\n",
    });
  });

  it("cuts a line that is longer than `maxLineChars` and ends the page there", () => {
    expect(build("a\n0123456789\nb")).toMatchObject({ lines: 3, next: undefined });
    expect(build("a\n0123456789x\nb")).toMatchObject({
      content: "   1 | a\n   2 | 0123456789\n",
      next: { line: 2, column: 11 },
    });
  });

  it("continues inside a line, and then with the next ones", () => {
    expect(build("a\n0123456789xyz\nb", { start: { line: 2, column: 11 } })).toMatchObject({
      content: "   2 | xyz\n   3 | b\n",
      next: undefined,
    });
    expect(build("56789xyz\nb", { start: { line: 2, column: 11 } }, { line: 2, column: 6 })).toMatchObject({
      content: "   2 | xyz\n   3 | b\n",
    });
  });

  it("counts columns in code points", () => {
    expect(build("😀😀😀é漢x", { start: { line: 1, column: 4 } })).toMatchObject({ content: "   1 | é漢x\n" });
  });

  it.each([
    ["abc\nx", 4, 3],
    ["abc", 4, 3],
    ["abc", 100, 3],
    ["\nx", 2, 0],
  ])("tells the length of the first line of %j, which has no column %i", (text, column, lineLength) => {
    expect(build(text, { start: { line: 1, column } })).toEqual({ lineLength });
  });

  it("shows an empty line from column 1", () => {
    expect(build("\nx")).toMatchObject({ lines: 2 });
  });

  it("ends before a long line if even its beginning has no room", () => {
    expect(build("a\n0123456789x", { maxPageBytes: 20 })).toMatchObject({ lines: 1, next: { line: 2, column: 1 } });
  });

  it("does not collect a line that is too big for any page", () => {
    const builder = createPageBuilder({ start: START, limit: 9, maxPageBytes: 50, maxLineChars: 1e9 }, START, 1);
    let pushed = 0;
    while (builder.push("0123456789")) pushed++;
    expect(pushed).toBeLessThan(10);
    expect(builder.finish()).toMatchObject({ lines: 1, next: { line: 1, column: 43 } });
  });
});
