import { describe, expect, it } from "vitest";
import { LS_DESCRIPTION } from "../src/description.ts";
import { lsParams } from "../src/params.ts";

describe("the description of LS", () => {
  it("begins with the sentence that names its purpose", () => {
    expect(LS_DESCRIPTION).toMatch(/^List files and directories in a given path with pagination and filters\.\n/u);
  });

  it.each(Object.keys(lsParams.shape))("explains the parameter %s", (name) => {
    expect(LS_DESCRIPTION).toContain(`\n- ${name}: `);
  });

  it("gives two examples that are valid calls", () => {
    const examples = [...LS_DESCRIPTION.matchAll(/^- (?<call>\{.*\}) /gmu)].map(({ groups = {} }) => groups.call ?? "");
    expect(examples).toHaveLength(2);
    for (const example of examples) expect(lsParams.safeParse(JSON.parse(example)).success).toBe(true);
  });

  it("says how to go on from a partial answer", () => {
    expect(LS_DESCRIPTION).toContain('If status is "partial"');
  });
});
