import { fixture } from "@fstools/testing";
import { parentOf } from "../../src/names/safe-path.ts";
import { describe, expect, it } from "vitest";
import { createDenyRules } from "../../src/rules/deny-rules.ts";

describe("createDenyRules", () => {
  // Rule: `deny`: globs relative to the root, dot files included, in any case.
  it.each([
    ["**/.env", ".env", true],
    ["**/.env", "a/b/.env", true],
    ["**/.env", "a/.env.local", false],
    ["**/*.pem", "keys/.hidden/a.pem", true],
    ["*.pem", "keys/a.pem", true],
    ["*.pem", "keys/deep/a.pem", true],
    ["/*.pem", "keys/a.pem", false],
    ["./*.pem", "keys/a.pem", false],
    ["/*.pem", "a.pem", true],
    ["keys/*.pem", "a/keys/b.pem", false],
    ["secret", "secret", true],
    ["secret", "a/secret", true],
    ["secret/", "a/secret", true],
    ["/secret", "a/secret", false],
    ["!(*.pub)", "a/id.pub", false],
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
    ["secrets.json", "\u017fecrets.json", true],
    ["secrets.json", "secr\u200dets.json", true],
    [".env", ".e\u00adnv", true],
    [".env", "\uff0eenv", true],
    [".env", ".env.", true],
    [".env", ".env . .", true],
    ["keys/a", "keys. /a", true],
    ["secret.", "secret", true],
    [".env", ".env::$DATA", true],
    [".env", "a/.env.:stream/b", false],
    [".env", "a/.env.:stream", true],
    ["secret.", "secret.", true],
    ["*.", "a.", true],
    ["*.", "a", false],
    ["STRASSE", "stra\u00dfe", true],
    ["stra\u00dfe*", "strasse.txt", true],
    ["\u03bf\u03b4\u03bf\u03c2*", "\u03bf\u03b4\u03bf\u03c3x", true],
    ["\uff3bdraft\uff3d", "[draft]", true],
    ["\uff3bdraft\uff3d", "d", false],
    ["a\uff0ab", "axb", false],
    ["app/[id]/x", "app/[id]/x", true],
    ["app/[id]/x", "app/i/x", true],
    ["a[,]b", "a,b", true],
    ["~$*", "~$report.docx", true],
    // What picomatch itself matches, although the folded name does not fit the folded glob.
    ["[^A-Z]*", "abc", true],
    ["[^A-Z]*", "ABC", false],
    ["[^A]bc", "abc", true],
    ["[^a]bc", "Abc", true],
    ["!(ABC)", "abc", true],
    ["!(ABC)", "Abc", true],
    ["!(ABC)", "ABC", false],
    ["!(A)bc", "abc", true],
    ["keys/!(A)", "keys/a", true],
    ["[A-z]x", "_x", true],
    ["[A-z]x", "^x", true],
    ["*[A-z]", "a_", true],
    ["[A-_]x", "_x", true],
    ["[A-_]x", "aX", true],
    ["[]A-_]x", "_x", true],
    ["[A-_]X", "bx", true],
    ["[\u00c0-\u00d6]x", "\u00e9x", true],
    ["[\u017f]x", "sx", true],
    ["??", "\ufb01x", true],
    ["cafe*", "cafe\u0301", true],
    ["a:b.", "a:b.", true],
  ])("%j names %j: %s", (pattern, relative, expected) => {
    expect(createDenyRules([pattern]).names(...parentOf(relative))).toBe(expected);
  });

  it("takes a pattern that begins with the root's own path", () => {
    const spellings = ["/home/link", "/home/real"];
    for (const pattern of ["/home/link/**/.env", "/home/real//**/.env"]) {
      expect(createDenyRules([pattern], spellings).names(...parentOf("app/.env"))).toBe(true);
    }
    expect(() => createDenyRules(["/home/link-2/.env"], spellings)).toThrow("outside the project root");
    expect(() => createDenyRules(["/home/link"], spellings)).toThrow("names no path");
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
      expect(rules.names(...parentOf(".env"))).toBe(false);
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
    [["a", "[a"], "deny pattern '[a' is not a valid glob"],
    [[" .env"], "has blanks around it"],
    [[".env\n"], "has blanks around it"],
    [["~"], "is not expanded"],
    [["~/.ssh"], "is not expanded"],
    [["file:///etc/passwd"], "is a URL"],
    [["File:secret"], "is a URL"],
    [["secrets\\*.pem"], "contains a backslash"],
    [[".env,*.pem"], "is a list"],
    [["{a,b},c"], "is a list"],
    [["/etc/passwd"], "is an absolute path outside"],
    [["/tmp"], "is an absolute path outside"],
    [["C:/Users"], "is an absolute path outside"],
  ])("throws for %j", (patterns, message) => {
    expect(() => createDenyRules(patterns)).toThrow(message);
  });

  it("names the option that a pattern was given for", () => {
    expect(() => createDenyRules(["[a"], [], "protect")).toThrow("protect pattern '[a' is not a valid glob.");
    expect(() => createDenyRules([" a"], [], "protect")).toThrow("protect pattern ' a' has blanks");
  });

  it.each([["**/.env"], [{}], [[1]], [[null]], [null]])("throws for what is not a list of patterns: %j", (value) => {
    // @ts-expect-error -- hosts written in JavaScript have no types to stop them
    expect(() => createDenyRules(value)).toThrow("deny must be a list of glob patterns.");
  });

  it("takes a rooted pattern as below the project root if the root has such a name, as in .gitignore", () => {
    const { root } = fixture({ etc: { passwd: "" } });
    expect(createDenyRules(["/etc/passwd"], [root]).names(...parentOf("etc/passwd"))).toBe(true);
  });
});
