import { describe, expect, it } from "vitest";
import { joinRelative, relativeInside, segments } from "../../src/names/safe-path.ts";

describe("relativeInside", () => {
  it.each([
    ["/root", "/root", "."],
    ["/root", "/root/a/b", "a/b"],
    ["/root", "/root/..name", "..name"],
    ["/root", "/root-evil", undefined],
    ["/root", "/root-evil/a", undefined],
    ["/root", "/", undefined],
    ["/root", "/other/root/a", undefined],
    ["/root", "", undefined],
    ["/", "/", "."],
    ["/", "/etc/passwd", "etc/passwd"],
  ])("takes whole names: in %s, %s is %s", (root, absolute, expected) => {
    expect(relativeInside(root, absolute)).toBe(expected);
  });
});

describe("segments", () => {
  it.each([
    ["/", []],
    ["", []],
    ["./a//b/./c/", ["a", "b", "c"]],
    ["../a\\b", ["..", "a\\b"]],
  ])("splits %j", (path, expected) => {
    expect(segments(path)).toEqual(expected);
  });
});

describe("joinRelative", () => {
  it.each([
    [".", "a", "a"],
    ["", "a", "a"],
    ["a", "b", "a/b"],
  ])("puts %j and %j together", (directory, name, expected) => {
    expect(joinRelative(directory, name)).toBe(expected);
  });
});
