import { describe, expect, it } from "vitest";
import { DESCRIPTION } from "../src/description.ts";
import { readParams } from "../src/params.ts";

describe("description", () => {
  it("begins with the document's sentence", () => {
    expect(DESCRIPTION).toMatch(
      /^Reads a file from the local filesystem with line numbers\. Optimized for code editing\.\n/u,
    );
  });

  it("tells of every parameter, gives two examples, and how to read on", () => {
    for (const name of Object.keys(readParams.shape)) expect(DESCRIPTION).toContain(name);
    const examples = DESCRIPTION.match(/\{"path".*?\}/gu) ?? [];
    expect(examples).toHaveLength(2);
    for (const example of examples) expect(readParams.strict().safeParse(JSON.parse(example)).success).toBe(true);
    expect(DESCRIPTION).toContain('When status is "partial"');
  });
});
