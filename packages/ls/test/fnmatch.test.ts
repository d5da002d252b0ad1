import { readFileSync } from "node:fs";
import { compileWildcard } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { z } from "@fstools/protocol";
import { createIgnoreFilter } from "../src/fnmatch.ts";

/** What Python's own fnmatch says; fnmatch-table.py beside it makes it. */
const table = z
  .object({ names: z.array(z.string()), matches: z.record(z.string(), z.array(z.string())) })
  .parse(JSON.parse(readFileSync(new URL("fnmatch-table.json", import.meta.url), "utf8")));
const patterns = Object.entries(table.matches);

describe("fnmatch", () => {
  it("is compared in thousands of rows", () => {
    expect(patterns.length * table.names.length).toBeGreaterThan(5000);
  });

  // Rule: `ignore` follows Python's `fnmatch`.
  it.each(patterns)("matches what Python's fnmatch matches: %j", (pattern, expected) => {
    expect(table.names.filter(compileWildcard(pattern))).toEqual(expected);
  });

  it.each(patterns.filter(([pattern]) => !/[/\\]/u.test(pattern)))(
    "ignores names as Python's fnmatch does: %j",
    (pattern, expected) => {
      const isIgnored = createIgnoreFilter([pattern], "some/where");
      expect(table.names.filter(isIgnored)).toEqual(expected);
    },
  );
});

describe("createIgnoreFilter", () => {
  it.each([
    // A pattern without a slash: the name.
    [["*.log"], "src", "a.log", true],
    [["*.log"], "src", "a.txt", false],
    [["src"], "src", "a", false],
    [["a.LOG"], ".", "a.log", false],
    // With a slash: relative to the project root, or to the directory.
    [["src/*.log"], "src", "a.log", true],
    [["src/*.log"], ".", "a.log", false],
    [["src/*.log"], "other", "a.log", false],
    [["deep/a"], "src/deep", "a", false],
    [["src/deep/a"], "src/deep", "a", true],
    [["src/*"], "src/deep", "a", true],
    [["./a"], ".", "a", false],
    [["[/a]b"], "src", "ab", true],
    [["src[/]*"], "src", "ab", true],
    // What `**` covers.
    [["dist/**"], "dist", "x", true],
    [["dist/**"], "dist/deep", "x", true],
    [["dist/**"], ".", "dist", false],
    [["**/foo"], ".", "foo", true],
    [["**/foo"], "a/b", "foo", true],
    [["**/**/foo"], ".", "foo", true],
    [["**/foo"], ".", "barfoo", false],
    [["**/a/b"], "a", "b", true],
    // Backslashes count as slashes.
    [["src\\*.log"], "src", "a.log", true],
    [["**\\foo"], ".", "foo", true],
    // A name can have one, too.
    [["a\\b"], ".", "a\\b", true],
    [["a\\b"], "src", "a\\b", true],
    [["a\\*"], "src", "a\\b", true],
    [["src/a\\b"], "src", "a\\b", true],
    [["a\\b"], "a", "b", true],
    [["a\\b"], ".", "ab", false],
    // Any one of several.
    [["*.a", "*.b"], ".", "x.b", true],
    [["*.a", "*.b"], ".", "x.c", false],
    [[], ".", "x", false],
    // Dot files are nothing special, braces and extended globs are plain characters.
    [["*"], ".", ".env", true],
    [["{a,b}"], ".", "a", false],
    [["+(a)"], ".", "a", false],
  ])("%j in %s on %j is %s", (ignore, directory, name, expected) => {
    expect(createIgnoreFilter(ignore, directory)(name)).toBe(expected);
  });
});
