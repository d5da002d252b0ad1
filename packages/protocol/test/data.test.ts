import { describe, expect, it } from "vitest";
import { dataSchemas, type ToolCategory } from "../src/index.ts";
import { CATEGORY_FIELDS } from "../src/data.ts";

describe("dataSchemas", () => {
  it.each<[ToolCategory, object]>([
    ["ls", { entries: [{ path: "a", type: "link" }], truncated: false }],
    ["ls", { entries: [] }],
    ["glob", { paths: ["a/b.ts"], truncated: false, aborted_reason: "count_limit" }],
    ["grep", { matches: [{ file: "a", line: 1, text: "" }], truncated: true, fallback: "python" }],
    ["read", { content: "", truncated: false, fallback_encoding: "replace", modified_externally: true }],
    ["edit", { applied: false, diff: "" }],
  ])("%s takes %o", (category, data) => {
    expect(dataSchemas[category].safeParse(data).error).toBeUndefined();
  });

  it.each<[ToolCategory, object]>([
    ["ls", {}],
    ["ls", { entries: [{ path: "a" }] }],
    ["ls", { entries: [{ path: "a", type: "directory" }] }],
    ["ls", { entries: [{ path: "", type: "dir" }] }],
    ["glob", { paths: [1] }],
    ["glob", { paths: [], aborted_reason: "bored" }],
    ["grep", { matches: [{ file: "a", line: 0, text: "" }] }],
    ["grep", { matches: [{ file: "a", line: 1 }] }],
    ["read", { content: ["a"] }],
    ["read", { content: "", truncated: "no" }],
    ["edit", { applied: "yes" }],
  ])("%s refuses %o", (category, data) => {
    expect(dataSchemas[category].safeParse(data).success).toBe(false);
  });

  it("has one known field per category", () => {
    expect(Object.keys(CATEGORY_FIELDS)).toEqual(Object.keys(dataSchemas));
  });
});
