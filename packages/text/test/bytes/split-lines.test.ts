import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter } from "../../src/bytes/split-lines.ts";
import { mixedText, referenceLines } from "../support.ts";

function linesOf(pieces: readonly string[]): string[] {
  const lines: string[] = [];
  let line = "";
  const push = createLineSplitter({
    text: (part) => {
      expect(part).not.toBe("");
      line += part;
      return true;
    },
    end: () => {
      lines.push(line);
      line = "";
      return true;
    },
  });
  for (const piece of pieces) expect(push(piece)).toBe(true);
  return line === "" ? lines : [...lines, line];
}

describe("createLineSplitter", () => {
  it("finds the same lines wherever the text is cut", () => {
    fc.assert(
      fc.property(mixedText, fc.array(fc.nat({ max: 80 })), (text, cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(linesOf(pieces)).toEqual(referenceLines(text));
      }),
    );
  });

  it("stops when the sink wants no more", () => {
    const seen: string[] = [];
    const push = createLineSplitter({
      text: (part) => {
        seen.push(part);
        return true;
      },
      end: () => seen.length < 2,
    });
    expect(push("a\nb\nc\nd")).toBe(false);
    expect(seen).toEqual(["a", "b"]);
  });
});
