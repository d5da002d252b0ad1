import { describe, expect, it } from "vitest";
import { carrySchema } from "../src/schema.ts";

describe("carrySchema", () => {
  const jsonSchema = { type: "object", properties: { path: { type: "string" } } };
  const { validate, jsonSchema: carried } = carrySchema(jsonSchema)["~standard"];

  it("shows the schema, a fresh copy each time", () => {
    const copy = carried.input();
    expect(copy).toEqual(jsonSchema);
    Object.assign(Object(copy.properties), { path: "spoilt" });
    expect(carried.input()).toEqual({ type: "object", properties: { path: { type: "string" } } });
    expect(carried.output()).toEqual(jsonSchema);
  });

  it("lets every value through to the tool, which checks it itself", () => {
    expect(validate({ nonsense: 1 })).toEqual({ value: { nonsense: 1 } });
  });
});
