import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileWildcard } from "../../src/names/wildcard.ts";

describe("compileWildcard", () => {
  it.each([
    ["a", "a", true],
    ["a", "A", false],
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["*", ".hidden", true],
    ["*", "a/b\nc", true],
    ["**", "a/b", true],
    ["?", "", false],
    ["?", "/", true],
    ["?", "\n", true],
    ["*.ts", "a.ts", true],
    ["*.ts", ".ts", true],
    ["*.ts", "a.tsx", false],
    ["a*a", "a", false],
    ["a*a", "aa", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["*a*b", "ab", true],
    ["*ab*ab", "abab", true],
    ["*ab*ab", "ab", false],
    ["a?c", "abc", true],
    ["?*?", "a", false],
    ["?*?", "ab", true],
    ["[abc]", "b", true],
    ["[abc]", "d", false],
    ["[a-c]x", "bx", true],
    ["[a-c-e]", "-", true],
    ["[a-c-e]", "d", false],
    ["[a-]", "-", true],
    ["[-a]", "-", true],
    ["[c-a]", "b", false],
    ["[!c-a]", "b", true],
    ["[!a]", "b", true],
    ["[!a]", "a", false],
    ["[!a]", "", false],
    ["[^a]", "^", true],
    ["[^a]", "b", false],
    ["[]]", "]", true],
    ["[!]]", "]", false],
    ["[!]]", "a", true],
    ["[]a]", "a", true],
    ["[", "[", true],
    ["[a", "[a", true],
    ["[]", "[]", true],
    ["[!]", "[!]", true],
    ["[[]x", "[x", true],
    ["a[", "a[", true],
    ["[*]", "*", true],
    ["[*]", "a", false],
    ["[?]", "a", false],
    ["(a|b)", "(a|b)", true],
    ["{a,b}", "{a,b}", true],
    ["+(a)", "aa", false],
    ["\\*", "\\x", true],
    ["[[:alpha:]]", "a]", true],
    ["[[:alpha:]]", "b", false],
  ])("%j on %j: %s", (pattern, name, expected) => {
    expect(compileWildcard(pattern)(name)).toBe(expected);
  });

  it.each([
    ["[^a]", "b", true],
    ["[^a]", "a", false],
    ["[^a]", "^", true],
    ["[^]]", "]", false],
    ["[!a]", "b", true],
    ["[^]", "[^]", true],
    ["[[:alpha:]]", "a", true],
    ["[[:alpha:]]", "1", false],
    ["[[:alpha:]]", "é", false],
    ["[[:alpha:]]*.ts", "a1.ts", true],
    ["[![:digit:]]", "1", false],
    ["[^[:digit:]_]", "a", true],
    ["[[:digit:]a-c_]", "b", true],
    ["[[:digit:][:upper:]]", "X", true],
    ["[[:xdigit:]]", "f", true],
    ["[[:punct:]]", "-", true],
    ["[a[:space:]]", " ", true],
    ["[[:foo:]]", "f]", true],
    ["[[:alpha:]", "[a", true],
    ["[[:alpha:", "[[:alpha:", true],
    ["[]", "[]", true],
  ])("in the dialect glob, %j on %j: %s", (pattern, name, expected) => {
    expect(compileWildcard(pattern, "glob")(name)).toBe(expected);
  });

  it.each([
    ["?", "😀", true],
    ["??", "😀", false],
    ["[😀]", "😀", true],
    ["[😀-😂]", "😁", true],
    ["[!a]", "😀", true],
    ["*😀", "a😀😀", true],
    ["?😀", "é😀", true],
    ["*[!😀]b", "😀b", false],
  ])("counts code points: %s on %s: %s", (pattern, name, expected) => {
    expect(compileWildcard(pattern)(name)).toBe(expected);
  });

  it("agrees with picomatch where the two mean the same", () => {
    const piece = fc.constantFrom("a", "b", "c", "*", "?", "[ab]", "[a-c]");
    const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("").replaceAll(/\*+/gu, "*"));
    const name = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 8 }).map((l) => l.join(""));
    fc.assert(
      fc.property(pattern, name, (wildcard, text) => {
        fc.pre(wildcard !== "");
        expect(compileWildcard(wildcard)(text)).toBe(picomatch(wildcard, { fastpaths: false })(text));
      }),
      { numRuns: 3000 },
    );
  });

  // Rule: Wildcards build no regular expression: hostile patterns cost nothing.
  it("takes no longer for hostile patterns", () => {
    const name = "a".repeat(5000);
    const patterns = ["*a".repeat(50) + "x", "a*".repeat(1000) + "x", "[".repeat(200_000), "?*".repeat(500) + "x"];
    expect(patterns.map((pattern) => compileWildcard(pattern)(name))).toEqual([false, false, false, false]);
  });

  // Rule: Wildcards are linear in the length of the name.
  it("is linear in the length of the name", () => {
    // If it were quadratic, this would take hours.
    expect(compileWildcard("*a*a*a*a*a*ax")("a".repeat(5_000_000))).toBe(false);
  });
});
