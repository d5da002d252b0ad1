import { conformant } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool, ToolError } from "../../src/index.ts";
import { found, sampleTool } from "../samples.ts";

const tool = sampleTool();

// Rule: An unknown parameter names the right one: alias, edit distance of at most 2, else all known ones.
describe("parameters", () => {
  it.each<[string, unknown]>([
    ["an object", { length: { toString: 1 } }],
    ["an object without a prototype", { length: { __proto__: null } }],
    ["a list", { length: [{ toString: 1 }] }],
  ])("survives a value whose length is %s", async (_, path) => {
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

  it("survives a list with a value that throws whatever is asked of it", async () => {
    const refuse = () => {
      throw new Error("No.");
    };
    const value = new Proxy({}, { get: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse });
    const lists = defineTool({
      name: "Open",
      description: "Opens.",
      input: z.object({ paths: z.array(z.string(), "paths must be a list.").optional() }),
      run: found,
    });
    for (const paths of [[value], ["a", value], new Proxy([], { get: refuse })]) {
      expect(conformant(await lists.run({ paths })).error?.code).toBe("INVALID_PARAM");
    }
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
    ["a word for a number", { pattern: "x", limit: "ten" }, "limit must be an integer between 1 and 200."],
    ["a number out of range in a string", { pattern: "x", limit: "0" }, "limit must be an integer between 1 and 200."],
    ["a fraction in a string", { pattern: "x", limit: "1.5" }, "limit must be an integer between 1 and 200."],
    ["a hexadecimal number", { pattern: "x", limit: "0x10" }, "limit must be an integer between 1 and 200."],
    ["an empty string for a number", { pattern: "x", limit: "" }, "limit must be an integer between 1 and 200."],
    ["a list of one number for a number", { pattern: "x", limit: [5] }, "limit must be an integer between 1 and 200."],
    ["a number for a boolean", { pattern: "x", include_hidden: 1 }, "include_hidden must be a boolean."],
    ["another word for a boolean", { pattern: "x", include_hidden: "yes" }, "include_hidden must be a boolean."],
    ["a parameter and its alias", { pattern: "x", glob: "y" }, "pattern is given twice, as 'pattern' and as 'glob'."],
    ["two aliases", { Glob: "x", glob: "y" }, "pattern is given twice, as 'Glob' and as 'glob'."],
    [
      "a name that is listed as not a parameter",
      { pattern: "x", endLine: 9 },
      "Unknown parameter 'endLine'. Pass limit=… instead.",
    ],
    ["NaN", { pattern: "x", limit: NaN }, "limit must be an integer between 1 and 200."],
    ["a BigInt", { pattern: "x", limit: 5n }, "limit must be an integer between 1 and 200."],
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
    ["a typo", { pattern: "x", limt: 1 }, "Unknown parameter 'limt'. Did you mean 'limit'?"],
    ["an edit distance of 2", { pattern: "x", lmt: 1 }, "Unknown parameter 'lmt'. Did you mean 'limit'?"],
    ["another case, and a typo", { pattern: "x", LIMT: 1 }, "Unknown parameter 'LIMT'. Did you mean 'limit'?"],
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
      { pattern: "x", limt: 1, ptah: 1 },
      "Unknown parameter 'limt'. Did you mean 'limit'?",
    ],
    ["a name that forges a line", { pattern: "x", "limt\n": 1 }, "Unknown parameter 'limt\\n'. Did you mean 'limit'?"],
    ["a string", "pattern=x", "Parameters must be an object."],
    ["an array", [{ pattern: "x" }], "Parameters must be an object."],
    ["a function as parameters", () => ({}), "Parameters must be an object."],
    ["a number", 5, "Parameters must be an object."],
  ])("answers %s with one exact sentence", async (_, params, message) => {
    const response = conformant(await tool.run(params));
    expect(response).toMatchObject({ status: "error", data: {}, error: { code: "INVALID_PARAM", message } });
  });

  it.each<[string, unknown, string]>([
    ["a wrong value", { pattern: "x", limit: 500 }, "You passed 500. Correct 'limit' or leave it out (default 100)."],
    ["a wrong required value", { pattern: [1] }, "You passed [1]. Correct 'pattern'."],
    ["a default of null", { pattern: "x", ignore: 1 }, "You passed 1. Correct 'ignore' or leave it out."],
    ["a missing one", {}, "Pass 'pattern': What to look for."],
    ["two names of one", { pattern: "x", glob: "y" }, "Pass 'pattern' alone."],
    [
      "parameters that are not an object",
      [],
      "Pass a JSON object. Known parameters: path, pattern, start_line, limit, include_hidden, ignore.",
    ],
    ["an unknown one", { pattern: "x", limt: 1 }, "Pass 'limit' instead of 'limt'."],
    ["an unknown one like no other", { pattern: "x", recursive: 1 }, "Leave 'recursive' out."],
  ])("says what to call next after %s", async (_, params, hint) => {
    const { text } = conformant(await tool.run(params));
    expect(text.endsWith(` ${hint}`)).toBe(true);
  });

  it("names all problems at once, each with what to pass instead", async () => {
    const { error, text } = conformant(await tool.run({ limt: 1, limit: 0, path: 1, wild: 2 }));
    expect(error?.message).toBe("path must be a string.");
    expect(text).toBe(
      [
        `path must be a string. You passed 1. Correct 'path' or leave it out (default ".").`,
        "Missing required parameter 'pattern'. Pass 'pattern': What to look for.",
        "limit must be an integer between 1 and 200. You passed 0. Correct 'limit' or leave it out (default 100).",
        "Unknown parameter 'limt'. Did you mean 'limit'? Pass 'limit' instead of 'limt'.",
        "Unknown parameter 'wild'. Known parameters: path, pattern, start_line, limit, include_hidden, ignore. Leave 'wild' out.",
      ].join("\n"),
    );
  });

  it("names ten problems at most", async () => {
    const unknown = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown_name_${index}`, 1]));
    const { text } = conformant(await tool.run({ pattern: "x", ...unknown }));
    expect(text.split("\n")).toHaveLength(11);
    expect(text.endsWith("\n(40 more problems.)")).toBe(true);
  });

  // Rule: `null` for an optional parameter means not given; for a required one, missing.
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

  it.each(["input", "in", "n", "number"])(
    "names the parameter '%s', though zod's sentence has these letters",
    async (name) => {
      const input = z.strictObject({ [name]: z.number() });
      const wordless = defineTool({ name: "Count", description: "Counts.", input, run: found });
      const { error } = conformant(await wordless.run({ [name]: "x" }));
      expect(error?.message).toBe(`${name}: Invalid input: expected number, received string`);
    },
  );

  it.each([
    ["n must be odd.", "n must be odd."],
    ["Missing required parameter 'n'.", "Missing required parameter 'n'."],
    ["Pass either n or m, not both.", "Pass either n or m, not both."],
    ["Pass one that is not even.", "n: Pass one that is not even."],
  ])("names the parameter once, where a schema says %j", async (own, message) => {
    const input = z.strictObject({ n: z.number().refine((value) => value % 2 === 1, own) });
    const tool = defineTool({ name: "Count", description: "Counts.", input, run: found });
    expect(conformant(await tool.run({ n: 2 })).error?.message).toBe(message);
  });

  it("does not take a known parameter for a misspelt one", async () => {
    const pair = defineTool({
      name: "Jump",
      description: "Jumps.",
      input: z.strictObject({ line: z.int(), lines: z.int().describe("How many.") }),
      run: found,
    });
    const { text } = conformant(await pair.run({ line: 1 }));
    expect(text).toBe("Missing required parameter 'lines'. Pass 'lines': How many.");
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

  it("words what to do instead by the tools that the model has", async () => {
    const notParameters = {
      recursive: (has: (name: string) => boolean) => (has("Glob") ? "Use Glob." : "Go on by hand."),
    };
    const run = async (siblings?: string[]) =>
      (await sampleTool(found, { notParameters, siblings }).run({ pattern: "x", recursive: true })).error?.message;
    expect(await run()).toBe("Unknown parameter 'recursive'. Use Glob.");
    expect(await run(["LS"])).toBe("Unknown parameter 'recursive'. Go on by hand.");
  });

  it("neither lists nor suggests what is not advertised, but takes it", async () => {
    const quiet = sampleTool(found, { unadvertised: ["limit"] });
    const { error } = conformant(await quiet.run({ pattern: "x", limi: 5 }));
    expect(error?.message).toContain("Known parameters: path, pattern, start_line, include_hidden, ignore.");
    expect(conformant(await quiet.run({ pattern: "x", limit: 5 })).status).toBe("success");
  });

  it("ignores unknown parameters if it is told to", async () => {
    const response = conformant(await sampleTool(found, { ignoresUnknown: true }).run({ pattern: "x", wild: 1 }));
    expect(response.status).toBe("success");
    expect(response.context.params_input).toEqual({ pattern: "x", wild: 1 });
  });

  it("clips a long unknown name and a long wrong value", async () => {
    const byName = await tool.run({ pattern: "x", ["y".repeat(5000)]: 1 });
    const byValue = await tool.run({ pattern: "x", limit: "z".repeat(5000) });
    expect(byName.error?.message).toContain(`'${"y".repeat(200)}…'`);
    expect(byName.text.length).toBeLessThan(1000);
    expect(byValue.text.length).toBeLessThan(1000);
  });
});

describe("what was plainly meant", () => {
  async function understood(params: unknown): Promise<unknown> {
    let seen: Readonly<Record<string, unknown>> = {};
    const spy = sampleTool((input) => {
      seen = input;
      return Promise.resolve({ data: { paths: [] }, summary: () => ["Found."] });
    });
    const response = conformant(await spy.run(params));
    expect(response.status).toBe("success");
    expect(response.context.params_input).toEqual(params);
    const defaults = { path: ".", start_line: 1, limit: 100, include_hidden: false, ignore: null };
    return Object.fromEntries(
      Object.entries(seen).filter(([name, value]) => Reflect.get({ pattern: "x", ...defaults }, name) !== value),
    );
  }

  it.each<[string, object, object]>([
    ["an integer in a string", { limit: "5" }, { limit: 5 }],
    ["an integer with a point in a string", { limit: "5.0" }, { limit: 5 }],
    ["3.0", { limit: 3.0 }, { limit: 3 }],
    ["true in a string", { include_hidden: "true" }, { include_hidden: true }],
    ["one string for a list", { ignore: "*.log" }, { ignore: ["*.log"] }],
    ["a list in a string", { ignore: '["a", "b"]' }, { ignore: ["a", "b"] }],
    ["a list whose items don't fit stays a string", { ignore: "[1]" }, { ignore: ["[1]"] }],
    ["a list of which one item doesn't fit", { ignore: '["a", 1]' }, { ignore: ['["a", 1]'] }],
    ["JSON where a string is asked for", { path: "[1]" }, { path: "[1]" }],
    ["an integer where a string is asked for", { path: "5" }, { path: "5" }],
    ["another case", { LIMIT: 5 }, { limit: 5 }],
    ["camel case", { includeHidden: true }, { include_hidden: true }],
    ["an alias", { offset: 7 }, { start_line: 7 }],
    ["an alias in another case", { filePath: "a" }, { path: "a" }],
    ["an alias of what is given as null", { path: null, file_path: "a" }, { path: "a" }],
    ["an alias that is null itself", { path: "a", file_path: null }, { path: "a" }],
  ])("is done: %s", async (_, params, seen) => {
    expect(await understood({ pattern: "x", ...params })).toEqual(seen);
  });

  it("takes all parameters in one string of JSON", async () => {
    expect(await understood('{"pattern": "x", "limit": "5"}')).toEqual({ limit: 5 });
  });

  it("notes names that were taken for others, as the last lines before the first blank one", async () => {
    const listing = sampleTool(() =>
      Promise.resolve({ data: { paths: [] }, summary: () => ["Found."], notes: ["(1 hidden)"], body: "a\n\nb" }),
    );
    const { text } = conformant(await listing.run({ glob: "x", startLine: 3 }));
    expect(text).toBe(
      "Found.\n(1 hidden)\nNote: 'glob' was taken as 'pattern'.\nNote: 'startLine' was taken as 'start_line'.\n\na\n\nb",
    );
    expect(conformant(await sampleTool().run({ "pat\u200ctern": "x", pattern: "x" })).status).toBe("error");
    expect(conformant(await sampleTool().run({ GLOB: "x" })).text).toBe(
      "Found 1 file.\nNote: 'GLOB' was taken as 'pattern'.",
    );
  });

  it("notes them on an error too", async () => {
    const failing = sampleTool(() => Promise.reject(new ToolError("NOT_FOUND", "Gone.", { hint: "Look." })));
    expect(conformant(await failing.run({ glob: "x" })).text).toBe("Gone. Look.\nNote: 'glob' was taken as 'pattern'.");
  });

  it("notes them where parameters are refused, unless one was given twice", async () => {
    const refused = conformant(await sampleTool().run({ glob: 5 }));
    expect(refused.text).toMatch(/You passed 5\. .*\nNote: 'glob' was taken as 'pattern'\.$/u);
    expect(conformant(await sampleTool().run({ glob: "x", pattern: "x" })).text).not.toContain("was taken as");
  });

  it("gives the next call under proper names and types", async () => {
    const cut = { label: "Truncated", reason: "More.", next: "Go on.", change: { start_line: 2 } } as const;
    const paged = sampleTool(async () => ({ ...(await found()), discounts: [cut] }));
    const { context } = conformant(await paged.run({ limit: "5", ignore: "a", glob: "x" }));
    expect(context.next_call?.params).toEqual({ pattern: "x", start_line: 2, limit: 5, ignore: ["a"] });
  });

  describe("inside a list of objects", () => {
    const edit = z.strictObject({
      old_string: z.string(),
      new_string: z.string(),
      replace_all: z.boolean().default(false),
    });
    const batch = (edits: unknown) => {
      let seen: unknown;
      const tool = defineTool({
        name: "Batch",
        description: "Does.",
        input: z.strictObject({
          edits: z.array(edit, { error: "edits must be a list." }).min(1, "edits must be a list."),
        }),
        aliases: { old_str: "old_string", new_str: "new_string" },
        run: (input) => {
          seen = input.edits;
          return Promise.resolve({ data: {}, summary: () => ["Done."] });
        },
      });
      return tool.run({ edits }).then((response) => ({ response: conformant(response), seen }));
    };
    const meant = [{ old_string: "a", new_string: "b", replace_all: true }];

    it.each<[string, unknown]>([
      ["names", [{ old_str: "a", newStr: "b", replace_all: true }]],
      ["booleans", [{ old_string: "a", new_string: "b", replace_all: "true" }]],
      ["JSON", '[{"old_str": "a", "new_string": "b", "replaceAll": "true"}]'],
    ])("is done too: %s", async (_, edits) => {
      expect((await batch(edits)).seen).toEqual(meant);
    });

    it("takes null there as not given", async () => {
      const { seen } = await batch([{ old_string: "a", new_string: "b", replace_all: null }]);
      expect(seen).toEqual([{ old_string: "a", new_string: "b", replace_all: false }]);
    });

    it.each<[string, unknown, string]>([
      ["an unknown name", [{ ...meant[0], "x\ny": 1 }], "Unknown parameter 'x\\ny' in edits.0."],
      ["one object for a list", meant[0], "edits must be a list."],
      ["a list that lacks something", '[{"old_string": "a"}]', "edits.0.new_string: "],
      ["an empty list in a string", "[]", "edits must be a list."],
      ["a string", "a", "edits must be a list."],
    ])("is refused: %s", async (_, edits, message) => {
      expect((await batch(edits)).response.error?.message).toContain(message);
    });
  });
});
