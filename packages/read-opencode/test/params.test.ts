import { parametersSchema } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { FLAVOURS } from "../src/flavour.ts";
import { readSpec } from "../src/params.ts";

describe("readSpec", () => {
  it("fills in the defaults", () => {
    expect(readSpec(FLAVOURS["1.2"]).input.parse({ filePath: "a" })).toEqual({ filePath: "a", offset: 1, limit: 2000 });
  });

  it("takes offset 0 in 1.18 only", () => {
    expect(readSpec(FLAVOURS["1.18"]).input.safeParse({ filePath: "a", offset: 0 }).success).toBe(true);
    expect(readSpec(FLAVOURS["1.2"]).input.safeParse({ filePath: "a", offset: 0 }).success).toBe(false);
  });

  it("has this JSON Schema", () => {
    expect(parametersSchema(readSpec(FLAVOURS["1.2"]).input)).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "filePath": {
            "description": "File or directory to read. A relative path starts at the working directory; an absolute path must lie within the project root.",
            "minLength": 1,
            "type": "string",
          },
          "limit": {
            "default": 2000,
            "description": "Most lines or entries to return.",
            "minimum": 1,
            "type": "integer",
          },
          "offset": {
            "default": 1,
            "description": "Line or entry to start at (1-indexed).",
            "minimum": 1,
            "type": "integer",
          },
        },
        "required": [
          "filePath",
        ],
        "type": "object",
      }
    `);
    expect(parametersSchema(readSpec(FLAVOURS["1.18"]).input).properties.offset).toMatchObject({ minimum: 0 });
  });

  it("leads every alias to a parameter that exists", () => {
    const known = Object.keys(readSpec(FLAVOURS["1.2"]).input.shape);
    expect(Object.values(readSpec(FLAVOURS["1.2"]).aliases).filter((name) => !known.includes(name))).toEqual([]);
  });
});
