import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findText } from "../../src/editing/match.ts";
import { pacer } from "./support.ts";

/** All places, found one by one. */
function placesOf(text: string, wanted: string, isOverlapping: boolean): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + (isOverlapping ? 1 : wanted.length))) {
    places.push(at);
  }
  return places;
}

describe("findText", () => {
  it("finds what indexOf finds", async () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        text,
        part,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        async (whole, wanted, isOverlapping, most) => {
          const found = await findText(whole, wanted, { isOverlapping, most }, pacer);
          expect(found).toEqual(placesOf(whole, wanted, isOverlapping).slice(0, most));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("finds long texts that begin alike again and again", async () => {
    const unit = fc.constantFrom("a".repeat(400), "a".repeat(300), "b");
    const texts = fc.array(unit, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.boolean(), async (whole, wanted, isOverlapping) => {
        const found = await findText(whole, wanted, { isOverlapping, most: Infinity }, pacer);
        expect(found).toEqual(placesOf(whole, wanted, isOverlapping));
      }),
    );
  });

  // Each of these took minutes where every place is compared to its end.
  it.each([
    ["what differs in its first character", `b${"a".repeat(100_000)}`, 4_000_000],
    ["what differs in its last character", `${"a".repeat(100_000)}b`, 4_000_000],
    ["what differs in the middle", `${"a".repeat(50_000)}b${"a".repeat(50_000)}`, 4_000_000],
    ["short text that differs in its first character", `b${"a".repeat(240)}`, 4_000_000],
  ])("does not look for %s again and again", async (_, wanted, firstPlace) => {
    const text = "a".repeat(4_000_000);
    expect(await findText(text, wanted, { isOverlapping: true, most: 11 }, pacer)).toEqual([]);
    expect(await findText(text + wanted, wanted, { isOverlapping: true, most: 1 }, pacer)).toEqual([firstPlace]);
  });
});
