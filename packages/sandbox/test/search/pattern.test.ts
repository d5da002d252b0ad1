import { isToolError } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { isAbsolute, normalizePattern, parsePattern } from "../../src/search/pattern.ts";

const texts = (pattern: string) =>
  parsePattern(pattern, "pattern").map(({ segments }) => segments.map(({ text }) => text));

function refusal(pattern: string): string {
  try {
    parsePattern(pattern, "pattern");
  } catch (error) {
    if (isToolError(error)) return `${error.code}: ${error.message} ${error.hint}`;
    throw error;
  }
  return "accepted";
}

describe("normalizePattern", () => {
  it.each([
    ["src\\**\\*.ts", "src/**/*.ts"],
    ["  *.ts\n", "*.ts"],
    ["./a/", "./a/"],
    ["a b", "a b"],
  ])("%j becomes %j", (pattern, normalized) => {
    expect(normalizePattern(pattern)).toBe(normalized);
  });
});

describe("parsePattern", () => {
  it.each([
    ["a/b", [["a", "b"]]],
    ["./a", [["a"]]],
    ["././a/./b", [["a", "b"]]],
    ["/a", [["a"]]],
    ["a//b/", [["a", "b"]]],
    [".", [[]]],
    ["/", [[]]],
    [
      "{a,b/c}/d",
      [
        ["a", "d"],
        ["b", "c", "d"],
        ["{a,b", "c}", "d"],
      ],
    ],
  ])("cuts %j into %j", (pattern, expected) => {
    expect(texts(pattern)).toEqual(expected);
  });

  it("takes a segment with braces literally where it is not expanded", () => {
    const segments = parsePattern("{a,b}*/[c]", "pattern").at(-1)?.segments;
    expect(segments?.map(({ text, isLiteral }) => [text, isLiteral])).toEqual([
      ["{a,b}*", true],
      ["[c]", false],
    ]);
  });

  it("reads all braces literally as well, beside the alternatives", () => {
    expect(texts("{a,b}/x").map((names) => names.join("/"))).toEqual(["a/x", "b/x", "{a,b}/x"]);
  });

  // Rule: A `..` segment is refused, with the advice to use `path`.
  it.each(["..", "../a", "a/..", "a/../b", "/..", "{..,a}/b", "a/{b,..}"])(
    "refuses %j, which leaves the search root",
    (pattern) => {
      expect(refusal(pattern)).toMatch(
        /^INVALID_PARAM: pattern must not contain a '\.\.' segment\. Pass the directory to search as 'path'/u,
      );
    },
  );

  it.each(["..a", "a..", "...", "[...slug]", "a..b/c"])("accepts %j, which does not", (pattern) => {
    expect(refusal(pattern)).toBe("accepted");
  });

  it("names the parameter that the pattern came from", () => {
    expect(() => parsePattern("../a", "include")).toThrow("include must not contain a '..' segment.");
    expect(() => parsePattern("{a,b}".repeat(12), "include")).toThrow(
      "include must expand to at most 1000 alternatives.",
    );
  });

  it("refuses more than 1,000 alternatives", () => {
    expect(refusal("{0,1,2,3,4,5,6,7,8,9}".repeat(3))).toBe("accepted");
    expect(refusal(`${"{0,1,2,3,4,5,6,7,8,9}".repeat(3)}{a,b}`)).toMatch(
      /^INVALID_PARAM: pattern must expand to at most 1000 alternatives\./u,
    );
  });

  it("refuses alternatives that are too long in all", () => {
    expect(refusal(`${"{0,1,2,3,4,5,6,7,8,9}".repeat(3)}${"x".repeat(100)}`)).toMatch(
      /^INVALID_PARAM: pattern must expand to at most 65536 characters\./u,
    );
  });
});

describe("isAbsolute", () => {
  it.each([
    ["/a", true],
    ["C:\\a", true],
    ["c:/a", true],
    ["a/b", false],
    ["./a", false],
    ["**/a", false],
  ])("%j: %s", (path, expected) => {
    expect(isAbsolute(path)).toBe(expected);
  });
});
