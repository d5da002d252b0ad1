import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { toStrictSchema } from "../src/schema.ts";
import { projectTools } from "./example-tools.ts";

describe("toStrictSchema", () => {
  // Rule: Strict form: every property required, an optional one nullable, defaults in the description.
  it("requires every property, and lets an optional one be null", () => {
    expect(
      toStrictSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          path: { type: "string", minLength: 1, description: "Where." },
          limit: { type: "integer", minimum: 1, maximum: 200, default: 100, description: "How many." },
          kind: { enum: ["a", "b"], type: "string" },
          mode: { const: "fast", type: "string" },
          ignore: { type: "array", items: { type: "string", minLength: 1 }, default: null },
        },
        required: ["path"],
        additionalProperties: false,
      }),
    ).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "Where." },
        limit: { type: ["integer", "null"], minimum: 1, maximum: 200, description: "How many. Default: 100." },
        kind: { type: ["string", "null"], enum: ["a", "b", null] },
        mode: { type: ["string", "null"], enum: ["fast", null] },
        ignore: { type: ["array", "null"], items: { type: "string" } },
      },
      required: ["path", "limit", "kind", "mode", "ignore"],
      additionalProperties: false,
    });
  });

  it("does not repeat a default that the description names", () => {
    const line = { type: "integer", default: 1, description: "First line. Default is 1." };
    expect(toStrictSchema({ type: "object", properties: { line } })).toMatchObject({
      properties: { line: { description: "First line. Default is 1." } },
    });
  });

  it("goes into nested objects", () => {
    const nested = { type: "object", properties: { x: { type: ["number", "null"], default: 1 } } };
    expect(toStrictSchema({ type: "object", properties: { at: nested }, required: ["at"] })).toEqual({
      type: "object",
      properties: {
        at: {
          type: "object",
          properties: { x: { type: ["number", "null"], description: "Default: 1." } },
          required: ["x"],
          additionalProperties: false,
        },
      },
      required: ["at"],
      additionalProperties: false,
    });
  });

  it("closes an object without properties", () => {
    const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
    expect(toStrictSchema({ type: "object" })).toEqual(closed);
  });

  it.each([
    ["a record", { type: "object", additionalProperties: { type: "string" } }, "has no 'additionalProperties'"],
    ["any value", { type: "object", properties: { any: {} } }, "wants a 'type'"],
  ])("refuses %s, whose shape is not known beforehand", (_case, schema, message) => {
    expect(() => toStrictSchema(schema)).toThrow(message);
  });

  it.each(["oneOf", "patternProperties", "not", "$ref"])("refuses %s, which it cannot express", (keyword) => {
    expect(() => toStrictSchema({ type: "object", [keyword]: {} })).toThrow(`has no '${keyword}'`);
  });

  it("is a valid schema for every tool, and the tool takes what fits it", async () => {
    for (const tool of projectTools()) {
      const schema = toStrictSchema(tool.jsonSchema);
      const properties = Object.keys(schema.properties ?? {});
      const input = { ...Object.fromEntries(properties.map((name) => [name, null])), path: "a.txt" };
      expect(new Ajv({ strict: true, allowUnionTypes: true }).validate(schema, input), tool.name).toBe(true);
      expect((await tool.run(input)).error?.message ?? "", tool.name).not.toMatch(/must be|Unknown parameter/u);
    }
  });
});
