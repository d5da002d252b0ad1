import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createReadTool } from "../src/index.ts";
import { readAliases } from "../src/params.ts";
import { read } from "./support.ts";

const MISSING = "Missing required parameter 'path'.";
const START_LINE = "start_line must be a positive integer (>= 1).";
const LIMIT = "limit must be an integer between 1 and 2000.";
const START_COLUMN = "start_column must be a positive integer (>= 1).";

describe("parameters of Read", () => {
  it.each<[unknown, string]>([
    [{}, MISSING],
    [null, MISSING],
    [{ path: null }, MISSING],
    [{ path: "" }, MISSING],
    [{ path: 1 }, "path must be a string."],
    [{ path: ["a.txt"] }, "path must be a string."],
    [{ path: "a.txt", start_line: 0 }, START_LINE],
    [{ path: "a.txt", start_line: -1 }, START_LINE],
    [{ path: "a.txt", start_line: 1.5 }, START_LINE],
    [{ path: "a.txt", start_line: "first" }, START_LINE],
    [{ path: "a.txt", limit: 0 }, LIMIT],
    [{ path: "a.txt", limit: 2001 }, LIMIT],
    [{ path: "a.txt", limit: 1e300 }, LIMIT],
    [{ path: "a.txt", limit: true }, LIMIT],
    [{ path: "a.txt", start_column: 0 }, START_COLUMN],
    [{ path: "a.txt", start_column: "x" }, START_COLUMN],
    [{ path: "a.txt", encoding: 7 }, "encoding must be a string."],
    [
      { path: "a.txt", encoding: "klingon" },
      "Unknown encoding 'klingon'. Examples: utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252.",
    ],
    [
      { path: "a.txt", encoding: "base64" },
      "Unknown encoding 'base64'. Examples: utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252.",
    ],
    [{ path: "a.txt", start_lines: 5 }, "Unknown parameter 'start_lines'. Did you mean 'start_line'?"],
    [
      { path: "a.txt", verbose: true },
      "Unknown parameter 'verbose'. Known parameters: path, start_line, limit, encoding, start_column.",
    ],
    [{ path: "a.txt", limit: 0, offset: 1 }, LIMIT],
  ])("refuses %j", async (params, message) => {
    const { root } = fixture({ "a.txt": "a\n" });
    const response = await read({ projectRoot: root }, params);
    expect(response).toMatchObject({ status: "error", data: {}, error: { code: "INVALID_PARAM", message } });
    expect(response.text.startsWith(message)).toBe(true);
    expect(response.context).not.toHaveProperty("truncation_skip");
  });

  it("shows a value once: where the sentence has it, the advice does not repeat it", async () => {
    const { root } = fixture({ "a.txt": "a\n" });
    const { text } = await read({ projectRoot: root }, { path: "a.txt", encoding: "klingon", limit: "a" });
    expect(text).toBe(
      `${LIMIT} You passed "a". Correct 'limit' or leave it out (default 500).
Unknown encoding 'klingon'. Examples: utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252. Correct 'encoding' or leave it out.`,
    );
  });

  it.each(Object.entries(readAliases))("knows what is meant by %s", async (alias, name) => {
    const { root } = fixture({ "a.txt": "a\n" });
    const right: Record<string, unknown> = {
      path: "a.txt",
      start_line: 1,
      limit: 5,
      encoding: "utf-8",
      start_column: 1,
    };
    const { text } = await read(
      { projectRoot: root },
      { ...(name === "path" ? {} : { path: "a.txt" }), [alias]: right[name] },
    );
    expect(text.endsWith(`\nNote: '${alias}' was taken as '${name}'.`)).toBe(true);
  });

  it.each([{ limit: 2000 }, { limit: 1 }, { start_line: null, limit: null, encoding: null, start_column: null }])(
    "takes %j",
    async (params) => {
      const { root } = fixture({ "a.txt": "a\n" });
      expect(await read({ projectRoot: root }, { path: "a.txt", ...params })).toMatchObject({ status: "success" });
    },
  );

  it("has this JSON Schema", () => {
    expect(createReadTool({ projectRoot: "." }).jsonSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "encoding": {
            "description": "If not UTF-8, e.g. gb18030.",
            "type": "string",
          },
          "limit": {
            "default": 500,
            "description": "The maximum number of lines to read. Default is 500. Hard limit is 2000.",
            "maximum": 2000,
            "minimum": 1,
            "type": "integer",
          },
          "path": {
            "description": "Path to the file (relative to project root). Required.",
            "type": "string",
          },
          "start_column": {
            "default": 1,
            "description": "Character of start_line to start from.",
            "minimum": 1,
            "type": "integer",
          },
          "start_line": {
            "default": 1,
            "description": "The line number to start reading from (1-based). Default is 1.",
            "minimum": 1,
            "type": "integer",
          },
        },
        "required": [
          "path",
        ],
        "type": "object",
      }
    `);
  });
});
