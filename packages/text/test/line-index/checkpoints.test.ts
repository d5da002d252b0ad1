import { describe, expect, it } from "vitest";
import { encodingNamed } from "../../src/encoding/text-encoding.ts";
import { type Checkpoints, checkpointBefore, scanText } from "../../src/line-index/scan.ts";
import { createPacer } from "@fstools/sandbox";
import { sourceOf } from "../support.ts";

describe("checkpointBefore", () => {
  it("finds the last checkpoint at or before a place", () => {
    const checkpoints: Checkpoints = [
      { byte: 0, line: 1, column: 1 },
      { byte: 10, line: 3, column: 1 },
      { byte: 20, line: 3, column: 11 },
      { byte: 30, line: 7, column: 1 },
    ];
    const byteBefore = (line: number, column: number) => checkpointBefore(checkpoints, { line, column }).byte;
    expect(byteBefore(1, 1)).toBe(0);
    expect(byteBefore(2, 999)).toBe(0);
    expect(byteBefore(3, 1)).toBe(10);
    expect(byteBefore(3, 10)).toBe(10);
    expect(byteBefore(3, 11)).toBe(20);
    expect(byteBefore(6, 1)).toBe(20);
    expect(byteBefore(100, 1)).toBe(30);
  });
});

describe("scanText", () => {
  it("keeps no checkpoint that is too near to the last", async () => {
    const bytes = Buffer.from("abc\n".repeat(10));
    const sizes = { chunkBytes: 4, blockBytes: 4, checkpointBytes: 10, pacer: createPacer() };
    const encoding = await encodingNamed("utf-8", bytes);
    const { checkpoints } = await scanText(sourceOf(bytes), encoding, sizes);
    expect(checkpoints.map(({ byte }) => byte)).toEqual([0, 12, 24, 36]);
  });
});
