import { describe, expect, it } from "vitest";
import { foldName, foldNames, withoutTrailing } from "../../src/rules/deny-rules.ts";

describe("foldName", () => {
  it.each([
    ["README.md", "readme.md"],
    ["Straße", "strasse"],
    ["STRASSE", "strasse"],
    ["\u017fecrets", "secrets"],
    ["cafe\u0301", "caf\u00e9"],
    ["ＡＢＣ", "abc"],
    [".e\u00adn\u200dv", ".env"],
    ["ΟΔΟΣ", "οδοσ"],
    ["οδος", "οδοσ"],
    ["中文", "中文"],
  ])("makes %j %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
    expect(foldName(folded)).toBe(folded);
  });
});

describe("foldNames", () => {
  it.each([
    ["a/b", ["a/b"]],
    ["A./b ", ["a./b ", "a/b"]],
    [".env::$DATA", [".env::$data", ".env"]],
    ["...", ["...", "..."]],
  ])("reads %j as %j", (path, read) => {
    expect(foldNames(path)).toEqual(read);
  });
});

it("keeps a name that is nothing but dots", () => {
  expect([withoutTrailing("a. ."), withoutTrailing("..."), withoutTrailing(".a")]).toEqual(["a", "...", ".a"]);
});
