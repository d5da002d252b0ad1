import { conformant } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { heldCopy, ParamsTooLarge } from "../../src/json.ts";
import { sampleTool } from "../samples.ts";

function levels(count: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < count; level += 1) value = { value };
  return value;
}

function keys(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
}

describe("heldCopy", () => {
  it.each<[string, unknown, unknown]>([
    ["values in a list", Array(10_000).fill(1), Array(10_001).fill(1)],
    ["values in all", [Array(4998).fill(1), Array(5000).fill(1)], [Array(5000).fill(1), Array(5000).fill(1)]],
    ["keys in one object", keys(1000), keys(1001)],
    ["levels", levels(32), levels(33)],
    ["units of strings", "x".repeat(1 << 26), "x".repeat((1 << 26) + 1)],
    ["bytes of strings", "é".repeat(1 << 25), "é".repeat((1 << 25) + 1)],
  ])("draws the line at %s", (_, largest, tooLarge) => {
    expect(heldCopy(largest)).toEqual(largest);
    expect(() => heldCopy(tooLarge)).toThrow(ParamsTooLarge);
  });
});

describe("parameters that are too large", () => {
  let reads = 0;
  const many = new Proxy(
    {},
    {
      ownKeys: () => Array.from({ length: 200_000 }, (_, index) => `k${index}`),
      getOwnPropertyDescriptor: () => {
        reads += 1;
        return { value: 1, enumerable: true, configurable: true };
      },
      get: () => {
        reads += 1;
        return 1;
      },
    },
  );
  const holes: unknown[] = [];
  holes.length = 300_000_000;
  const buffer = new Uint8Array(50_000_000);

  it.each<[string, unknown]>([
    ["300,000 unknown keys", keys(300_000)],
    ["2,000,000 numbers", { pattern: "x", ignore: Array(2_000_000).fill(1) }],
    ["a list of 3e8 holes", { pattern: "x", ignore: holes }],
    ["such a list by itself", holes],
    ["a proxy of 200,000 keys", many],
    ["such a proxy inside", { pattern: many }],
    ["a buffer of 50 MB", { pattern: buffer }],
    ["such a buffer by itself", buffer],
    ["100,000 levels", { pattern: levels(100_000) }],
    ["a string of 65 MiB", { pattern: "x".repeat(65 << 20) }],
    ["that string by itself", "x".repeat(65 << 20)],
    ["20,000 values as one string", JSON.stringify({ pattern: Array(20_000).fill("a") })],
    ["33 levels as one string", `{"pattern":${"[".repeat(33)}${"]".repeat(33)}}`],
  ])("are refused without being walked: %s", async (_, params) => {
    reads = 0;
    const response = conformant(await sampleTool().run(params));
    expect(response.error).toEqual({ code: "INVALID_PARAM", message: "Parameters are too large." });
    expect(response.context.params_input).toMatchObject({ truncated: true });
    expect(response.context.params_input).toHaveProperty("bytes");
    expect(response.text).toBe(
      "Parameters are too large. Pass at most 10000 values, 1000 keys in one object, 32 levels and 64 MiB of strings.",
    );
    expect(reads).toBe(0);
  });

  it("are told from ones that are only wrong", async () => {
    const json = JSON.stringify(Array(20_000).fill("a"));
    expect(conformant(await sampleTool().run({ pattern: "x", limit: json })).error?.message).toContain("limit");
  });
});
