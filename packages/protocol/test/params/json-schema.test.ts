import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parametersSchema } from "../../src/params/json-schema.ts";
import { sampleTool } from "../samples.ts";

describe("parametersSchema", () => {
  // Rule: JSON Schema has names, types, defaults, descriptions and bounds; no `anyOf` for null, no `$schema`, no
  // 9007199254740991.
  it("writes names, types, defaults, descriptions and bounds, and nothing that disturbs function calling", () => {
    expect(sampleTool().jsonSchema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "ignore": {
            "default": null,
            "items": {
              "type": "string",
            },
            "type": "array",
          },
          "include_hidden": {
            "default": false,
            "type": "boolean",
          },
          "limit": {
            "default": 100,
            "description": "Max items (1-200).",
            "maximum": 200,
            "minimum": 1,
            "type": "integer",
          },
          "path": {
            "default": ".",
            "description": "Directory to list.",
            "type": "string",
          },
          "pattern": {
            "description": "What to look for.",
            "type": "string",
          },
          "start_line": {
            "default": 1,
            "type": "integer",
          },
        },
        "required": [
          "pattern",
        ],
        "type": "object",
      }
    `);
  });

  it("keeps real bounds and choices, and cleans nested schemas", () => {
    const schema = parametersSchema(
      z.strictObject({
        options: z
          .strictObject({ depth: z.int().min(-5), mode: z.enum(["a", "b"]).nullable() })
          .nullable()
          .optional(),
        either: z.union([z.string(), z.int(), z.null()]).describe("Either."),
        maximum: z.int().optional(),
        name: z.string().nullable().optional().describe("Name."),
        scalar: z.union([z.string(), z.boolean(), z.null()]).optional(),
      }),
    );
    expect(schema).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "either": {
            "description": "Either.",
            "type": [
              "string",
              "integer",
            ],
          },
          "maximum": {
            "type": "integer",
          },
          "name": {
            "description": "Name.",
            "type": "string",
          },
          "options": {
            "additionalProperties": false,
            "properties": {
              "depth": {
                "minimum": -5,
                "type": "integer",
              },
              "mode": {
                "enum": [
                  "a",
                  "b",
                ],
                "type": "string",
              },
            },
            "required": [
              "depth",
              "mode",
            ],
            "type": "object",
          },
          "scalar": {
            "type": [
              "string",
              "boolean",
            ],
          },
        },
        "required": [
          "either",
        ],
        "type": "object",
      }
    `);
    expect(JSON.stringify(schema)).not.toMatch(/9007199254740991|\$schema|"null"/u);
  });

  it("cleans what tuples and records hold", () => {
    const { properties } = parametersSchema(
      z.strictObject({ pair: z.tuple([z.int(), z.string().nullable()]), counts: z.record(z.string(), z.int()) }),
    );
    expect(properties.pair).toMatchObject({ prefixItems: [{ type: "integer" }, { type: "string" }] });
    expect(properties.counts).toMatchObject({ additionalProperties: { type: "integer" } });
    expect(JSON.stringify(properties)).not.toMatch(/9007199254740991|"null"/u);
  });

  it("has a list of required parameters also when it is empty, and refuses others", () => {
    expect(parametersSchema(z.object({}))).toEqual({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });
});
