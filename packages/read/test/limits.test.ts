import { describe, expect, it } from "vitest";
import { checkLimits } from "../src/limits.ts";

describe("checkLimits", () => {
  it("fills in the defaults", () => {
    expect(checkLimits({})).toEqual({ maxPageBytes: 131072, maxLineChars: 16384, fallbackEncodings: [] });
  });

  it.each([
    [{ maxPageBytes: 0 }, "maxPageBytes must be a positive integer, but is 0."],
    [{ maxLineChars: 1.5 }, "maxLineChars must be a positive integer, but is 1.5."],
    [{ maxLineChars: NaN }, "maxLineChars must be a positive integer, but is NaN."],
    [
      { fallbackEncodings: ["gb18030", "base64"] },
      "fallbackEncodings: 'base64' is not a known encoding, such as gb18030 or windows-1252.",
    ],
  ])("refuses %j", (limits, message) => {
    expect(() => checkLimits(limits)).toThrow(message);
  });

  it.each([["gb18030"], [[5]], [null]])(
    "refuses %j for fallbackEncodings, as a host without types may pass",
    (value) => {
      const limits: object = { fallbackEncodings: value };
      expect(() => checkLimits(limits)).toThrow("fallbackEncodings must be a list of encodings.");
    },
  );

  it("leaves out UTF-8, which is always tried first", () => {
    expect(checkLimits({ fallbackEncodings: ["utf-8", "big5"] }).fallbackEncodings).toEqual(["big5"]);
  });
});
