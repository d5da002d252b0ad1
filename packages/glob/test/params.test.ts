import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { globAliases } from "../src/params.ts";
import { createGlobTool } from "../src/tool.ts";

const MISSING = "Missing required parameter 'pattern'.";
const LIMIT = "limit must be an integer between 1 and 200.";

function tool() {
  return createGlobTool({ projectRoot: fixture({ a: "" }).root });
}

describe("parameters of Glob", () => {
  it.each<[object | null, string]>([
    [null, MISSING],
    [{}, MISSING],
    [{ pattern: null }, MISSING],
    [{ pattern: "" }, MISSING],
    [{ pattern: " \n\t" }, MISSING],
    [{ pattern: 1 }, "pattern must be a string."],
    [{ pattern: ["*"] }, "pattern must be a string."],
    [{ pattern: "x".repeat(4097) }, "pattern must be at most 4096 characters long."],
    [{ pattern: "😀".repeat(4097) }, "pattern must be at most 4096 characters long."],
    [{ pattern: "x".repeat(10_000_000) }, "pattern must be at most 4096 characters long."],
    [{ pattern: "a\0b" }, "pattern must not contain a NUL byte."],
    [{ pattern: "*", path: 1 }, "path must be a string."],
    [{ pattern: "*", limit: 0 }, LIMIT],
    [{ pattern: "*", limit: 201 }, LIMIT],
    [{ pattern: "*", limit: 1.5 }, LIMIT],
    [{ pattern: "*", limit: "many" }, LIMIT],
    [{ pattern: "*", offset: -1 }, "offset must be a non-negative integer."],
    [{ pattern: "*", offset: "x" }, "offset must be a non-negative integer."],
    [{ pattern: "*", include_hidden: "yes" }, "include_hidden must be a boolean."],
    [{ pattern: "*", include_ignored: 1 }, "include_ignored must be a boolean."],
    // Known parameters first, in the order of the schema.
    [{ limit: 0, globb: "*" }, MISSING],
    [{ pattern: "*", limit: 0, globb: "*" }, LIMIT],
  ])("%.80j is refused: %s", async (params, message) => {
    const response = await tool().run(params);
    expect(response.error).toEqual({ code: "INVALID_PARAM", message });
    expect(response.text.startsWith(message)).toBe(true);
  });

  it.each([
    [{ pattern: "*" }],
    [{ pattern: "*", path: null, limit: null, include_hidden: null, include_ignored: null }],
    [{ pattern: "*", path: "", limit: 200, include_hidden: true, include_ignored: true }],
  ])("%j is fine", async (params) => {
    expect(await tool().run(params)).toMatchObject({ status: "success", data: { paths: ["a"] } });
  });

  it.each(["x".repeat(4096), "😀".repeat(4096)])("a pattern of 4096 characters is fine", async (pattern) => {
    expect(await tool().run({ pattern })).toMatchObject({ status: "success", data: { paths: [] } });
  });

  it.each(Object.entries(globAliases))("a parameter '%s' is taken as '%s'", async (alias, name) => {
    const right: Record<string, unknown> = {
      path: ".",
      limit: 5,
      include_hidden: true,
      include_ignored: true,
      offset: 0,
    };
    const { text } = await tool().run(name === "pattern" ? { [alias]: "*" } : { pattern: "*", [alias]: right[name] });
    expect(text).toContain(`\nNote: '${alias}' was taken as '${name}'.\n\na`);
  });

  it.each([
    ["recursive", "Put '**/' in front of 'pattern' to search below 'path'."],
    ["maxDepth", "Write one '*/' for each level in 'pattern'."],
    ["exclude", "Narrow 'pattern' or 'path' instead."],
    ["case_sensitive", "Case always matters; write '[aA]' for either."],
  ])("says what to do instead of %s", async (name, instead) => {
    const response = await tool().run({ pattern: "*", [name]: true });
    expect(response.error).toEqual({ code: "INVALID_PARAM", message: `Unknown parameter '${name}'. ${instead}` });
  });

  it("has a JSON Schema that models and providers take", () => {
    expect(tool().jsonSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "include_hidden": {
            "default": false,
            "description": "If true, include hidden files and directories.",
            "type": "boolean",
          },
          "include_ignored": {
            "default": false,
            "description": "If true, traverse ignored directories (node_modules, dist, etc).",
            "type": "boolean",
          },
          "limit": {
            "default": 50,
            "description": "Max matches to return (1-200).",
            "maximum": 200,
            "minimum": 1,
            "type": "integer",
          },
          "offset": {
            "default": 0,
            "description": "Matches to skip.",
            "minimum": 0,
            "type": "integer",
          },
          "path": {
            "default": ".",
            "description": "Directory to start search from (relative to project root).",
            "type": "string",
          },
          "pattern": {
            "description": "Glob pattern relative to the search root (path), e.g. '**/*.js'.",
            "type": "string",
          },
        },
        "required": [
          "pattern",
        ],
        "type": "object",
      }
    `);
  });
});
