import { describe, expect, it } from "vitest";
import { LS_DESCRIPTION } from "../src/description.ts";
import { lsDefinition } from "../src/tool.ts";
import { lsParams } from "../src/params.ts";

describe("the description of LS", () => {
  it("begins with the sentence that names its purpose", () => {
    expect(LS_DESCRIPTION).toMatch(/^List files and directories in a given path with pagination and filters\. /u);
  });

  it("leaves the parameters to the schema, and names no tool", () => {
    for (const name of Object.keys(lsParams().shape)) expect(LS_DESCRIPTION).not.toContain(`${name}:`);
    expect(LS_DESCRIPTION).not.toMatch(/\b(?:Glob|Grep|Read|Edit|Write)\b/u);
  });

  it("needs no project", () => {
    expect(lsDefinition).toMatchObject({ name: "LS", description: LS_DESCRIPTION, effect: "read" });
    expect(lsDefinition.jsonSchema).toMatchObject({ properties: { path: { default: "." } }, required: [] });
  });
});
