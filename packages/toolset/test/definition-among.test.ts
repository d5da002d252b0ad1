import { describe, expect, it } from "vitest";
import { describeAmong } from "../src/definition-among.ts";

describe("describeAmong", () => {
  it.each([
    ["Lists. Use Glob to search.", ["LS", "Glob"], "Lists. Use Glob to search."],
    ["Lists. Use Glob to search. Ends with '/'.", ["LS"], "Lists. Ends with '/'."],
    ["Once, with blanks: copy it from Read, with a line.", ["Edit"], "Once, with blanks: with a line."],
    ["Replaces text; Write creates.", ["Edit"], "Replaces text."],
    ["Reads and Globally read.", ["LS"], "Reads and Globally read."],
  ] as const)("%s among %j", (description, names, expected) => {
    expect(describeAmong(description, names)).toBe(expected);
  });
});
