import { describe, expect, it } from "vitest";
import { ToolError } from "../src/error.ts";
import { assertDiscountsExplained, nextChange, outcomeText } from "../src/tool.ts";
import { discountFields, errorResponse } from "../src/envelope.ts";
import { assigned } from "../src/text.ts";

const summary = (elapsedMs: number) => ["Found 2 files.", `(Took ${elapsedMs}ms)`];
const cut = { label: "Truncated", reason: "Showing first 2.", next: "Raise 'limit'." } as const;

describe("outcomeText", () => {
  it("is the summary alone if there is nothing else", () => {
    expect(outcomeText({ data: {}, summary }, 12)).toBe("Found 2 files.\n(Took 12ms)");
  });

  it("puts discounts, notes and body in their places", () => {
    const text = outcomeText({ data: {}, summary, discounts: [cut], notes: ["(1 hidden)"], body: "a\nb" }, 3);
    expect(text).toBe("Found 2 files.\n(Took 3ms)\n[Truncated: Showing first 2. Raise 'limit'.]\n(1 hidden)\n\na\nb");
  });

  it("writes the next step on its own line if asked to", () => {
    const text = outcomeText({ data: {}, summary: () => [], discounts: [{ ...cut, nextOnOwnLine: true }] }, 0);
    expect(text).toBe("[Truncated: Showing first 2.]\nRaise 'limit'.");
  });
});

describe("assigned", () => {
  it.each([
    [{ offset: 100 }, "offset=100"],
    [{ start_line: 5, start_column: 7 }, "start_line=5 start_column=7"],
    [{ include_hidden: true, path: "a\nb" }, "include_hidden=true path='a\\nb'"],
  ])("writes %o as %s", (change, words) => {
    expect(assigned(change)).toBe(words);
  });
});

describe("nextChange", () => {
  const more = { ...cut, change: { offset: 2 } };

  it("is that of the first discount that has one", () => {
    expect(nextChange({ data: {}, summary, discounts: [cut, more, { ...cut, change: { limit: 5 } }] })).toEqual({
      offset: 2,
    });
    expect(nextChange({ data: {}, summary, discounts: [cut] })).toBeUndefined();
    expect(nextChange({ data: {}, summary })).toBeUndefined();
  });

  it("is none where the work was stopped early", () => {
    const stopped = { ...cut, stoppedEarly: true };
    expect(nextChange({ data: {}, summary, discounts: [more, stopped] })).toBeUndefined();
  });
});

describe("assertDiscountsExplained", () => {
  // Rule: A partial answer without a reason and a next step cannot be built, nor a success whose `data` says that it
  // is partial.
  it.each([
    { ...cut, reason: " " },
    { ...cut, next: "" },
  ])("refuses a discount without a reason or a next step: %o", (discount) => {
    expect(() => {
      assertDiscountsExplained({ data: {}, summary, discounts: [discount] });
    }).toThrow(TypeError);
  });

  it.each([{ truncated: true }, { applied: false }, { fallback: "python" }, { aborted_reason: "time_limit" }])(
    "refuses data that makes an answer partial, without any discount: %o",
    (data) => {
      expect(() => {
        assertDiscountsExplained({ data, summary });
      }).toThrow(TypeError);
      assertDiscountsExplained({ data, summary, discounts: [cut] });
    },
  );

  it("accepts explained ones, and none", () => {
    assertDiscountsExplained({ data: {}, summary, discounts: [cut] });
    assertDiscountsExplained({ data: { truncated: false, applied: true }, summary });
  });
});

describe("discountFields", () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{}, []],
    [{ truncated: false, applied: true, failed_items: [], fallback: null, fallback_encoding: "" }, []],
    [{ truncated: true }, ["truncated"]],
    [{ applied: false }, ["applied"]],
    [{ failed_items: ["x"] }, ["failed_items"]],
    [{ fallback: "python", fallback_encoding: "replace" }, ["fallback", "fallback_encoding"]],
    [{ aborted_reason: "time_limit" }, ["aborted_reason"]],
  ])("finds in %o: %o", (data, fields) => {
    expect(discountFields(data)).toEqual(fields);
  });
});

describe("errorResponse", () => {
  it("is an envelope with the error's sentence and its hint", () => {
    const error = new ToolError("EXECUTION_ERROR", "The server cannot be reached.", { hint: "Repeat the call." });
    expect(errorResponse(error, { context: { cwd: ".", params_input: {} }, elapsedMs: 1.6 })).toEqual({
      status: "error",
      data: {},
      text: "The server cannot be reached. Repeat the call.",
      error: { code: "EXECUTION_ERROR", message: "The server cannot be reached." },
      stats: { time_ms: 2 },
      context: { cwd: ".", params_input: {} },
    });
  });
});
