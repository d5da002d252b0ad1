import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSheet, type LinePart } from "../../src/page/page.ts";

const place = { line: 1, column: 1 };

function part(text: string, isCut = false): LinePart {
  return { text, isCut };
}

describe("createSheet", () => {
  it("gives each line its number, in at least four places", () => {
    const sheet = createSheet(1000);
    for (const line of [1, 99, 1000, 12345]) sheet.add({ line, column: 1 }, part("x"));
    expect(sheet.finish(undefined).content).toBe("   1 | x\n  99 | x\n1000 | x\n12345 | x\n");
  });

  it("counts code points, prefixes and line ends included", () => {
    const sheet = createSheet(1000);
    sheet.add(place, part("é漢😀"));
    sheet.add({ line: 2, column: 1 }, part(""));
    const { content, chars, lines } = sheet.finish(undefined);
    expect({ chars, lines }).toEqual({ chars: Array.from(content).length, lines: 2 });
  });

  it("ends before a line for which it has no room", () => {
    const row = "   1 | abc\n";
    const sheet = createSheet(2 * row.length);
    expect(sheet.add(place, part("abc"))).toBe(true);
    expect(sheet.add({ line: 2, column: 1 }, part("abc"))).toBe(true);
    expect(sheet.add({ line: 3, column: 1 }, part(""))).toBe(false);
    const page = sheet.finish(undefined);
    expect(page).toMatchObject({ lines: 2, next: { line: 3, column: 1 } });
    expect(Buffer.byteLength(page.content)).toBe(2 * row.length);
  });

  it("ends after a line that was cut", () => {
    const sheet = createSheet(1000);
    expect(sheet.add({ line: 4, column: 10 }, part("a😀", true))).toBe(false);
    expect(sheet.finish(undefined).next).toEqual({ line: 4, column: 12 });
  });

  it("cuts a first line that alone is too big, between characters", () => {
    const sheet = createSheet(8 + 6);
    expect(sheet.add({ line: 1, column: 5 }, part("é漢😀x"))).toBe(false);
    const page = sheet.finish(undefined);
    expect(page.content).toBe("   1 | é漢\n");
    expect(page.next).toEqual({ line: 1, column: 7 });
  });

  it("shows at least one character, however small the page", () => {
    const sheet = createSheet(1);
    expect(sheet.add(place, part("😀😀"))).toBe(false);
    expect(sheet.finish(undefined)).toMatchObject({ content: "   1 | 😀\n", next: { line: 1, column: 2 } });
    const whole = createSheet(1);
    expect(whole.add(place, part("😀"))).toBe(true);
    expect(whole.add({ line: 2, column: 1 }, part(""))).toBe(false);
    expect(whole.finish(undefined).next).toEqual({ line: 2, column: 1 });
  });

  it("takes as many whole lines as there is room for, to the byte", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀"), maxLength: 20 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 100, max: 800 }),
        (lines, bytes) => {
          const sheet = createSheet(bytes);
          let expected = "";
          for (const [index, text] of lines.entries()) {
            const row = `${String(index + 1).padStart(4)} | ${text}\n`;
            const fits = Buffer.byteLength(expected + row) <= bytes;
            expect(sheet.add({ line: index + 1, column: 1 }, part(text))).toBe(fits);
            if (!fits) break;
            expected += row;
          }
          const { content, chars } = sheet.finish(undefined);
          expect(content).toBe(expected);
          expect(chars).toBe(Array.from(expected).length);
        },
      ),
    );
  });
});
