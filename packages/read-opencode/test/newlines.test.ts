import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countNewlines, positionAfterNewlines } from "../src/newlines.ts";

const NEAR_NEWLINE = fc.constantFrom(0x00, 0x09, 0x0a, 0x0b, 0x1a, 0x2a, 0x4a, 0x7f, 0x80, 0x8a, 0xf5, 0xff);

describe("countNewlines", () => {
  it("agrees with a byte by byte count for any bytes at any alignment", () => {
    fc.assert(
      fc.property(fc.array(NEAR_NEWLINE, { maxLength: 60 }), fc.nat(7), (bytes, shift) => {
        const chunk = Uint8Array.from([...Array<number>(shift).fill(0x0a), ...bytes]).subarray(shift);
        expect(countNewlines(chunk)).toBe(bytes.filter((byte) => byte === 0x0a).length);
      }),
    );
  });

  it.each([1, 254, 255, 256, 1020, 1021, 4096, 100_003])("counts %i newlines in a row", (length) => {
    expect(countNewlines(new Uint8Array(length).fill(0x0a))).toBe(length);
  });
});

describe("positionAfterNewlines", () => {
  it.each([
    [0, 0],
    [1, 2],
    [2, 3],
    [3, 6],
  ])("after %i newlines of 'a, empty, bb, c' stands at %i", (count, position) => {
    expect(positionAfterNewlines(new TextEncoder().encode("a\n\nbb\nc"), count)).toBe(position);
  });
});
