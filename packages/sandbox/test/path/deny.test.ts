import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { createDenyRules } from "../../src/path/deny.ts";

function isPicomatchLoaded(): boolean {
  return Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes("/picomatch/"));
}

describe("createDenyRules", () => {
  it("loads picomatch only for a host that has rules", () => {
    createDenyRules(undefined);
    createDenyRules([]);
    expect(isPicomatchLoaded()).toBe(false);
    createDenyRules(["a"]);
    expect(isPicomatchLoaded()).toBe(true);
  });

  it.each([
    ["**/.env", ".env", true],
    ["**/.env", "a/b/.env", true],
    ["**/.env", "a/.env.local", false],
    ["**/*.pem", "keys/.hidden/a.pem", true],
    ["*.pem", "keys/a.pem", false],
    ["secret", "secret", true],
    ["./secret", "secret", true],
    ["/secret", "secret", true],
    ["secret/", "secret", true],
    ["/secret/", "secret", true],
    [".//secret//", "secret", true],
    ["a/.//b", "a/b", true],
    ["secret/**", "secret/a", true],
    ["{a,b}/x", "b/x", true],
    ["!(a)", "b", true],
    ["**/.env", "line\nbreak/.env", true],
    ["**/*.pem", "a\nb/c\n.pem", true],
    ["...name", "...name", true],
    ["**/.env", "app/.ENV", true],
    ["Secret", "secret", true],
    ["caf\u00e9", "cafe\u0301", true],
    ["cafe\u0301", "caf\u00e9", true],
  ])("%j names %j: %s", (pattern, relative, expected) => {
    expect(createDenyRules([pattern]).names(relative)).toBe(expected);
  });

  it("takes a pattern that begins with the root's own path", () => {
    const spellings = ["/home/link", "/home/real"];
    for (const pattern of ["/home/link/**/.env", "/home/real//**/.env"]) {
      expect(createDenyRules([pattern], spellings).names("app/.env")).toBe(true);
    }
    expect(createDenyRules(["/home/link-2/.env"], spellings).names(".env")).toBe(false);
  });

  it.each([
    ["secret", "secret/deep/er", true],
    ["**/private", "a/private/b/c", true],
    ["secret", "secrets/a", false],
    ["secret", ".", false],
  ])("%j covers %j: %s", (pattern, relative, expected) => {
    expect(createDenyRules([pattern]).covers(relative)).toBe(expected);
  });

  it("covers nothing without patterns", () => {
    for (const rules of [createDenyRules(undefined), createDenyRules([])]) {
      expect(rules.isEmpty).toBe(true);
      expect(rules.covers("a/.env")).toBe(false);
      expect(rules.names(".env")).toBe(false);
    }
  });

  it.each([
    [[""], "names no path"],
    [["/"], "names no path"],
    [["./"], "names no path"],
    [["!**/.env"], "is negated"],
    [["../secret"], "leads out of the project root"],
    [["a/../../b"], "leads out of the project root"],
    [["[a"], "is not a valid glob"],
    [["(a"], "is not a valid glob"],
    [["a".repeat(70_000)], "is not a valid glob"],
  ])("throws for %j", (patterns, message) => {
    expect(() => createDenyRules(patterns)).toThrow(message);
  });

  it.each([["**/.env"], [{}], [[1]], [[null]], [null]])("throws for what is not a list of patterns: %j", (value) => {
    // @ts-expect-error -- hosts written in JavaScript have no types to stop them
    expect(() => createDenyRules(value)).toThrow("deny must be a list of glob patterns.");
  });
});
