import { conformant, fixture } from "@fstools/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { createGrepTool, grepDefinition } from "../src/index.ts";
import { grepAliases, grepParams } from "../src/params.ts";

let tool: ReturnType<typeof createGrepTool>;

beforeAll(() => {
  const { root } = fixture({ "a.ts": "one\n" });
  tool = createGrepTool({ projectRoot: root });
});

describe("parameters", () => {
  it.each([
    [{}, "Missing required parameter 'pattern'."],
    [{ pattern: "" }, "Missing required parameter 'pattern'."],
    [{ pattern: 5 }, "pattern must be a string."],
    [{ pattern: "x".repeat(4097) }, "pattern must be at most 4096 characters long."],
    [{ pattern: "a\0" }, "pattern must not contain a NUL byte."],
    [{ pattern: "a", path: 1 }, "path must be a string."],
    [{ pattern: "a", include: 1 }, "include must be a string if provided."],
    [{ pattern: "a", include: "../*" }, "include must not contain a '..' segment."],
    [{ pattern: "a", case_sensitive: "maybe" }, "case_sensitive must be a boolean."],
    [{ pattern: "a", literal: 2 }, "literal must be a boolean."],
    [{ pattern: "a", output_mode: "lines" }, 'output_mode must be "content", "files" or "count".'],
    [{ pattern: "a", context: 21 }, "context must be an integer between 0 and 20."],
    [{ pattern: "a", multiline: 1 }, "multiline must be a boolean."],
    [{ pattern: "a", limit: 0 }, "limit must be an integer between 1 and 200."],
    [{ pattern: "a", limit: 201 }, "limit must be an integer between 1 and 200."],
    [{ pattern: "a", offset: -1 }, "offset must be a non-negative integer."],
    [{ pattern: "a", sort: "size" }, 'sort must be "path" or "modified".'],
    [{ pattern: "a", include_hidden: 3 }, "include_hidden must be a boolean."],
    [{ pattern: "a", include_ignored: 3 }, "include_ignored must be a boolean."],
    [{ pattern: "a", pathh: "." }, "Unknown parameter 'pathh'. Did you mean 'path'?"],
  ])("%o: %s", async (params, message) => {
    const response = conformant(await tool.run(params), "grep");
    expect(response.error).toEqual({ code: "INVALID_PARAM", message });
    expect(response.text.startsWith(message)).toBe(true);
  });

  it.each([
    [{ pattern: "a", path: "nowhere" }, "NOT_FOUND", "Search root 'nowhere' does not exist."],
    [{ pattern: "a", path: "../x" }, "ACCESS_DENIED", "Access denied. Path must be within project root."],
  ])("%o: %s", async (params, code, message) => {
    expect(conformant(await tool.run(params), "grep").error).toEqual({ code, message });
  });

  it("takes what other tools call them", async () => {
    const response = conformant(
      await tool.run({ query: "ONE", glob: "*.ts", head_limit: "5", mode: "files_with_matches" }),
      "grep",
    );
    expect(response).toMatchObject({ status: "success", data: { matches: [{ file: "a.ts" }] } });
    expect(response.text).toContain("Note: 'query' was taken as 'pattern'.");
  });

  it("continues in its own words", async () => {
    const { root } = fixture({ a: "one", b: "one" });
    const params = { pattern: "one", output_mode: "files_with_matches", limit: 1 };
    const response = conformant(await createGrepTool({ projectRoot: root }).run(params), "grep");
    expect(response.context).toMatchObject({
      next_call: { tool: "Grep", params: { pattern: "one", output_mode: "files", limit: 1, offset: 1 } },
    });
    expect(response.text).toContain("Use offset=1 to continue,");
  });

  it("has aliases for existing parameters, and no alias that is itself a parameter", () => {
    const names = Object.keys(grepParams().shape);
    expect(Object.values(grepAliases).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(grepAliases).filter((name) => names.includes(name))).toEqual([]);
  });

  it("are on the wire as agreed", () => {
    expect(grepDefinition.jsonSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "case_sensitive": {
            "default": false,
            "type": "boolean",
          },
          "context": {
            "default": 0,
            "maximum": 20,
            "minimum": 0,
            "type": "integer",
          },
          "include": {
            "description": "Glob: '*.ts', 'src/**'.",
            "type": "string",
          },
          "include_hidden": {
            "default": false,
            "type": "boolean",
          },
          "include_ignored": {
            "default": false,
            "description": "node_modules etc.",
            "type": "boolean",
          },
          "limit": {
            "default": 100,
            "maximum": 200,
            "minimum": 1,
            "type": "integer",
          },
          "literal": {
            "default": false,
            "type": "boolean",
          },
          "multiline": {
            "default": false,
            "description": "Match across lines.",
            "type": "boolean",
          },
          "offset": {
            "default": 0,
            "minimum": 0,
            "type": "integer",
          },
          "output_mode": {
            "default": "content",
            "enum": [
              "content",
              "files",
              "count",
            ],
            "type": "string",
          },
          "path": {
            "default": ".",
            "description": "Directory or file.",
            "type": "string",
          },
          "pattern": {
            "type": "string",
          },
          "sort": {
            "default": "path",
            "enum": [
              "path",
              "modified",
            ],
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
