import { describe, expect, it } from "vitest";
import { GLOB_DESCRIPTION } from "../src/description.ts";
import { globParams } from "../src/params.ts";

describe("the description of Glob", () => {
  it("begins with the sentence that names its purpose", () => {
    expect(GLOB_DESCRIPTION).toMatch(/^Find files using glob patterns \(relative to the search root\)\.\n/u);
  });

  it.each(Object.keys(globParams.shape))("explains the parameter %s", (name) => {
    expect(GLOB_DESCRIPTION).toContain(`\n- ${name}: `);
  });

  it("gives two examples that are valid calls", () => {
    const examples = [...GLOB_DESCRIPTION.matchAll(/^- (?<call>\{.*\}) /gmu)].map(
      ({ groups = {} }) => groups.call ?? "",
    );
    expect(examples).toHaveLength(2);
    for (const example of examples) expect(globParams.safeParse(JSON.parse(example)).success).toBe(true);
  });

  it("says how to go on from a partial answer", () => {
    expect(GLOB_DESCRIPTION).toContain('If status is "partial"');
  });
});
