import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { lsAliases } from "../src/params.ts";
import { createLsTool } from "../src/tool.ts";

const PATH = "path must be a string.";
const OFFSET = "offset must be a non-negative integer.";
const LIMIT = "limit must be an integer between 1 and 200.";
const HIDDEN = "include_hidden must be a boolean.";
const IGNORE = "ignore must be a list of glob patterns.";

function tool() {
  return createLsTool({ projectRoot: fixture({ a: "" }).root });
}

describe("parameters of LS", () => {
  it.each<[object, string]>([
    [{ path: 1 }, PATH],
    [{ path: ["a"] }, PATH],
    [{ offset: -1 }, OFFSET],
    [{ offset: 1.5 }, OFFSET],
    [{ offset: "-1" }, OFFSET],
    [{ offset: Number.NaN }, OFFSET],
    [{ offset: 2 ** 60 }, OFFSET],
    [{ limit: 0 }, LIMIT],
    [{ limit: 201 }, LIMIT],
    [{ limit: 1.5 }, LIMIT],
    [{ limit: "ten" }, LIMIT],
    [{ limit: true }, LIMIT],
    [{ include_hidden: "yes" }, HIDDEN],
    [{ include_hidden: 1 }, HIDDEN],
    [{ ignore: [1] }, IGNORE],
    [{ ignore: ["a", null] }, IGNORE],
    [{ ignore: {} }, IGNORE],
    [{ ignore: ["x".repeat(16_385)] }, "ignore must be a list of glob patterns of at most 16384 characters in all."],
    [{ ignore: Array.from({ length: 201 }, () => "*a*b*") }, "ignore must be a list of at most 200 glob patterns."],
    [{ ignore: Array.from({ length: 3000 }, () => "*a*b*") }, "ignore must be a list of at most 200 glob patterns."],
    // Known parameters first, in the order of the schema.
    [{ limit: 0, offset: -1, whatever: 1 }, OFFSET],
  ])("%.80j is refused: %s", async (params, message) => {
    const response = await tool().run(params);
    expect(response.error).toEqual({ code: "INVALID_PARAM", message });
    expect(response.text.startsWith(message)).toBe(true);
  });

  it.each<[object | null | undefined]>([
    [{}],
    [null],
    [undefined],
    [{ path: null, offset: null, limit: null, include_hidden: null, ignore: null }],
    [{ path: "", offset: 0, limit: 200, include_hidden: true, ignore: [] }],
    [{ offset: "0", limit: "10", include_hidden: "true", ignore: "*.log" }],
  ])("%j is fine", async (params) => {
    expect(await tool().run(params)).toMatchObject({ status: "success", data: { entries: [{ path: "a" }] } });
  });

  it.each(Object.entries(lsAliases))("a parameter '%s' is taken as '%s'", async (alias, name) => {
    const right: Record<string, unknown> = { path: ".", offset: 0, limit: 5, include_hidden: true, ignore: ["x"] };
    const { text } = await tool().run({ [alias]: right[name] });
    expect(text).toContain(`\nNote: '${alias}' was taken as '${name}'.\n\na`);
  });

  it.each([
    ["recursive", undefined, "LS lists one directory. Use Glob with pattern '**' to see what is below it."],
    ["maxDepth", ["LS", "Glob"], "LS lists one directory. Use Glob with pattern '**' to see what is below it."],
    ["recursive", ["LS"], "LS lists one directory. Call it for each one."],
  ])("says what to do instead of %s, given the tools %j", async (name, siblings, instead) => {
    const { root } = fixture({ a: "" });
    const response = await createLsTool({ projectRoot: root, ...(siblings && { siblings }) }).run({ [name]: true });
    expect(response.error).toEqual({ code: "INVALID_PARAM", message: `Unknown parameter '${name}'. ${instead}` });
  });

  it("has a JSON Schema that models and providers take", () => {
    expect(tool().jsonSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "ignore": {
            "default": null,
            "description": "Optional list of glob patterns to ignore.",
            "items": {
              "type": "string",
            },
            "type": "array",
          },
          "include_hidden": {
            "default": false,
            "description": "Whether to include hidden files (starting with '.').",
            "type": "boolean",
          },
          "limit": {
            "default": 100,
            "description": "Max items to return (1-200).",
            "maximum": 200,
            "minimum": 1,
            "type": "integer",
          },
          "offset": {
            "default": 0,
            "description": "Pagination start index (>=0).",
            "minimum": 0,
            "type": "integer",
          },
          "path": {
            "default": ".",
            "description": "Directory path to list (relative to project root or absolute within it).",
            "type": "string",
          },
          "sort": {
            "default": "name",
            "description": "Largest or newest first.",
            "enum": [
              "name",
              "size",
              "modified",
            ],
            "type": "string",
          },
        },
        "required": [],
        "type": "object",
      }
    `);
  });
});
