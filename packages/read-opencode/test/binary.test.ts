import { describe, expect, it } from "vitest";
import { hasBinaryExtension, looksBinary } from "../src/binary.ts";
import { FLAVOURS } from "../src/flavour.ts";

describe("hasBinaryExtension", () => {
  it.each([
    ["a.zip", true, true],
    ["src/lib.so", true, true],
    ["A.ZIP", true, true],
    ["archive.tar.gz", true, true],
    ["a.pdf", true, false],
    ["a.png", true, false],
    ["a.woff2", true, false],
    ["a.dat", false, true],
    ["a.txt", false, false],
    ["a.zip.txt", false, false],
    ["dir.zip/readme", false, false],
    [".zip", false, false],
    ["zip", false, false],
    ["a.", false, false],
  ])("says of %s: %s in 1.2, %s in 1.18", (path, older, newer) => {
    expect(hasBinaryExtension(path, FLAVOURS["1.2"])).toBe(older);
    expect(hasBinaryExtension(path, FLAVOURS["1.18"])).toBe(newer);
  });
});

describe("looksBinary", () => {
  const controls = (count: number, of: number) => Buffer.alloc(of, "a").fill(1, 0, count);

  it.each([
    ["nothing", Buffer.alloc(0), false],
    ["text", Buffer.from("hello\tworld\r\n\f\v"), false],
    ["text that is not ASCII", Buffer.from("漢字 é"), false],
    ["one NUL", Buffer.from("hello\0world"), true],
    ["30 % controls", controls(30, 100), false],
    ["31 % controls", controls(31, 100), true],
    ["bytes 8 and 14 to 31", Buffer.of(8, 14, 27, 31, 97, 97, 97, 97, 97, 97, 97), true],
    ["bytes 9 to 13 and 32", Buffer.of(9, 10, 11, 12, 13, 32), false],
    ["DEL and high bytes", Buffer.of(127, 128, 255), false],
  ])("judges %s", (_what, sample, expected) => {
    expect(looksBinary(sample)).toBe(expected);
  });
});
