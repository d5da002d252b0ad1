import { describe, expect, it } from "vitest";
import { parseIgnoreRules, rulesBelow, verdictOf } from "../../src/search/ignore-rules.ts";

/** What the lines say about a path; a directory ends with a slash. */
function verdict(lines: string, path: string, maxWildcardChars = Infinity) {
  const names = path.split("/").filter((name) => name !== "");
  const name = names.pop() ?? "";
  const rules = names.reduce(rulesBelow, parseIgnoreRules(Buffer.from(lines), maxWildcardChars));
  return verdictOf(rules, name, path.endsWith("/"));
}

describe("ignore rules", () => {
  it.each<[string, string, "ignored" | "kept" | undefined]>([
    ["a", "a", "ignored"],
    ["a", "b/a", "ignored"],
    ["a", "A", undefined],
    ["/a", "a", "ignored"],
    ["/a", "b/a", undefined],
    ["a/", "a/", "ignored"],
    ["a/", "a", undefined],
    ["b/a", "b/a", "ignored"],
    ["b/a", "c/b/a", undefined],
    ["b/a/", "b/a", undefined],
    ["*.log", "x/y.log", "ignored"],
    ["*.log", ".log", "ignored"],
    ["*.log", "y.logs", undefined],
    ["*", "anything", "ignored"],
    ["a*.log", "ab.log", "ignored"],
    ["docs/*.md", "docs/a.md", "ignored"],
    ["docs/*.md", "docs/x/a.md", undefined],
    ["**/a/b", "a/b", "ignored"],
    ["**/a/b", "x/y/a/b", "ignored"],
    ["a/**", "a/b/c", "ignored"],
    ["a/**", "a/", undefined],
    ["a/**/b", "a/b", "ignored"],
    ["a/**/b", "a/x/y/b", "ignored"],
    ["a/**/b", "a/x/y/c", undefined],
    ["*.log\n!keep.log", "keep.log", "kept"],
    ["!keep.log\n*.log", "keep.log", "ignored"],
    ["a/*\n!a/b", "a/b", "kept"],
    ["a\n!a/", "a/", "kept"],
    ["a\n!a/", "a", "ignored"],
    ["/x/y\n!x/*", "x/y", "kept"],
    ["# a\n\na", "a", "ignored"],
    ["#a", "#a", undefined],
    [String.raw`\#a`, "#a", "ignored"],
    [String.raw`\!a`, "!a", "ignored"],
    ["a  ", "a", "ignored"],
    ["a\t", "a", undefined],
    [" a", "a", undefined],
    [" a", " a", "ignored"],
    ["a\\ ", "a ", "ignored"],
    ["a\\   ", "a ", "ignored"],
    ["a\\\\ ", "a\\", "ignored"],
    ["a\r\nb\r\n", "a", "ignored"],
    ["\ufeffa", "a", "ignored"],
    ["a?", "aé", undefined],
    ["a??", "aé", "ignored"],
    ["é", "é", "ignored"],
    ["*é", "né", "ignored"],
    ["[a-c]x", "bx", "ignored"],
    ["[!a-c]x", "bx", undefined],
    ["[^a-c]x", "dx", "ignored"],
    ["[]a]", "]", "ignored"],
    ["[a-]", "-", "ignored"],
    [String.raw`[\]]`, "]", "ignored"],
    ["[[:alpha:]]", "x", "ignored"],
    ["[[:alpha:]]", "1", undefined],
    ["[[:alpha:]-z]", "-", "ignored"],
    ["[[:nope:]]", "n", undefined],
    ["[[:alpha]]", "a]", "ignored"],
    ["[a", "[a", undefined],
    ["a\\", "a\\", undefined],
    ["a[x/]b", "axb", "ignored"],
    // An escaped slash is a slash.
    [String.raw`foo\/bar`, "foo/bar", "ignored"],
    [String.raw`foo\/bar`, "x/foo/bar", undefined],
    [String.raw`foo\/*`, "foo/bar", "ignored"],
    [String.raw`*\/bar`, "foo/bar", "ignored"],
    [String.raw`*\/bar`, "foo/x/bar", undefined],
    [String.raw`foo\/**`, "foo/x/bar", "ignored"],
    [String.raw`foo\/**/bar`, "foo/bar", "ignored"],
    [String.raw`/foo\/bar/`, "foo/bar/", "ignored"],
    [String.raw`\/foo`, "foo", undefined],
    [String.raw`foo\/`, "foo/", undefined],
    // But in git `**` before one is at least one directory.
    [String.raw`**\/bar`, "x/bar", "ignored"],
    [String.raw`**\/bar`, "x/y/bar", "ignored"],
    [String.raw`**\/bar`, "bar", undefined],
    [String.raw`foo/**\/bar`, "foo/x/y/bar", "ignored"],
    [String.raw`foo/**\/bar`, "foo/bar", undefined],
    // A NUL byte ends a pattern, as it ends a string in C.
    ["a\0b", "a", "ignored"],
    ["a/  \0b\r\nc", "a/", "ignored"],
    ["*.a\0b", "x.a", "ignored"],
    ["\0a", "a", undefined],
    ["/", "a/", undefined],
    ["!", "!", undefined],
  ])("%j on %j: %s", (lines, path, expected) => {
    expect(verdict(lines, path)).toBe(expected);
  });

  it("leaves out wildcards that pass the budget, and nothing else", () => {
    const lines = "a*c\nliteral\n*.log\nx/y\nd*e";
    expect(verdict(lines, "abc", 3)).toBe("ignored");
    expect(verdict(lines, "dxe", 3)).toBeUndefined();
    expect(verdict(lines, "dxe", 6)).toBe("ignored");
    for (const path of ["literal", "a.log", "x/y"]) expect(verdict(lines, path, 0)).toBe("ignored");
  });

  it.each([
    ["stars", "*a".repeat(8000) + "x"],
    ["double stars", "**/a/".repeat(3000) + "x"],
    ["classes", `${"[!b]*".repeat(3000)}x`],
    ["open classes", "[[:".repeat(5000)],
    ["half-open classes", `[${"[:".repeat(5000)}]`],
    ["many lines", Array.from({ length: 30_000 }, (_, index) => `dir${String(index)}/*.log`).join("\n")],
    ["many names", Array.from({ length: 30_000 }, (_, index) => `name${String(index)}`).join("\n")],
  ])("answers at once to hostile lines: %s", (_, lines) => {
    // With a matcher that backtracks, the test would time out.
    const rules = parseIgnoreRules(Buffer.from(lines), 32_768);
    const below = Array.from({ length: 50 }, () => "a".repeat(200)).reduce(rulesBelow, rules);
    for (let round = 0; round < 20; round += 1) expect(verdictOf(below, "a".repeat(255), false)).toBeUndefined();
  });
});
