import { describe, expect, it } from "vitest";
import { echo, escapeText } from "../src/index.ts";
import { withHint } from "../src/text.ts";

describe("escapeText", () => {
  it.each([
    ["plain name.ts", "plain name.ts"],
    ["名前 é 🎉", "名前 é 🎉"],
    ["back\\slash", "back\\slash"],
    ["a\n[Truncated: x]", "a\\n[Truncated: x]"],
    ["a\rb\tc", "a\\rb\\tc"],
    ["\u0000\u001b[31m\u007f\u0085\u009f", "\\u0000\\u001b[31m\\u007f\\u0085\\u009f"],
    ["a\u2028b\u2029c", "a\\u2028b\\u2029c"],
    ["\u061c\u200e\u200f\u202a\u202e\u2066\u2069", "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"],
    ["half \ud83c pair", "half \\ud83c pair"],
  ])("shows %j as %j", (value, shown) => {
    expect(escapeText(value)).toBe(shown);
  });

  it("escapes every control, line separator, bidi control and lone surrogate, and nothing else", () => {
    const unsafe = [
      [0x00, 0x1f],
      [0x7f, 0x9f],
      [0x061c, 0x061c],
      [0x200e, 0x200f],
      [0x2028, 0x202e],
      [0x2066, 0x2069],
      [0xd800, 0xdfff],
    ] as const;
    const misjudged = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => {
      const text = `a${String.fromCharCode(unit)}b`;
      return (escapeText(text) !== text) !== unsafe.some(([first, last]) => first <= unit && unit <= last);
    });
    expect(misjudged).toEqual([]);
  });
});

describe("echo", () => {
  it.each([
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), `${"x".repeat(200)}…`],
    ["🎉".repeat(200), "🎉".repeat(200)],
    ["🎉".repeat(300), `${"🎉".repeat(200)}…`],
    ["\n".repeat(101), `${"\\n".repeat(100)}…`],
    [`${"x".repeat(198)}\u0000`, `${"x".repeat(198)}…`],
    ["", ""],
  ])("clips at 200 characters, never inside an escape (%#)", (value, shown) => {
    expect(echo(value)).toBe(shown);
  });
});

describe("withHint", () => {
  it.each([
    ["It failed.", "Retry.", "It failed. Retry."],
    ["Failed - EIO: i/o error", "Retry.", "Failed - EIO: i/o error. Retry."],
    ["Did you mean 'x'?", "Retry.", "Did you mean 'x'? Retry."],
  ])("joins %j and %j", (message, hint, text) => {
    expect(withHint(message, hint)).toBe(text);
  });
});
