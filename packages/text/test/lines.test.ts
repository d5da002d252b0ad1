import { mixedText, referenceLines } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineCollector, createLineMeter, type LineRequest, type Place } from "../src/lines.ts";

const START = { line: 1, column: 1 };

/** Lines as a collector passes them on, from a text in pieces of three characters. */
function collected(
  text: string,
  request: Partial<LineRequest> = {},
  pieces: readonly string[] = text.match(/.{1,3}/gsu) ?? [],
) {
  const taken: [text: string, line: number, column: number][] = [];
  const lines = createLineCollector({
    from: START,
    start: START,
    maxUnits: 1000,
    countsOn: true,
    take: (line, place) => taken.push([line, place.line, place.column]) < 100,
    ...request,
  });
  for (const piece of pieces) if (!lines.push(piece)) break;
  lines.finish();
  return { taken, lines: lines.lines() };
}

describe("createLineCollector", () => {
  it("finds the same lines wherever the text is cut", () => {
    fc.assert(
      fc.property(mixedText, fc.array(fc.nat({ max: 80 })), (text, cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(collected(text, {}, pieces).taken.map(([line]) => line)).toEqual(referenceLines(text));
      }),
    );
  });

  it("passes on every line, and counts them", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const lines = referenceLines(text);
        const { taken, lines: count } = collected(text);
        expect(taken).toEqual(lines.map((line, index) => [line, index + 1, 1]));
        expect(count).toBe(lines.length);
      }),
    );
  });

  it("ends lines at newlines only, if asked to, and takes what follows the last one for a line", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const { taken, lines } = collected(text, { lineEnds: "newline", emptyLastLine: true });
        expect(taken.map(([line]) => line)).toEqual(text.split("\n"));
        expect(lines).toBe(text.split("\n").length);
      }),
    );
  });

  it("begins at any place of any line", () => {
    fc.assert(
      fc.property(mixedText, fc.nat({ max: 50 }), fc.nat({ max: 10 }), (text, lineIndex, columnIndex) => {
        const lines = referenceLines(text);
        fc.pre(lines.length > 0);
        const line = (lineIndex % lines.length) + 1;
        const { taken } = collected(text, { start: { line, column: columnIndex + 1 } });
        const first = Array.from(lines[line - 1] ?? "").slice(columnIndex);
        expect(taken.map(([part]) => part)).toEqual([first.join(""), ...lines.slice(line)]);
        expect(taken[0]?.slice(1)).toEqual([line, columnIndex + 1]);
      }),
    );
  });

  it("begins inside a line where the text does", () => {
    const { taken, lines } = collected("56789xyz\nb", { from: { line: 2, column: 6 }, start: { line: 2, column: 11 } });
    expect(taken).toEqual([
      ["xyz", 2, 11],
      ["b", 3, 1],
    ]);
    expect(lines).toBe(3);
    expect(collected("", { from: { line: 2, column: 6 }, start: { line: 2, column: 6 } }).taken).toEqual([["", 2, 6]]);
  });

  it("passes on the beginning of a long line at once, and continues with the next", () => {
    expect(collected("0123456789\nab\n", { maxUnits: 4 }).taken).toEqual([
      ["0123", 1, 1],
      ["ab", 2, 1],
    ]);
    const seen: string[] = [];
    const endless = createLineCollector({
      from: START,
      start: START,
      maxUnits: 4,
      countsOn: false,
      take: (line) => seen.push(line) > 9,
    });
    expect(endless.push("0123456789")).toBe(false);
    expect(seen).toEqual(["0123"]);
  });

  it("keeps counting after enough lines were taken, if asked to", () => {
    const take = () => false;
    expect(collected("a\nb\nc\nd", { take }).lines).toBe(4);
    expect(collected("a\nb\nc\nd", { take, countsOn: false }).lines).toBeLessThan(4);
  });
});

describe("createLineMeter", () => {
  it("measures any line in code points, from wherever the text begins", () => {
    const measured = (text: string, from: Place, line: number): number => {
      const meter = createLineMeter(from, line);
      collected(text, meter.request);
      return meter.length();
    };
    fc.assert(
      fc.property(mixedText, (text) => {
        for (const [index, line] of referenceLines(text).entries()) {
          expect(measured(text, START, index + 1)).toBe(Array.from(line).length);
        }
      }),
    );
    expect(measured("abc\nd", { line: 3, column: 101 }, 3)).toBe(103);
  });
});
