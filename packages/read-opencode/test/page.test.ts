import { describe, expect, it } from "vitest";
import { FLAVOURS } from "../src/flavour.ts";
import { createPage, type PageBuilder } from "../src/page.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function append(page: PageBuilder, text: string): void {
  const chunk = bytes(`<${text}>`);
  page.append(chunk, 1, chunk.length - 1);
}

function addLine(page: PageBuilder, line: string): void {
  append(page, line);
  page.endLine("newline");
}

describe("createPage", () => {
  it("takes a \\r off before a newline in 1.18 only, and never at the end of the file", () => {
    for (const [version, expected] of [
      ["1.2", ["a\r", "b\r\r", "\r"]],
      ["1.18", ["a", "b\r", "\r"]],
    ] as const) {
      const page = createPage(FLAVOURS[version]);
      addLine(page, "a\r");
      addLine(page, "b\r\r");
      append(page, "\r");
      page.endLine("end");
      expect(page.lines).toEqual(expected);
    }
  });

  it("does not count a line end's \\r into the length of a line", () => {
    const page = createPage(FLAVOURS["1.18"]);
    addLine(page, `${"x".repeat(2000)}\r`);
    expect(page).toMatchObject({ lines: ["x".repeat(2000)], cutLines: 0 });
  });

  it("marks a cut line as the version does", () => {
    for (const [version, mark] of [
      ["1.2", "..."],
      ["1.18", "... (line truncated to 2000 chars)"],
    ] as const) {
      const page = createPage(FLAVOURS[version]);
      addLine(page, "x".repeat(2001));
      expect(page.lines).toEqual([`${"x".repeat(2000)}${mark}`]);
    }
  });

  it("takes a line in any number of pieces, and shows a long one before it ends", () => {
    const page = createPage(FLAVOURS["1.2"]);
    for (let piece = 0; piece < 100; piece += 1) append(page, "0123456789".repeat(10));
    expect(page.lines).toEqual([`${"0123456789".repeat(200)}...`]);
    page.endLine("newline");
    addLine(page, "next");
    expect(page.lines).toHaveLength(2);
    expect(page.cutLines).toBe(1);
  });

  it("leaves out the line that would pass 51200 bytes, whole", () => {
    const page = createPage(FLAVOURS["1.2"]);
    for (let line = 0; line < 51; line += 1) addLine(page, "x".repeat(999));
    addLine(page, "é".repeat(101));
    expect(page).toMatchObject({ isCapped: true });
    expect(page.lines).toHaveLength(51);
    expect(Buffer.byteLength(page.lines.join("\n"))).toBe(50_999);
  });

  it("takes exactly 51200 bytes", () => {
    const page = createPage(FLAVOURS["1.2"]);
    for (let line = 0; line < 51; line += 1) addLine(page, "x".repeat(999));
    addLine(page, "x".repeat(200));
    expect(page.isCapped).toBe(false);
    expect(Buffer.byteLength(page.lines.join("\n"))).toBe(51_200);
  });
});
