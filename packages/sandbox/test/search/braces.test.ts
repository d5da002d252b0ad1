import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { expandBraces } from "../../src/search/pattern.ts";

const limits = (alternatives: number, characters = Infinity) => ({ alternatives, characters });

describe("expandBraces", () => {
  it.each<[string, string[]]>([
    ["", [""]],
    ["abc", ["abc"]],
    ["{a,b}", ["a", "b"]],
    ["x{a,b}y", ["xay", "xby"]],
    ["{a,b}{c,d}", ["ac", "ad", "bc", "bd"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{a,b{c,d}e}f", ["af", "bcef", "bdef"]],
    ["{src,test}/**/*.{ts,tsx}", ["src/**/*.ts", "src/**/*.tsx", "test/**/*.ts", "test/**/*.tsx"]],
    ["{a/b,c}/d", ["a/b/d", "c/d"]],
    ["a{,b}", ["a", "ab"]],
    ["{,}", ["", ""]],
    ["{a,a}", ["a", "a"]],
    // Without a comma or a partner a brace is a character.
    ["{a}", ["{a}"]],
    ["{}", ["{}"]],
    ["a{b", ["a{b"]],
    ["a}b", ["a}b"]],
    ["{a,b", ["{a,b"]],
    ["a,b}", ["a,b}"]],
    ["}{", ["}{"]],
    ["{a,{b,c}", ["{a,b", "{a,c"]],
    ["{a{b,c}}", ["{ab}", "{ac}"]],
    ["{{a,b}}", ["{a}", "{b}"]],
    ["{a,b}}", ["a}", "b}"]],
    ["{1..3}", ["{1..3}"]],
    ["a,b", ["a,b"]],
  ])("%j expands to %j", (pattern, expected) => {
    expect(expandBraces(pattern, limits(1000))).toEqual(expected);
  });

  it("takes as many alternatives as allowed, and no more", () => {
    expect(expandBraces("{a,b,c}{d,e}", limits(6))).toHaveLength(6);
    expect(expandBraces("{a,b,c}{d,e}", limits(5))).toBe("alternatives");
    expect(expandBraces(`{${"x,".repeat(999)}x}`, limits(1000))).toHaveLength(1000);
    expect(expandBraces(`{${"x,".repeat(1000)}x}`, limits(1000))).toBe("alternatives");
  });

  it("takes as many characters as allowed, and no more", () => {
    // xay, xaz, xbcy and xbcz.
    expect(expandBraces("x{a,bc}{y,z}", limits(1000, 14))).toHaveLength(4);
    expect(expandBraces("x{a,bc}{y,z}", limits(1000, 13))).toBe("characters");
    expect(expandBraces("{a,".repeat(900) + "}x".repeat(900), limits(1000, 65_536))).toBe("characters");
  });

  it.each([
    ["many groups", "{a,b}".repeat(800)],
    ["deep nesting", "{a,".repeat(1000) + "b" + "}".repeat(1000)],
    ["unclosed braces", "{".repeat(4096)],
    ["unclosed braces with commas", "{,".repeat(2048)],
    ["unopened braces", "}".repeat(4096)],
    ["nested products", "{a,b{c,d{e,f{g,h}}}}".repeat(200)],
    ["braces in braces", "{".repeat(2000) + "a,b" + "}".repeat(2000)],
  ])("answers at once to a hostile pattern: %s", (_, pattern) => {
    // If all alternatives were built before they are counted, memory or time would run out.
    const expanded = expandBraces(pattern, limits(1000, 65_536));
    expect(typeof expanded === "string" ? 0 : expanded.length).toBeLessThanOrEqual(1000);
  });

  it("means the same as picomatch's braces", () => {
    const letter = fc.constantFrom("a", "b", "c");
    const { pattern } = fc.letrec<{ pattern: string; group: string }>((tie) => ({
      group: fc.array(tie("pattern"), { minLength: 2, maxLength: 3 }).map((options) => `{${options.join(",")}}`),
      pattern: fc
        .array(fc.oneof({ depthSize: "small", withCrossShrink: true }, letter, tie("group")), {
          minLength: 1,
          maxLength: 3,
        })
        .map((parts) => parts.join("")),
    }));
    fc.assert(
      fc.property(
        pattern,
        fc.array(letter, { maxLength: 6 }).map((letters) => letters.join("")),
        (text, name) => {
          const expanded = expandBraces(text, limits(100_000));
          if (typeof expanded === "string") return;
          const candidates = [name, ...expanded.slice(0, 5)].filter((candidate) => candidate !== "");
          for (const candidate of candidates) expect(picomatch(text)(candidate)).toBe(expanded.includes(candidate));
        },
      ),
      { numRuns: 500 },
    );
  });
});
