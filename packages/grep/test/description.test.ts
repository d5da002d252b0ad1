import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createGrepTool, grepDefinition } from "../src/index.ts";

describe("Grep's definition", () => {
  it("needs no project, and is the tool's own", () => {
    const tool = createGrepTool({ projectRoot: fixture().root });
    expect(grepDefinition).toMatchObject({ name: "Grep", effect: "read" });
    expect(tool.description).toBe(grepDefinition.description);
    expect(tool.jsonSchema).toEqual(grepDefinition.jsonSchema);
  });

  it("is short: each word is paid for in every conversation", () => {
    const { name, description, jsonSchema } = grepDefinition;
    expect(JSON.stringify({ name, description, parameters: jsonSchema }).length).toBeLessThan(1100);
  });
});
