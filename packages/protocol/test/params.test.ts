import { conformant } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../src/index.ts";
import { found, sampleTool } from "./samples.ts";

const tool = sampleTool();

describe("parameters", () => {
  it.each<[string, unknown]>([
    ["an object", { length: { toString: 1 } }],
    ["an object without a prototype", { length: { __proto__: null } }],
    ["a list", { length: [{ toString: 1 }] }],
  ])("takes no harm from a value whose length is %s", async (_, path) => {
    const strict = defineTool({
      name: "Open",
      description: "Opens.",
      input: z.object({ path: z.string("path must be a string.").min(1) }),
      run: found,
    });
    const { error, text } = conformant(await strict.run({ path }));
    expect(error).toEqual({ code: "INVALID_PARAM", message: "path must be a string." });
    expect(text).toContain("You passed");
  });

  it.each<[string, unknown, string]>([
    ["a missing one", {}, "Missing required parameter 'pattern'."],
    ["null for a required one", { pattern: null }, "Missing required parameter 'pattern'."],
    ["undefined for a required one", { pattern: undefined }, "Missing required parameter 'pattern'."],
    ["null parameters", null, "Missing required parameter 'pattern'."],
    ["undefined parameters", undefined, "Missing required parameter 'pattern'."],
    ["a wrong type", { pattern: "x", path: 3 }, "path must be a string."],
    ["a wrong type of a required one", { pattern: 3 }, "pattern must be a string."],
    ["a value below the range", { pattern: "x", limit: 0 }, "limit must be an integer between 1 and 200."],
    ["a value above the range", { pattern: "x", limit: 201 }, "limit must be an integer between 1 and 200."],
    ["a fraction", { pattern: "x", limit: 1.5 }, "limit must be an integer between 1 and 200."],
    ["a number in a string", { pattern: "x", limit: "5" }, "limit must be an integer between 1 and 200."],
    ["NaN", { pattern: "x", limit: NaN }, "limit must be an integer between 1 and 200."],
    ["a BigInt", { pattern: "x", limit: 5n }, "limit must be an integer between 1 and 200."],
    ["a string for a boolean", { pattern: "x", include_hidden: "true" }, "include_hidden must be a boolean."],
    ["a string for a list", { pattern: "x", ignore: "*.log" }, "ignore must be a list of glob patterns."],
    ["a wrong item in a list", { pattern: "x", ignore: ["a", 1] }, "ignore must be a list of glob patterns."],
    ["a value that JSON drops", { pattern: { toJSON: () => undefined } }, "pattern must be a string."],
    ["a symbol", { pattern: Symbol("x") }, "pattern must be a string."],
    ["a function", { pattern: () => "x" }, "pattern must be a string."],
    ["two wrong ones, in schema order", { limit: 0, path: 1, pattern: "x" }, "path must be a string."],
    [
      "a known one before an unknown one",
      { zzzzzz: 1, pattern: "x", limit: 0 },
      "limit must be an integer between 1 and 200.",
    ],
    ["an alias", { pattern: "x", offset: 1 }, "Unknown parameter 'offset'. Did you mean 'start_line'?"],
    [
      "an alias given as null",
      { pattern: "x", offset: null },
      "Unknown parameter 'offset'. Did you mean 'start_line'?",
    ],
    ["a slip of the pen", { pattern: "x", limt: 1 }, "Unknown parameter 'limt'. Did you mean 'limit'?"],
    ["an edit distance of 2", { pattern: "x", lmt: 1 }, "Unknown parameter 'lmt'. Did you mean 'limit'?"],
    ["camel case", { pattern: "x", startLine: 1 }, "Unknown parameter 'startLine'. Did you mean 'start_line'?"],
    ["upper case", { pattern: "x", LIMIT: 1 }, "Unknown parameter 'LIMIT'. Did you mean 'limit'?"],
    [
      "an edit distance over 2",
      { pattern: "x", lt: true },
      "Unknown parameter 'lt'. Known parameters: path, pattern, start_line, limit, include_hidden, ignore.",
    ],
    [
      "an alias of a parameter that the tool lacks",
      { pattern: "x", nothing: true },
      "Unknown parameter 'nothing'. Known parameters: path, pattern, start_line, limit, include_hidden, ignore.",
    ],
    [
      "a name that every object inherits",
      { pattern: "x", constructor: 1 },
      "Unknown parameter 'constructor'. Known parameters: path, pattern, start_line, limit, include_hidden, ignore.",
    ],
    [
      "__proto__",
      JSON.parse('{"pattern": "x", "__proto__": {"limit": 5}}'),
      "Unknown parameter '__proto__'. Known parameters: path, pattern, start_line, limit, include_hidden, ignore.",
    ],
    [
      "the first of two unknown ones",
      { pattern: "x", limt: 1, offset: 1 },
      "Unknown parameter 'limt'. Did you mean 'limit'?",
    ],
    ["a name that forges a line", { pattern: "x", "limt\n": 1 }, "Unknown parameter 'limt\\n'. Did you mean 'limit'?"],
    ["a string", '{"pattern": "x"}', "Parameters must be an object."],
    ["an array", [{ pattern: "x" }], "Parameters must be an object."],
    ["a function as parameters", () => ({}), "Parameters must be an object."],
    ["a number", 5, "Parameters must be an object."],
  ])("answers %s with one exact sentence", async (_, params, message) => {
    const response = conformant(await tool.run(params));
    expect(response).toMatchObject({ status: "error", data: {}, error: { code: "INVALID_PARAM", message } });
  });

  it.each<[string, unknown, string]>([
    [
      "a wrong value",
      { pattern: "x", limit: 500 },
      "You passed 500. Correct 'limit' or leave it out (default 100), and call Find again.",
    ],
    ["a wrong required value", { pattern: [1] }, "You passed [1]. Correct 'pattern', and call Find again."],
    [
      "a default of null",
      { pattern: "x", ignore: 1 },
      "You passed 1. Correct 'ignore' or leave it out, and call Find again.",
    ],
    ["a missing one", {}, "Call Find again with 'pattern': What to look for."],
    [
      "a missing one under another name",
      { glob: "*" },
      "Unknown parameter 'glob'. Did you mean 'pattern'? Call Find again with 'pattern' instead of 'glob'.",
    ],
    ["an unknown one", { pattern: "x", offset: 1 }, "Call Find again with 'start_line' instead of 'offset'."],
    ["an unknown one like no other", { pattern: "x", recursive: 1 }, "Call Find again without 'recursive'."],
  ])("says what to call next after %s", async (_, params, hint) => {
    const { text } = conformant(await tool.run(params));
    expect(text.endsWith(` ${hint}`)).toBe(true);
  });

  it("takes null for an optional parameter as not given", async () => {
    let seen: unknown;
    const spy = sampleTool((input) => {
      seen = input;
      return found();
    });
    const params = { pattern: "x", path: null, limit: null, include_hidden: undefined, ignore: null, other: undefined };
    expect(conformant(await spy.run(params)).status).toBe("success");
    expect(seen).toEqual({
      pattern: "x",
      path: ".",
      start_line: 1,
      limit: 100,
      include_hidden: false,
      ignore: null,
    });
  });

  it("names the parameter also where a schema has no words of its own", async () => {
    const wordless = defineTool({
      name: "Count",
      description: "Counts.",
      input: z.strictObject({ depth: z.int(), tags: z.array(z.string()).optional() }),
      run: found,
    });
    const wrong = conformant(await wordless.run({ depth: "x" }));
    const nested = conformant(await wordless.run({ depth: 1, tags: ["a", 2] }));
    expect(wrong.error?.message).toMatch(/^depth: /u);
    expect(nested.error?.message).toMatch(/^tags\.1: /u);
  });

  it("takes no known parameter for a misnamed one", async () => {
    const pair = defineTool({
      name: "Jump",
      description: "Jumps.",
      input: z.strictObject({ line: z.int(), lines: z.int().describe("How many.") }),
      run: found,
    });
    const { text } = conformant(await pair.run({ line: 1 }));
    expect(text).toBe("Missing required parameter 'lines'. Call Jump again with 'lines': How many.");
  });

  it("says so if a tool takes no parameters at all", async () => {
    const bare = defineTool({ name: "Now", description: "Tells.", input: z.strictObject({}), run: found });
    const response = conformant(await bare.run({ zone: "UTC" }));
    expect(response.error?.message).toBe("Unknown parameter 'zone'. Now takes no parameters.");
  });

  it("reads each parameter once", async () => {
    let reads = 0;
    const params = {
      get pattern() {
        reads += 1;
        return "x";
      },
    };
    await tool.run(params);
    expect(reads).toBe(1);
  });

  it("clips a long unknown name and a long wrong value", async () => {
    const byName = await tool.run({ pattern: "x", ["y".repeat(5000)]: 1 });
    const byValue = await tool.run({ pattern: "x", limit: "z".repeat(5000) });
    expect(byName.error?.message).toContain(`'${"y".repeat(200)}…'`);
    expect(byName.text.length).toBeLessThan(1000);
    expect(byValue.text.length).toBeLessThan(1000);
  });
});
