import { describe, expect, it } from "vitest";
import { isToolResponse, isTruncatorData, toolResponseSchema } from "../src/envelope.ts";
import { ENVELOPES } from "./samples.ts";

const { failure, ls, read, truncated, truncatedFailure } = ENVELOPES;

describe("toolResponseSchema", () => {
  it.each(Object.entries(ENVELOPES))("accepts a correct envelope: %s", (_, envelope) => {
    expect(toolResponseSchema.safeParse(envelope).error).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["another top-level key", { ...read, version: 1 }],
    ["error: null", { ...read, error: null }],
    ["an error on a partial answer", { ...ls, error: failure.error }],
    ["no error on an error", { ...read, status: "error", data: {} }],
    ["a string as error", { ...failure, error: "Error: boom" }],
    ["an unknown status", { ...read, status: "ok" }],
    ["data: null", { ...read, data: null }],
    ["an array as data", { ...read, data: [] }],
    ["a truncated success", { ...ls, status: "success" }],
    ["a success that wrote nothing", { ...ENVELOPES.dryRun, status: "success" }],
    ["an error truncated by a tool", { ...failure, data: { truncated: true } }],
    ["fractional time_ms", { ...read, stats: { time_ms: 1.5 } }],
    ["no time_ms", { ...read, stats: {} }],
    ["an object among the stats", { ...read, stats: { time_ms: 1, more: {} } }],
    ["no cwd", { ...read, context: { params_input: {} } }],
    ["an empty cwd", { ...read, context: { cwd: "", params_input: {} } }],
    ["an empty text", { ...read, text: "" }],
    ["no params_input", { ...read, context: { cwd: "." } }],
    ["null", null],
  ])("refuses %s", (_, value) => {
    expect(toolResponseSchema.safeParse(value).success).toBe(false);
  });
});

describe("isToolResponse", () => {
  it("does not throw on a value that does", () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("no");
        },
      },
    );
    expect(isToolResponse(hostile)).toBe(false);
    expect(isToolResponse(read)).toBe(true);
  });
});

describe("isTruncatorData", () => {
  it("asks for a truncation object and a preview string", () => {
    expect(isTruncatorData(truncated.data)).toBe(true);
    expect(isTruncatorData(truncatedFailure.data)).toBe(true);
    expect(isTruncatorData({ truncation: {}, preview: 1 })).toBe(false);
    expect(isTruncatorData({ truncation: null, preview: "" })).toBe(false);
    expect(isTruncatorData({ truncated: true, content: "" })).toBe(false);
  });
});
