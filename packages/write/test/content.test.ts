import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { countLines, encodeContent, toUtf8, withoutMark } from "../src/content.ts";

const UTF8 = Buffer.from([0xef, 0xbb, 0xbf]);
const LE = Buffer.from([0xff, 0xfe]);
const BE = Buffer.from([0xfe, 0xff]);

describe("encodeContent", () => {
  it.each([
    ["no old file", Buffer.alloc(0), "é\n", Buffer.from("é\n")],
    ["UTF-8 without a mark", Buffer.from("old"), "é", Buffer.from("é")],
    ["a mark of UTF-8", Buffer.concat([UTF8, Buffer.from("old")]), "é", Buffer.concat([UTF8, Buffer.from("é")])],
    ["UTF-16, little", LE, "é😀", Buffer.from("\ufeffé😀", "utf16le")],
    ["UTF-16, big", BE, "é😀", Buffer.from("\ufeffé😀", "utf16le").swap16()],
  ])("keeps what the old file says: %s", (_, old, content, bytes) => {
    expect(encodeContent(content, old).equals(bytes)).toBe(true);
  });
});

describe("withoutMark", () => {
  it("takes off the mark that the old file has too, and no other", () => {
    for (const old of [UTF8, LE, BE]) {
      expect(withoutMark("\ufeffé", old)).toBe("é");
      expect(withoutMark("é", old)).toBe("é");
    }
    expect(withoutMark("\ufeffé", Buffer.from("old"))).toBe("\ufeffé");
  });
});

describe("toUtf8", () => {
  it("reads what was written, its mark included", () => {
    expect(toUtf8(encodeContent("é😀\r\n", Buffer.alloc(0)))?.toString()).toBe("é😀\r\n");
    for (const old of [UTF8, LE, BE]) expect(toUtf8(encodeContent("é😀\r\n", old))?.toString()).toBe("\ufeffé😀\r\n");
  });

  it("does not read what is binary", () => {
    expect(toUtf8(Buffer.from([1, 0, 2]))).toBeUndefined();
  });
});

describe("countLines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\nb", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb", 2],
    ["a\r", 1],
    ["\n\n", 2],
    ["a\n\rb", 3],
  ])("%j has %i lines", (content, lines) => {
    expect(countLines(content)).toBe(lines);
  });
});
