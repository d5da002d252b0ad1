import { describe, expect, it } from "vitest";
import { lineText, MAX_LINE_BYTES } from "../src/line-text.ts";

const bytes = (text: string) => Buffer.from(text);
const start = (text: string) => bytes(text).subarray(0, MAX_LINE_BYTES);

describe("lineText", () => {
  it("cuts a line over 2000 units, and puts the mark there", () => {
    expect(lineText(bytes("x".repeat(2000)), "...")).toMatchObject({ text: "x".repeat(2000), cut: false });
    expect(lineText(bytes("x".repeat(2001)), " [cut]")).toMatchObject({
      text: `${"x".repeat(2000)} [cut]`,
      cut: true,
    });
  });

  it("never cuts inside a surrogate pair", () => {
    const line = `${"x".repeat(1999)}😀y`;
    expect(lineText(bytes(line), "...").text).toBe(`${"x".repeat(1999)}...`);
    expect(lineText(bytes(`xx${"😀".repeat(1000)}`), "...").text).toBe(`xx${"😀".repeat(999)}...`);
    expect(lineText(bytes(`x${"😀".repeat(1000)}`), "...").text).toBe(`x${"😀".repeat(999)}...`);
  });

  it.each([
    ["one byte a unit", "x"],
    ["two bytes a unit", "é"],
    ["three bytes a unit", "漢"],
    ["four bytes for two units", "😀"],
  ])("needs no more than its start to show a long line of %s", (_what, character) => {
    const line = character.repeat(5000);
    const shown = lineText(start(line), "...");
    expect(shown).toEqual({ text: `${line.slice(0, 2000)}...`, cut: true, damaged: false });
  });

  it("shows a U+FEFF, as only the start of a file can be a byte order mark", () => {
    expect(lineText(bytes("\uFEFFa"), "...").text).toBe("\uFEFFa");
  });

  it("tells a U+FFFD of the file from one that stands for bad bytes", () => {
    expect(lineText(Buffer.of(0x61, 0xff), "...")).toEqual({ text: "a\uFFFD", cut: false, damaged: true });
    expect(lineText(bytes("a\uFFFD"), "...")).toEqual({ text: "a\uFFFD", cut: false, damaged: false });
    expect(lineText(start(`${"漢".repeat(2000)}😀😀😀😀`), "...").damaged).toBe(false);
  });
});
