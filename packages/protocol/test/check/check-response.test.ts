import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkResponse, toolResponseSchema } from "../../src/index.ts";
import { CATEGORY_OF, ENVELOPES } from "../samples.ts";

const categories: Readonly<Record<string, "ls" | "glob" | "grep" | "read" | "edit" | undefined>> = CATEGORY_OF;

describe("checkResponse", () => {
  // Rule: `checkResponse` accepts every correct envelope and never throws.
  it.each(Object.entries(ENVELOPES))(
    "accepts a correct envelope, with and without its category: %s",
    (name, envelope) => {
      expect(checkResponse(envelope)).toEqual([]);
      expect(checkResponse(envelope, { category: categories[name] })).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a string", "text"],
    ["a list", []],
    ["a function", () => undefined],
  ])("reports what is not an object at all: %s", (_, value) => {
    expect(checkResponse(value)).toEqual([
      { rule: "envelope/not-an-object", severity: "error", path: "", message: "An answer must be an object." },
    ]);
  });

  it("reports an object that throws when read", () => {
    const hostile = {
      ...ENVELOPES.read,
      get data(): never {
        throw new Error("no");
      },
    };
    expect(checkResponse(hostile).map(({ rule }) => rule)).toEqual(["envelope/unreadable"]);
  });

  it("reports every place, not only the first", () => {
    const rules = checkResponse({ status: "done", data: null, extra: 1 }).map(({ rule, path }) => `${rule} ${path}`);
    expect(rules).toEqual([
      "envelope/status /status",
      "envelope/data /data",
      "envelope/missing-key /text",
      "envelope/missing-key /stats",
      "envelope/missing-key /context",
      "envelope/unknown-key /extra",
    ]);
  });

  it("never throws, whatever comes in", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }), (value) => {
        expect(Array.isArray(checkResponse(value))).toBe(true);
      }),
    );
  });

  it("never throws on an envelope with anything in one of its places, and finds no fewer errors than the schema", () => {
    const place = fc.constantFrom("status", "data", "text", "error", "stats", "context");
    const envelope = fc.constantFrom(...Object.values(ENVELOPES));
    fc.assert(
      fc.property(envelope, place, fc.anything(), fc.boolean(), (sample, key, value, remove) => {
        const others = Object.entries(sample).filter(([name]) => name !== key);
        const broken = Object.fromEntries(remove ? others : [...others, [key, value]]);
        const errors = checkResponse(broken).filter(({ severity }) => severity === "error");
        if (errors.length === 0) expect(toolResponseSchema.safeParse(broken).error).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });
});
