import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { isBinary, markedEncoding } from "../../src/encoding/text-encoding.ts";

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

describe("markedEncoding", () => {
  it("does not accept an incomplete mark", () => {
    for (const hex of ["ef", "efbb", "ff", "fe", "0000fe", "61efbbbf"]) {
      expect(markedEncoding(Buffer.from(hex, "hex"))).toBeUndefined();
    }
  });
});
