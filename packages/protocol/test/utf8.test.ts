import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headUnits, tailUnits, utf8Chunks, utf8Length } from "../src/utf8.ts";

// Characters of one to four bytes, and a byte order mark, which a careless decoder drops.
const text = fc.string({ unit: fc.constantFrom("a", "é", "界", "🎉", "\ufeff", "\n") });

describe("utf8Length", () => {
  it("is the number of bytes", () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(utf8Length(value)).toBe(Buffer.byteLength(value));
      }),
    );
  });
});

describe("utf8Chunks", () => {
  it.each([
    ["one-byte characters", "x".repeat(3_000_000)],
    ["wide characters across every boundary", `x${"🎉".repeat(1_600_000)}`],
    ["nothing", ""],
  ])("gives all of a long text, a whole number of characters at a time: %s", (_, value) => {
    const taken = [...utf8Chunks(value)];
    expect(Buffer.concat(taken).equals(Buffer.from(value))).toBe(true);
    for (const chunk of taken) expect(() => new TextDecoder("utf-8", { fatal: true }).decode(chunk)).not.toThrow();
  });
});

describe("headUnits and tailUnits", () => {
  it("find the longest part of whole characters within the bytes", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (value, maxBytes) => {
        const characters = Array.from(value);
        expect(value.slice(0, headUnits(value, maxBytes))).toBe(longest(characters, maxBytes));
        const tail = value.slice(value.length - tailUnits(value, maxBytes));
        expect(tail).toBe(Array.from(longest(characters.toReversed(), maxBytes)).toReversed().join(""));
      }),
    );
  });
});

function longest(characters: readonly string[], maxBytes: number): string {
  let kept = "";
  for (const character of characters) {
    if (Buffer.byteLength(kept + character) > maxBytes) break;
    kept += character;
  }
  return kept;
}
