import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonHead, jsonPieces, jsonTail, jsonText, minJsonUnits, type JsonText } from "../../src/truncate/json-text.ts";

const string = fc.string({
  unit: fc.constantFrom("a", "n", "\\", "\n", '"', "\u0000", "🎉", "\ud83c", "\udf89"),
  maxLength: 30,
});
const leaf = fc.oneof(string, fc.integer(), fc.constantFrom(null, undefined, true, new Date(0)));
const value = fc.dictionary(
  fc.oneof(string, fc.constantFrom("__proto__", "2", "1")),
  fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(string, leaf, { maxKeys: 4 })),
  { maxKeys: 6 },
);

function ownJson(this: { readonly a: string }): object {
  return { a: this.a, units: this.a.length };
}

function whole(text: JsonText | undefined, pieceUnits?: number): string | undefined {
  return text && [...jsonPieces(text, pieceUnits)].join("");
}

function setAside(text: JsonText | undefined): string[] {
  return (text ?? []).flatMap((part) => ("unescaped" in part ? [part.unescaped] : []));
}

describe("jsonText", () => {
  it("is what JSON.stringify writes, whichever strings are set aside and however it is cut", () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 2, max: 9 }), (sample, long, piece) => {
        expect(whole(jsonText(sample, long), piece)).toBe(JSON.stringify(sample, null, 2));
      }),
      { numRuns: 1000 },
    );
  });

  it("sets long strings aside, also those of parameters", () => {
    const long = "x".repeat(100_000);
    const text = jsonText({
      data: { content: long, short: "x" },
      text: long,
      context: { params_input: { content: long } },
    });
    expect(setAside(text)).toEqual([long, long, long]);
    expect(minJsonUnits(text ?? [])).toBeGreaterThan(300_000);
  });

  const mark = "\u0000a long string\u0000";
  it.each([
    ["a value that holds the mark of a long string", { [mark]: 1, a: "long", b: mark }],
    ["a value that writes its own JSON", { a: "long", toJSON: ownJson }],
    [
      "a value of a class",
      new (class {
        readonly a = "long";
        toJSON(): string {
          return "mine";
        }
      })(),
    ],
    ["many keys", Object.fromEntries(Array.from({ length: 101 }, (_, key) => [key, "long"]))],
    ["an array", ["long"]],
  ])("leaves %s as it is", (_, sample) => {
    const text = jsonText(sample, 4);
    expect(setAside(text)).toEqual([]);
    expect(whole(text)).toBe(JSON.stringify(sample, null, 2));
  });

  it("falls back to a copy where there is a cycle, a BigInt or a throwing getter", () => {
    const cycle: Record<string, unknown> = { a: "long" };
    cycle.self = cycle;
    expect(whole(jsonText(cycle, 4))).toBe(JSON.stringify({ a: "long", self: "[circular]" }, null, 2));
    expect(whole(jsonText({ a: "long", b: 5n }, 4))).toBe(JSON.stringify({ a: "long", b: "5" }, null, 2));
    const throwing = {
      a: "long",
      get b(): never {
        throw new Error("no");
      },
    };
    expect(whole(jsonText(throwing, 4))).toBe(JSON.stringify({ a: "long", b: "[unreadable]" }, null, 2));
  });

  it("is undefined for what is not JSON", () => {
    expect(jsonText(undefined)).toBeUndefined();
    expect(jsonText(() => 1)).toBeUndefined();
  });

  it("holds more than one string can", () => {
    const quarter = "x".repeat(150_000_000);
    const text = jsonText({ a: quarter, b: quarter, c: quarter, d: quarter }) ?? [];
    expect(minJsonUnits(text)).toBeGreaterThan(600_000_000);
    expect(jsonHead(text, 20)).toMatch(/^\{\n {2}"a": "x{21}$/u);
    expect(jsonTail(text, 4)).toMatch(/^x*"\n\}$/u);
  });
});

describe("jsonHead and jsonTail", () => {
  it("are the ends of the JSON, of at least so many units, without half an escape or half a pair", () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 20 }), fc.nat(60), (sample, long, units) => {
        const json = JSON.stringify(sample, null, 2);
        const text = jsonText(sample, long) ?? [];
        const head = jsonHead(text, units);
        const tail = jsonTail(text, units);
        expect(json.startsWith(head)).toBe(true);
        expect(json.endsWith(tail)).toBe(true);
        expect(Math.min(head.length, tail.length)).toBeGreaterThanOrEqual(Math.min(units, json.length));
        const before = json.slice(0, json.length - tail.length);
        expect((/\\*$/u.exec(before)?.[0].length ?? 0) % 2).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });
});
