import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineCollector, createPage, type PageRequest } from "../src/lines.ts";

const START = { line: 1, column: 1 };

function build(text: string, request: Partial<PageRequest> = {}, from = START) {
  const page = createPage({ start: START, limit: 100, maxPageBytes: 1000, maxLineChars: 10, ...request });
  const lines = createLineCollector({ ...page, from, countsOn: false });
  let isOver = true;
  for (const character of text) isOver &&= lines.push(character);
  if (isOver) lines.finish();
  return page.finish();
}

/** A page of lines that are pushed one by one. */
function sheet(maxPageBytes: number, start = START) {
  return createPage({ start, limit: 1000, maxPageBytes, maxLineChars: 1000 });
}

describe("createPage", () => {
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

  // Rule: A line longer than `maxLineChars` is cut between characters and ends the page; `start_column` continues.
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
    ["abc\nx", 4],
    ["abc", 4],
    ["abc", 100],
    ["\nx", 2],
  ])("is empty where the first line of %j has no column %i", (text, column) => {
    expect(build(text, { start: { line: 1, column } })).toMatchObject({ content: "", lines: 0 });
  });

  it("shows an empty line from column 1", () => {
    expect(build("\nx")).toMatchObject({ lines: 2 });
  });

  it("ends before a long line if even its beginning has no room", () => {
    expect(build("a\n0123456789x", { maxPageBytes: 20 })).toMatchObject({ lines: 1, next: { line: 2, column: 1 } });
  });

  it("does not collect a line that is too big for any page", () => {
    const page = createPage({ start: START, limit: 9, maxPageBytes: 50, maxLineChars: 1e9 });
    const lines = createLineCollector({ ...page, from: START, countsOn: false });
    let pushed = 0;
    while (lines.push("0123456789")) pushed++;
    expect(pushed).toBeLessThan(10);
    expect(page.finish()).toMatchObject({ lines: 1, next: { line: 1, column: 43 } });
  });

  // Rule: `data.content` is `"%4d | %s\n"` per line, the last one included.
  it("gives each line its number, in at least four places", () => {
    const page = sheet(1000);
    for (const line of [1, 99, 1000, 12345]) page.take("x", { line, column: 1 });
    expect(page.finish().content).toBe("   1 | x\n  99 | x\n1000 | x\n12345 | x\n");
  });

  // Rule: `chars_read` and columns are code points.
  it("counts code points, prefixes and line ends included", () => {
    const page = sheet(1000);
    page.take("é漢😀", START);
    page.take("", { line: 2, column: 1 });
    const { content, chars, lines } = page.finish();
    expect({ chars, lines }).toEqual({ chars: Array.from(content).length, lines: 2 });
  });

  it("ends before a line for which it has no room", () => {
    const row = "   1 | abc\n";
    const page = sheet(2 * row.length);
    expect(page.take("abc", START)).toBe(true);
    expect(page.take("abc", { line: 2, column: 1 })).toBe(true);
    expect(page.take("", { line: 3, column: 1 })).toBe(false);
    const { content, ...rest } = page.finish();
    expect(rest).toMatchObject({ lines: 2, next: { line: 3, column: 1 } });
    expect(Buffer.byteLength(content)).toBe(2 * row.length);
  });

  it("cuts a first line that alone is too big, between characters", () => {
    const page = sheet(8 + 6, { line: 1, column: 5 });
    expect(page.take("é漢😀x", { line: 1, column: 5 })).toBe(false);
    expect(page.finish()).toMatchObject({ content: "   1 | é漢\n", next: { line: 1, column: 7 } });
  });

  it("shows at least one character, however small the page", () => {
    const page = sheet(1);
    expect(page.take("😀😀", START)).toBe(false);
    expect(page.finish()).toMatchObject({ content: "   1 | 😀\n", next: { line: 1, column: 2 } });
    const whole = sheet(1);
    expect(whole.take("😀", START)).toBe(true);
    expect(whole.take("", { line: 2, column: 1 })).toBe(false);
    expect(whole.finish().next).toEqual({ line: 2, column: 1 });
  });

  it("takes as many whole lines as there is room for, to the byte", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀"), maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 100, max: 800 }),
        (lines, bytes) => {
          const page = sheet(bytes);
          let expected = "";
          for (const [index, text] of lines.entries()) {
            const row = `${String(index + 1).padStart(4)} | ${text}\n`;
            const fits = Buffer.byteLength(expected + row) <= bytes;
            expect(page.take(text, { line: index + 1, column: 1 })).toBe(fits);
            if (!fits) break;
            expected += row;
          }
          const { content, chars } = page.finish();
          expect(content).toBe(expected);
          expect(chars).toBe(Array.from(expected).length);
        },
      ),
    );
  });
});
