import { Buffer } from "node:buffer";
import { createPacer } from "@fstools/sandbox";
import { detectEncoding } from "@fstools/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findClosest, linesWith } from "../src/closest.ts";
import { createUnits } from "../src/units.ts";

async function closest(text: string, wanted: string) {
  const bytes = Buffer.from(text);
  const units = await createUnits(bytes, detectEncoding(bytes), createPacer());
  return findClosest(units, units.from(wanted), createPacer());
}

describe("linesWith", () => {
  it("finds the same lines as a look at each of them", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n"), maxLength: 60 });
    const sought = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 2 }), { minLength: 1 });
    fc.assert(
      fc.property(text, sought, (whole, parts) => {
        const lines = whole.split("\n").map((line, index) => ({ line: index + 1, text: line }));
        // After the last line end there is no line.
        if (lines.at(-1)?.text === "") lines.pop();
        const expected = lines.filter((line) => parts.some((part) => line.text.includes(part)));
        expect([...linesWith(whole, parts)]).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("findClosest", () => {
  const filler = "const other = thing;\n".repeat(50);

  it.each([
    ["half of the words, the common ones", `${filler}const limit = 5;\n`, "const limit = 6 + offset;", 51],
    ["half of the words, the rare ones", `${filler}return limit + offset;\n`, "let limit = offset;", 51],
    ["blanks and quotes that differ", `${filler}say(\u201chello\u201d,\t x)\n`, 'say("hello", x) ', 51],
    ["one of several lines, without a word", `${filler}if (a) {\n  }\n`, "while (b) {\n}", 51],
    [
      "more lines than are looked for one by one",
      `${filler}x20\n`,
      Array.from({ length: 40 }, (_, at) => `x${at}`).join("\n"),
      31,
    ],
  ])("knows %s", async (_, text, wanted, first) => {
    expect((await closest(text, wanted))?.first).toBe(first);
  });

  it("finds nothing if less than half is shared", async () => {
    expect(await closest(filler, "no such thing here")).toBeUndefined();
  });
});
