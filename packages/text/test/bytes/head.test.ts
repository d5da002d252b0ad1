import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { fileKind, isBinary, markedEncoding } from "../../src/bytes/head.ts";

describe("isBinary", () => {
  it.each([
    ["plain text", "61", false],
    ["a NUL", "610062", true],
    ["a NUL in UTF-16 with its mark", "fffe610062", false],
    ["a NUL in UTF-16BE with its mark", "feff0061", false],
    ["a NUL in UTF-32 with its mark", "fffe000061000000", true],
    ["nothing", "", false],
  ])("%s", (_name, hex, expected) => {
    expect(isBinary(Buffer.from(hex, "hex"))).toBe(expected);
  });
});

describe("fileKind", () => {
  it.each([
    ["89504e470d0a1a0a0000000d", "a PNG image"],
    ["ffd8ffe000104a464946", "a JPEG image"],
    ["474946383961", "a GIF image"],
    ["52494646000000005745425056503820", "a WebP image"],
    ["255044462d312e37", "a PDF document"],
    ["504b0304", "a zip archive"],
    ["1f8b0800", "a gzip archive"],
    ["7f454c460201", "an ELF executable"],
    [Buffer.from("SQLite format 3\0").toString("hex"), "an SQLite database"],
    [Buffer.from(`${"\0".repeat(257)}ustar`).toString("hex"), "a tar archive"],
    ["00000018667479706d703432", "an MP4 video"],
    ["0061736d01000000", "a WebAssembly module"],
    ["68656c6c6f00", undefined],
    ["", undefined],
  ])("%s is %s", (hex, kind) => {
    expect(fileKind(Buffer.from(hex, "hex"))).toBe(kind);
  });
});

describe("markedEncoding", () => {
  it("takes no mark that is not whole", () => {
    for (const hex of ["ef", "efbb", "ff", "fe", "0000fe", "61efbbbf"]) {
      expect(markedEncoding(Buffer.from(hex, "hex"))).toBeUndefined();
    }
  });
});
