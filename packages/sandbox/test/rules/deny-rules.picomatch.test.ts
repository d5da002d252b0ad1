import fc from "fast-check";
import picomatch from "picomatch";
import { parentOf } from "../../src/names/safe-path.ts";
import { expect, it } from "vitest";
import { createDenyRules } from "../../src/rules/deny-rules.ts";

const name = fc.constantFrom(
  ".env",
  "a.env",
  "env",
  "x.pem",
  "a.b.pem",
  "pem",
  ".pem",
  "config",
  "key",
  "é.pem",
  "a-b_c",
  "key)",
  "x(",
);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const glob = fc.constantFrom(
  ".env",
  ".en?",
  "*.pem",
  "*.env",
  "*.b.pem",
  "a/*.pem",
  "**/config",
  "**/.env/key",
  "*/a-b_c",
  "{x,y}.pem",
  "a*",
  "k?y",
  "con+(f)ig",
  "x@(a)|key",
  "x@(a)/env|pem/config",
  "x[(]|k[e]y[)]",
  "e[mn]v",
);

it("matches what picomatch matches, also where it does not ask it", () => {
  fc.assert(
    fc.property(fc.uniqueArray(glob, { minLength: 1 }), path, (globs, relative) => {
      const [base = ""] = relative.split("/").slice(-1);
      const isDenied = globs.some((pattern) =>
        picomatch.isMatch(pattern.includes("/") ? relative : base, pattern, { dot: true }),
      );
      expect(createDenyRules(globs).names(...parentOf(relative))).toBe(isDenied);
    }),
    { numRuns: 2000 },
  );
});

it("denies at least what picomatch matches, in whatever case, and beyond ASCII", () => {
  const letter = fc.constantFrom(
    "a",
    "A",
    "b",
    "B",
    "z",
    "Z",
    "_",
    "^",
    "1",
    ".",
    "é",
    "e\u0301",
    "\ufb01",
    "ſ",
    "\u00ad",
  );
  const part = fc.oneof(
    letter,
    fc.constantFrom(
      "*",
      "?",
      "[^A]",
      "[!a-z]",
      "[^A-Z]",
      "[A-z]",
      "[A-_]",
      "[ab]",
      "[é]",
      "!(A)",
      "!(ab|B*)",
      "+(A|b)",
    ),
    fc.constantFrom("{a,B}", "@(Z)", "?(a)"),
  );
  const text = (unit: fc.Arbitrary<string>) =>
    fc.array(unit, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text(part), text(letter), (pattern, relative) => {
      // Patterns that are refused: of dots, negated, or of nothing that can be seen.
      fc.pre(!/^(?:\.+|!(?!\()|\u00ad+$)/u.test(pattern) && !/^\.+$/u.test(relative));
      if (picomatch.isMatch(relative, pattern, { dot: true }))
        expect(createDenyRules([pattern]).names(...parentOf(relative))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
