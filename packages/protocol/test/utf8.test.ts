import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headUnits, slices, tailUnits, utf8Length, utf8Stream } from "../src/utf8.ts";

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

describe("slices", () => {
  it("are the text, of whole characters, and no longer than asked for", () => {
    const unpaired = fc.string({ unit: fc.constantFrom("a", "🎉", "\ud83c", "\udf89") });
    fc.assert(
      fc.property(unpaired, fc.integer({ min: 2, max: 5 }), (value, maxUnits) => {
        const all = [...slices(value, maxUnits)];
        expect(all.join("")).toBe(value);
        expect(all.flatMap((slice) => Array.from(slice))).toEqual(Array.from(value));
        for (const slice of all) expect(slice.length).toBeLessThanOrEqual(maxUnits);
      }),
    );
  });
});

describe("utf8Stream", () => {
  const pieces = (value: string) => () => slices(value, 50_000);

  it.each([
    ["one-byte characters", "x".repeat(3_000_000)],
    ["wide characters across every boundary", `x${"🎉".repeat(1_600_000)}`],
    ["nothing", ""],
  ])("gives all of a long text, a whole number of characters at a time: %s", (_, value) => {
    const { chunks, totalBytes } = utf8Stream(pieces(value));
    const taken = [...chunks];
    expect(Buffer.concat(taken).equals(Buffer.from(value))).toBe(true);
    for (const chunk of taken) expect(() => new TextDecoder("utf-8", { fatal: true }).decode(chunk)).not.toThrow();
    expect(taken).toHaveLength(Math.ceil(Buffer.byteLength(value) / 2 ** 20));
    expect(totalBytes()).toBe(Buffer.byteLength(value));
  });

  it("does not touch a chunk that it has given away", () => {
    const taken = [...utf8Stream(pieces("abc".repeat(1_000_000))).chunks];
    expect(new Set(taken.map(({ buffer }) => buffer)).size).toBe(taken.length);
  });

  it.each([0, 1, 2, 5, 6])(
    "knows all bytes, even if only %i of the chunks were taken, or all of them again",
    (count) => {
      const { chunks, totalBytes } = utf8Stream(pieces("é".repeat(2_500_000)));
      for (let round = 0; round < 2; round += 1) {
        const iterator = chunks[Symbol.iterator]();
        for (let taken = 0; taken < count; taken += 1) iterator.next();
        expect(totalBytes()).toBe(5_000_000);
      }
    },
  );
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
