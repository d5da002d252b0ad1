import { describe, expect, it } from "vitest";
import { GLOB_DESCRIPTION } from "../src/description.ts";
import { globParams } from "../src/params.ts";
import { globDefinition } from "../src/tool.ts";

describe("the description of Glob", () => {
  it("begins with the sentence that names its purpose", () => {
    expect(GLOB_DESCRIPTION).toMatch(/^Find files using glob patterns \(relative to the search root\)\. /u);
  });

  it("leaves the parameters to the schema, and names no tool", () => {
    for (const name of Object.keys(globParams().shape)) expect(GLOB_DESCRIPTION).not.toContain(`${name}:`);
    expect(GLOB_DESCRIPTION).not.toMatch(/\b(?:LS|Grep|Read|Edit|Write)\b/u);
  });

  it("needs no project", () => {
    expect(globDefinition).toMatchObject({ name: "Glob", description: GLOB_DESCRIPTION, effect: "read" });
    expect(globDefinition.jsonSchema).toMatchObject({ required: ["pattern"] });
  });
});
