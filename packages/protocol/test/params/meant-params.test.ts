import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { meantParams } from "../../src/params/meant-params.ts";
import { parseParams } from "../../src/params/parse-params.ts";

const rules = {
  name: "Sample",
  input: z.strictObject({
    path: z.string().min(1),
    limit: z.int().min(1).max(200).default(100),
    hidden: z.boolean().default(false),
    ignore: z.array(z.string()).nullable().default(null),
  }),
  aliases: { file: "path" },
};

/** The result: the input, or the error. */
function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("meantParams", () => {
  it("returns valid parameters unchanged, so that the fast path may skip it", () => {
    const text = fc.string({ maxLength: 3 });
    const any = fc.oneof(text, fc.integer({ min: -1, max: 300 }), fc.boolean(), fc.constant(null), fc.object());
    const mostly = (good: fc.Arbitrary<unknown>) =>
      fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: any });
    const exact = fc.record(
      {
        limit: mostly(fc.integer({ min: 0, max: 201 })),
        path: mostly(text),
        ignore: mostly(fc.array(mostly(text))),
        hidden: mostly(fc.boolean()),
      },
      { requiredKeys: ["path"] },
    );
    const others = fc.record({ file: any, Limit: any, unknown: any }, { requiredKeys: [] });
    let understood = 0;
    fc.assert(
      fc.property(exact, fc.option(others, { nil: {} }), (call, more) => {
        const entries = Object.entries({ ...call, ...more });
        const parsed = outcomeOf(() => parseParams({ paramsInput: {}, entries }, rules));
        expect(parsed).toEqual(outcomeOf(() => meantParams(entries, rules)));
        if (!(parsed instanceof Error)) understood += 1;
      }),
      { numRuns: 2000 },
    );
    expect(understood).toBeGreaterThan(50);
  });

  it("keeps the schema's order, whatever the caller's", () => {
    const entries = [
      ["limit", 5],
      ["hidden", null],
      ["path", "a"],
    ] as const;
    const { given } = parseParams({ paramsInput: {}, entries }, rules);
    expect(JSON.stringify(given)).toBe('{"path":"a","limit":5}');
    expect(JSON.stringify(meantParams(entries, rules).given)).toBe('{"path":"a","limit":5}');
  });
});
