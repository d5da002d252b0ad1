import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/pattern/pattern.ts";
import { createPosition } from "../../src/pattern/position.ts";
import { remaindersAt } from "../../src/pattern/search-root.ts";

/** Whether a file directly in the search root matches, where the project root is /home/me/project. */
function finds(pattern: string, relative: string, name: string, spelled = relative): boolean {
  const root = "/home/me/project";
  const searchRoot = {
    relative,
    spellings: [relative === "." ? root : `${root}/${relative}`, spelled],
    rootSpellings: [root, "/link/to/project/"],
  };
  return createPosition(remaindersAt(searchRoot, parsePattern(pattern, "pattern")))?.matches(name) ?? false;
}

describe("remaindersAt", () => {
  it.each([
    // Relative to the search root, whatever it is called.
    ["a.ts", ".", "a.ts", true],
    ["a.ts", "src", "a.ts", true],
    ["src/a.ts", "src", "a.ts", false],
    ["/a.ts", "src", "a.ts", true],
    // The search root's own path in front.
    ["/home/me/project/a.ts", ".", "a.ts", true],
    ["/home/me/project/src/a.ts", "src", "a.ts", true],
    ["/home/me//project/./src/*.ts", "src", "a.ts", true],
    ["{/home/me/project/src/a,/home/me/project/src/b}.ts", "src", "b.ts", true],
    // The project root's path in front: what is left must lead into the search root.
    ["/home/me/project/**/a.ts", "src", "a.ts", true],
    ["/home/me/project/*/a.ts", "src", "a.ts", true],
    ["/home/me/project/s*/[d]eep/a.ts", "src/deep", "a.ts", true],
    ["/home/me/project/lib/a.ts", "src", "a.ts", false],
    ["/home/me/project/a.ts", "src", "a.ts", false],
    // As the host spelled the project root.
    ["/link/to/project/src/a.ts", "src", "a.ts", true],
    ["/link/to/project/a.ts", ".", "a.ts", true],
    // Only whole names count.
    ["/home/me/project-evil/a.ts", ".", "a.ts", false],
    ["home/me/project/a.ts", ".", "a.ts", false],
  ])("%j in %j finds %j: %s", (pattern, relative, name, expected) => {
    expect(finds(pattern, relative, name)).toBe(expected);
  });

  it("knows the search root as the caller spelled it", () => {
    expect(finds("/link/to/src/a.ts", "src", "a.ts", "/link/to/src")).toBe(true);
    expect(finds("src/a.ts", "src", "a.ts", "src")).toBe(false);
  });
});
