import { createSandbox } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { readOutcome } from "../src/format.ts";
import { FLAVOURS, type OpencodeVersion } from "../src/flavour.ts";
import type { FileContent } from "../src/format.ts";

function outcomeOf(page: Partial<FileContent["page"]>, version: OpencodeVersion = "1.2") {
  const { root: path } = createSandbox({ projectRoot: fixture().root });
  const whole = { lines: ["a", "b"], end: "file", total: 12, cutLines: 0, isDamaged: false, ...page } as const;
  return readOutcome({ kind: "file", path, first: 11, page: whole, sizeBytes: 99 }, FLAVOURS[version]);
}

describe("readOutcome", () => {
  it("has no discount for a page that ends with the file", () => {
    const { data, discounts, stats, summary } = outcomeOf({});
    expect(data).toMatchObject({ truncated: false });
    expect(discounts).toEqual([]);
    expect(stats).toEqual({ lines_read: 2, total_lines: 12, file_size_bytes: 99 });
    expect(summary(5)).toEqual(["Read 2 lines from '.' (Lines 11-12).", "(Took 5ms)"]);
  });

  it.each([
    ["bytes", "1.2", "Showing lines 11-12 (output capped at 50 KB).", false],
    ["limit", "1.2", "Showing lines 11-12.", false],
    ["bytes", "1.18", "Showing lines 11-12 (output capped at 50 KB).", false],
    ["limit", "1.18", "Showing lines 11-12 of 12.", true],
  ] as const)("names the next offset when the %s ended a page of %s: %s", (end, version, reason, tellsTotal) => {
    const { data, discounts, stats } = outcomeOf({ end }, version);
    expect(data.truncated).toBe(true);
    expect(discounts).toEqual([
      { label: "Truncated", reason, next: "Use offset=13 to continue.", change: { offset: 13 } },
    ]);
    expect(Object.hasOwn(stats ?? {}, "total_lines")).toBe(tellsTotal);
  });

  it("counts a cut line as truncated", () => {
    const { data, discounts } = outcomeOf({ cutLines: 2 });
    expect(data.truncated).toBe(true);
    expect(discounts).toMatchObject([{ label: "Truncated", reason: "Lines cut at 2000 characters: 2." }]);
  });

  it("warns of bytes that are not UTF-8", () => {
    const { data, discounts } = outcomeOf({ isDamaged: true });
    expect(data).toMatchObject({ truncated: false, fallback_encoding: "replace" });
    expect(discounts).toMatchObject([{ label: "Warning", reason: "Not valid UTF-8; bad bytes shown as U+FFFD." }]);
  });

  it("does not number the lines of a page without lines", () => {
    expect(outcomeOf({ lines: [], total: 0 }).summary(0)[0]).toBe("Read 0 lines from '.'.");
  });
});
