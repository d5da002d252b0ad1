import { describe, expect, it } from "vitest";
import { checkResponse, type ToolCategory } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const base = { ...ENVELOPES.edit, text: "Done." };

const rows: [ToolCategory, object, string][] = [
  ["ls", { entries: {} }, "data/shape /data/entries"],
  ["ls", { entries: [{ path: "a", type: "directory" }] }, "data/shape /data/entries/0/type"],
  ["ls", { entries: [{ type: "dir" }] }, "data/shape /data/entries/0/path"],
  ["ls", { entries: [{ path: "/etc", type: "dir" }] }, "data/path /data/entries/0/path"],
  ["glob", { paths: ["a", 5] }, "data/shape /data/paths/1"],
  ["glob", { paths: ["/etc/passwd"] }, "data/path /data/paths/0"],
  ["glob", { paths: ["../a"] }, "data/path /data/paths/0"],
  ["glob", { paths: ["./a"] }, "data/path /data/paths/0"],
  ["glob", { paths: ["a//b"] }, "data/path /data/paths/0"],
  ["grep", { matches: [{ file: "a", line: "1", text: "" }] }, "data/shape /data/matches/0/line"],
  ["grep", { matches: [{ file: "/a", line: 1, text: "" }] }, "data/path /data/matches/0/file"],
  ["read", { content: 5 }, "data/shape /data/content"],
  ["edit", { applied: "yes" }, "data/shape /data/applied"],
];

describe("the shared fields of a category", () => {
  it.each(rows)("%s: reports %o", (category, data, expected) => {
    const found = checkResponse({ ...base, data }, { category });
    expect(found.map(({ rule, path }) => `${rule} ${path}`).join(",")).toBe(expected);
    for (const { severity } of found) expect(severity).toBe("error");
  });

  it.each(rows)("%s: only warns of %o if nobody named the category", (_, data, expected) => {
    const found = checkResponse({ ...base, data });
    expect(found.map(({ rule, path }) => `${rule} ${path}`).join(",")).toBe(expected);
    for (const { severity } of found) expect(severity).toBe("warning");
  });

  it.each<[ToolCategory, string]>([
    ["ls", "entries"],
    ["glob", "paths"],
    ["grep", "matches"],
    ["read", "content"],
    ["edit", "applied"],
  ])("%s: must answer with %s", (category, field) => {
    const found = checkResponse({ ...base, data: {} }, { category });
    expect(found).toEqual([
      expect.objectContaining({ rule: "data/missing-field", severity: "error", path: `/data/${field}` }),
    ]);
    expect(checkResponse(ENVELOPES.failure, { category })).toEqual([]);
    expect(checkResponse(ENVELOPES.truncated, { category })).toEqual([]);
  });
});
