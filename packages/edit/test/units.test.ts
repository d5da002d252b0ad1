import { createPacer } from "@fstools/sandbox";
import { detectEncoding } from "@fstools/text";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createUnits } from "../src/units.ts";

it("finds what indexOf finds, whatever was looked for before", async () => {
  const word = fc.constantFrom("a", "ab", "abc", "b", "ba", " ", "\n", "-", "é");
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 12 }), async (whole, parts) => {
      const bytes = Buffer.from(whole);
      const units = await createUnits(bytes, detectEncoding(bytes), createPacer());
      for (const part of parts.map(units.from)) expect(units.find(part)).toBe(units.text.indexOf(part));
    }),
    { numRuns: 2000 },
  );
});
