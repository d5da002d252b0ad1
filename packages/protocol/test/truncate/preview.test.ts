import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText, type JsonText } from "../../src/truncate/json-text.ts";
import { fits, measureLines, measureText, previewOf, surelyFits } from "../../src/truncate/preview.ts";

// What is hard about the measured text: line breaks, backslashes before an "n", wide characters, long lines.
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
const value = fc.record({ text, list: fc.array(text, { maxLength: 6 }), [`key\nwith break`]: fc.nat() });
const limits = fc.record({
  direction: fc.constantFrom("head" as const, "tail" as const),
  maxLines: fc.integer({ min: 1, max: 30 }),
  maxBytes: fc.integer({ min: 1, max: 300 }),
});

/** The JSON of a value, as one string and with all strings near the surface set aside. */
const forms = fc.constantFrom<(value: unknown) => JsonText>(
  (value) => [{ json: JSON.stringify(value, null, 2) }],
  (value) => jsonText(value, 1) ?? [],
);

/** The measured text, made the slow and obvious way: token by token. */
function measuredText(json: string): string {
  let shown = "";
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] !== "\\") shown += json[at] ?? "";
    else {
      at += 1;
      shown += json[at] === "n" ? "\n" : `\\${json[at] ?? ""}`;
    }
  }
  return shown;
}

describe("measureLines", () => {
  // Rule: The measured text shows line breaks inside strings as real ones, and leaves a backslash before an n alone.
  it("counts the lines of the text in which line breaks inside strings are real ones", () => {
    fc.assert(
      fc.property(value, forms, (sample, textOf) => {
        const json = JSON.stringify(sample, null, 2);
        const shown = measuredText(json);
        expect(measureLines(textOf(sample))).toEqual({
          lines: shown.split("\n").length,
          escapedBreaks: json.length - shown.length,
        });
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["C:\\new", 3],
    ["a\nb", 4],
    ["a\\\nb", 4],
    ["\\\\n", 3],
    ["a\r\nb", 4],
  ])("takes the line breaks of %j as they are", (content, lines) => {
    expect(measureLines([{ json: JSON.stringify({ content }, null, 2) }]).lines).toBe(lines);
  });
});

describe("fits", () => {
  it("compares the lines and bytes of the measured text with the limits", () => {
    fc.assert(
      fc.property(value, forms, limits, (sample, textOf, given) => {
        const json = JSON.stringify(sample, null, 2);
        const { lines, bytes } = measureText(measuredText(json));
        const expected = lines <= given.maxLines && bytes <= given.maxBytes;
        const text = textOf(sample);
        expect(fits(text, measureLines(text), given)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("previewOf", () => {
  // Rule: A preview is a slice within both limits, of whole characters, cut at a line break unless that drops over
  // half.
  it("is a slice of the measured text in its direction, within both limits, of whole characters", () => {
    fc.assert(
      fc.property(value, forms, limits, (sample, textOf, given) => {
        const json = JSON.stringify(sample, null, 2);
        const shown = measuredText(json);
        const preview = previewOf(textOf(sample), given);
        expect(given.direction === "head" ? shown.startsWith(preview) : shown.endsWith(preview)).toBe(true);
        const kept = measureText(preview);
        expect(kept.bytes).toBeLessThanOrEqual(given.maxBytes);
        expect(kept.lines).toBeLessThanOrEqual(given.maxLines);
        expect(Buffer.from(preview).toString()).toBe(preview);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps as much as the rule allows: whole lines, unless that drops over half of the bytes", () => {
    fc.assert(
      fc.property(value, forms, limits, (sample, textOf, given) => {
        const json = JSON.stringify(sample, null, 2);
        expect(previewOf(textOf(sample), given)).toBe(naivePreview(measuredText(json), given));
      }),
      { numRuns: 1000 },
    );
  });

  const lines = [{ json: JSON.stringify(["aaaa", "bbbb", "cccc"], null, 2) }];
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
    expect(previewOf(lines, { direction, maxBytes, maxLines })).toBe(preview);
  });

  it.each([1, Infinity])("cuts one endless line between characters, if %d units make a string long", (longUnits) => {
    const text = jsonText({ content: "🎉".repeat(1000) }, longUnits) ?? [];
    const head = previewOf(text, { direction: "head", maxLines: 10, maxBytes: 101 });
    const tail = previewOf(text, { direction: "tail", maxLines: 10, maxBytes: 101 });
    expect(head).toBe(`{\n  "content": "${"🎉".repeat(21)}`);
    expect(tail).toBe(`${"🎉".repeat(24)}"\n}`);
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

describe("surelyFits", () => {
  const anyData = fc.oneof(
    value,
    fc.jsonValue(),
    fc.object({ withBigInt: true, withDate: true, withNullPrototype: true }),
  );

  it("says so only of what fits", () => {
    fc.assert(
      fc.property(anyData, limits, (sample, { maxLines, maxBytes, direction }) => {
        for (const scale of [1, 4, 20]) {
          const scaled = { direction, maxLines: maxLines * scale, maxBytes: maxBytes * scale };
          const json = jsonText(sample) ?? [];
          if (surelyFits(sample, scaled)) expect(fits(json, measureLines(json), scaled)).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("says so exactly where the limits are those of plain text", () => {
    const sample = { text: "a\nb", list: ["one", "two"] };
    const size = measureText(measuredText(JSON.stringify(sample, null, 2)));
    expect(size.lines).toBe(8);
    expect(surelyFits(sample, { direction: "head", maxLines: 8, maxBytes: 100 })).toBe(true);
    expect(surelyFits(sample, { direction: "head", maxLines: 7, maxBytes: 100 })).toBe(false);
    expect(surelyFits(sample, { direction: "head", maxLines: 8, maxBytes: size.bytes - 1 })).toBe(false);
  });

  it("knows nothing of what is not plain data, is endless, or throws", () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    const throwing = {
      get text() {
        throw new Error("no");
      },
    };
    const most = { direction: "head", maxLines: 1e9, maxBytes: 1e9 } as const;
    for (const odd of [
      { at: new Date() },
      { toJSON: () => "x".repeat(100) },
      { n: 1n },
      new Map(),
      endless,
      throwing,
    ]) {
      expect(surelyFits(odd, most)).toBe(false);
    }
  });
});
