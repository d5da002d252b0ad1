import { mixedText } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCodePoints, firstCodePoints, withoutCodePoints } from "../src/lines.ts";

describe("code points", () => {
  it("are counted and cut as the language's own iterator does", () => {
    fc.assert(
      fc.property(mixedText, fc.nat({ max: 30 }), (text, count) => {
        const characters = Array.from(text);
        expect(countCodePoints(text)).toBe(characters.length);
        expect(firstCodePoints(text, count)).toBe(characters.slice(0, count).join(""));
        expect(withoutCodePoints(text, count)).toBe(characters.slice(count).join(""));
      }),
    );
  });
});
