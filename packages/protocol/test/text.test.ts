import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echo, escapeLine, escapeText, listedName, listedNames, namesFromText } from "../src/index.ts";
import { utf8Length, withHint } from "../src/text.ts";

describe("escapeText", () => {
  // Rule: Controls, line separators and bidi controls are shown as escapes.
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
    ["zero\u200bwidth\ufeff\u00ad\u2060", "zero\\u200bwidth\\ufeff\\u00ad\\u2060"],
    ["tag\u{e0041}\u{e007f}", "tag\\u{e0041}\\u{e007f}"],
    ["hidden\u{e0100}\u{e01ef}", "hidden\\u{e0100}\\u{e01ef}"],
    ["sign ⚠️", "sign ⚠️"],
  ])("shows %j as %j", (value, shown) => {
    expect(escapeText(value)).toBe(shown);
  });

  it("escapes every control, separator, format character, hidden selector and lone surrogate, and nothing else", () => {
    const unsafe = [
      [0x00, 0x1f],
      [0x7f, 0x9f],
      [0x2028, 0x2029],
      [0xd800, 0xdfff],
      [0xe0100, 0xe01ef],
    ] as const;
    const misjudged = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => {
      const text = `a${String.fromCodePoint(code)}b`;
      const isUnsafe = unsafe.some(([first, last]) => first <= code && code <= last) || /\p{Cf}/u.test(text);
      return (escapeText(text) !== text) !== isUnsafe;
    });
    expect(misjudged).toEqual([]);
  });
});

describe("escapeLine", () => {
  it("keeps tabs, and escapes the rest", () => {
    expect(escapeLine("\ta\u0000\tb")).toBe("\ta\\u0000\tb");
  });
});

describe("listedName", () => {
  it.each([
    ["[Truncated: x].ts", "'[Truncated: x].ts'"],
    ["[Partial: x", "'[Partial: x'"],
    ["[Warning: x", "'[Warning: x'"],
    ["[Note: x\n", "'[Note: x\\n'"],
    ["Use me.md", "'Use me.md'"],
    ["Note: x", "'Note: x'"],
    ["(auth)/page.tsx", "'(auth)/page.tsx'"],
    [" indented", "' indented'"],
    ["[id]", "[id]"],
    ["[...slug]/a", "[...slug]/a"],
    ["Useful.md", "Useful.md"],
    ["app/(auth)", "app/(auth)"],
    ["it's", "it's"],
  ])("shows %j as %j", (name, shown) => {
    expect(listedName(name)).toBe(shown);
  });

  it("can be read back, whatever quotes the name has", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("(", ")", "'", "/", "a", "\n", "\u200b")), (parts) => {
        const name = parts.join("");
        const shown = listedName(name);
        expect([shown, ...namesFromText(shown)]).toContain(name);
      }),
      { numRuns: 2000 },
    );
  });

  it("can be read back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("[Note:", "(", "Use ", " ", "a", "/", "\n", "\u200b", "\u{e0041}", "é", "🎉")),
        (parts) => {
          const name = parts.join("");
          const shown = listedName(name);
          expect(namesFromText(shown)[0] ?? shown).toBe(name);
        },
      ),
    );
  });
});

describe("listedNames", () => {
  it("shows each name as listedName does, with its tail", () => {
    const part = fc.constantFrom("[Note:", "Note", "(", "Use", " ", "a", "b.ts", "/", "\n", "\u2028", "é");
    const name = fc.array(part, { maxLength: 3 }).map((parts) => parts.join(""));
    const row = fc.tuple(name, fc.constantFrom("", "/", "@", ": 3"));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
        const names = rows.map(([one]) => one);
        const tails = rows.map(([, tail]) => tail);
        expect(listedNames(names, tails)).toBe(rows.map(([one, tail]) => listedName(one) + tail).join("\n"));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("namesFromText", () => {
  it.each([
    ["plain", []],
    ["back\\slash", []],
    ["\\u12", []],
    ["\\u0041", []],
    ["\\u{110000}", []],
    ["'(auth)'/", ["(auth)/"]],
    ["'quoted'", ["quoted"]],
    ["'(it's)'", ["(it's)"]],
    ["'(it''", ["(it'"]],
    ["app/'(auth)'", ["app/(auth)"]],
    ["app/'(auth)'/'[Note: x'", ["app/(auth)/[Note: x"]],
    ["'(app)/'page.tsx", ["(app)/page.tsx"]],
    ["'(app)/''(auth)'", ["(app)/(auth)", "(app)/''(auth)"]],
    ["'(a)/'b.md'", ["(a)/b.md'", "(a)/'b.md"]],
    ["'(c'/d.md'", ["(c/d.md'", "(c'/d.md"]],
    ["'(a)/'b'/", ["(a)/b'/", "(a)/'b/"]],
    ["app/it's", []],
    ["app/'open", []],
    ["a\\nb", ["a\nb"]],
    ["'(a\\nb\\u202e'", ["(a\nb\u202e", "(a\\nb\\u202e", "'(a\nb\u202e'"]],
  ])("reads %j as %j", (shown, names) => {
    expect(namesFromText(shown)).toEqual(names);
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
    ["Offset 9 is out of range (3 lines)", "Use 1.", "Offset 9 is out of range (3 lines). Use 1."],
  ])("joins %j and %j", (message, hint, text) => {
    expect(withHint(message, hint)).toBe(text);
  });
});

it("counts the bytes of UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (value) => {
      expect(utf8Length(value)).toBe(Buffer.byteLength(value));
    }),
  );
});
