import { describe, expect, it } from "vitest";
import { checkRelativePath } from "../../src/check/violation.ts";
import { relativePathProblem } from "../../src/envelope.ts";

describe("relativePathProblem", () => {
  it.each([".", "a", "a/b.ts", "..name", "a/...", "[...slug]/(auth)", ".env", "a/", "a b", "a\\b", "a\nb", "~"])(
    "accepts %j",
    (path) => {
      expect(relativePathProblem(path)).toBeUndefined();
    },
  );

  it.each<[unknown, string]>([
    [5, "is not a string"],
    ["", "is empty"],
    ["/", "is absolute"],
    ["/a", "is absolute"],
    ["..", "has a '..' segment"],
    ["a/../b", "has a '..' segment"],
    ["./a", "is not normalised"],
    ["a//b", "is not normalised"],
    ["a/./b", "is not normalised"],
  ])("refuses %j: %s", (path, problem) => {
    expect(relativePathProblem(path)).toBe(problem);
  });
});

describe("checkRelativePath", () => {
  it.each(["src\\main.ts", "C:\\repo", "C:/repo"])("only warns of %j, which may be a name", (path) => {
    expect([...checkRelativePath(path, "data/path", "/x")]).toEqual([
      expect.objectContaining({ rule: "path/windows", severity: "warning", path: "/x" }),
    ]);
  });
});
