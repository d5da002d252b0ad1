import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOf, sliceOf } from "../../src/text.ts";

// What is hard to cut: line breaks, backslashes before an "n", wide characters, long lines.
const piece = fc.constantFrom(
  "\n",
  "\\",
  "\\n",
  "n",
  "\\\\n",
  "\r\n",
  '"',
  "é",
  "🎉",
  "\ufeff",
  "x",
  "xxxxxxxxxxxxxxxx",
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
const limits = fc.record({
  direction: fc.constantFrom("head" as const, "tail" as const),
  maxLines: fc.integer({ min: 1, max: 30 }),
  maxBytes: fc.integer({ min: 1, max: 300 }),
});

describe("sliceOf", () => {
  // Rule: A preview is a slice within both limits, of whole characters, cut at a line break unless that drops over
  // half.
  it("is a slice of the text in its direction, within both limits, of whole characters", () => {
    fc.assert(
      fc.property(text, limits, (shown, given) => {
        const preview = sliceOf(shown, given);
        expect(given.direction === "head" ? shown.startsWith(preview) : shown.endsWith(preview)).toBe(true);
        const kept = sizeOf(preview);
        expect(kept.bytes).toBeLessThanOrEqual(given.maxBytes);
        expect(kept.lines).toBeLessThanOrEqual(given.maxLines);
        expect(Buffer.from(preview).toString()).toBe(preview);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps as much as the rule allows: whole lines, unless that drops over half of the bytes", () => {
    fc.assert(
      fc.property(text, limits, (shown, given) => {
        expect(sliceOf(shown, given)).toBe(naivePreview(shown, given));
      }),
      { numRuns: 1000 },
    );
  });

  const lines = JSON.stringify(["aaaa", "bbbb", "cccc"], null, 2);
  it.each([
    ["head", 100, 2, '[\n  "aaaa",'],
    ["head", 14, 100, '[\n  "aaaa",'],
    ["head", 11, 100, '[\n  "aaaa",'],
    ["head", 10, 100, '[\n  "aaaa"'],
    ["tail", 100, 2, '  "cccc"\n]'],
    ["tail", 14, 100, '  "cccc"\n]'],
    ["tail", 10, 100, '  "cccc"\n]'],
    ["tail", 9, 100, ' "cccc"\n]'],
  ] as const)("cuts %s at %i bytes and %i lines", (direction, maxBytes, maxLines, preview) => {
    expect(sliceOf(lines, { direction, maxBytes, maxLines })).toBe(preview);
  });

  it("cuts one endless line between characters", () => {
    const text = `x${"🎉".repeat(1000)}`;
    expect(sliceOf(text, { direction: "head", maxLines: 10, maxBytes: 103 })).toBe(`x${"🎉".repeat(25)}`);
    expect(sliceOf(text, { direction: "tail", maxLines: 10, maxBytes: 103 })).toBe("🎉".repeat(25));
  });
});

interface Limits {
  readonly direction: "head" | "tail";
  readonly maxLines: number;
  readonly maxBytes: number;
}

/** The rule, character by character and line by line, over the whole text. */
function naivePreview(whole: string, { direction, maxLines, maxBytes }: Limits): string {
  if (direction === "tail") {
    const reversed = naivePreview(reverse(whole), { direction: "head", maxLines, maxBytes });
    return reverse(reversed);
  }
  let kept = "";
  let lastBreak = -1;
  for (const character of whole) {
    if (character === "\n") {
      lastBreak = kept.length;
      if (kept.split("\n").length === maxLines) return kept;
    }
    if (Buffer.byteLength(kept + character) > maxBytes) {
      const dropped = Buffer.byteLength(kept.slice(Math.max(0, lastBreak)));
      return lastBreak === -1 || dropped > maxBytes / 2 ? kept : kept.slice(0, lastBreak);
    }
    kept += character;
  }
  return kept;
}

function reverse(whole: string): string {
  return Array.from(whole).toReversed().join("");
}
