import { describe, expect, it } from "vitest";
import { createJsonHits } from "../src/engine/ripgrep/json-hits.ts";
import { createRowReader } from "../src/engine/ripgrep/rows.ts";

/** The same bytes, in pieces of every size. */
function inPieces<Item>(text: string, size: number, read: (piece: Buffer) => Iterable<Item>): Item[] {
  const bytes = Buffer.from(text);
  const items: Item[] = [];
  for (let at = 0; at < bytes.length; at += size) items.push(...read(bytes.subarray(at, at + size)));
  return items;
}

describe("rows", () => {
  it.each([1, 3, 1000])("are read from pieces of %d bytes", (size) => {
    const reader = createRowReader();
    const printed = "1:1:0:[Omitted long line with 1 matches]\n12:5:200:x\n13:1:205:\n";
    expect(inPieces(printed, size, (piece) => reader.read(piece))).toEqual([
      { line: 1, column: 1, lineStart: 0 },
      { line: 12, column: 5, lineStart: 200 },
      { line: 13, column: 1, lineStart: 205 },
    ]);
  });

  it.each(["hello\n", "1:2\n", "1:2:x:\n", "0:1:1:\n", "1:0:1:\n", "1:1:5:\n2:1:5:\n", "1".repeat(1000), ":::\n"])(
    "%j are none",
    (printed) => {
      expect(() => [...createRowReader().read(Buffer.from(printed))]).toThrow("rg_failed");
    },
  );
});

describe("JSON", () => {
  const text = String.raw`a \"start\":1,\\`;
  const message =
    `{"type":"match","data":{"path":{"text":"<stdin>"},"lines":{"text":"${text}"},"line_number":1,"absolute_offset":100,` +
    `"submatches":[{"match":{"text":"${text}"},"start":1,"end":6},{"match":{"bytes":"eA=="},"start":8,"end":8},` +
    `{"match":{"text":"x"},"start":9,"end":10}]}}\n`;

  it.each([1, 7, 10_000])("is read from pieces of %d bytes, without its strings and what is empty", (size) => {
    const reader = createJsonHits();
    const printed = `{"type":"begin","data":{"path":{"text":"<stdin>"}}}\n${message}{"type":"end","data":{"stats":{"end":3}}}\n`;
    expect(inPieces(printed, size, (piece) => reader.read(piece))).toEqual([
      { start: 101, end: 106 },
      { start: 109, end: 110 },
    ]);
  });

  it("is refused if it does not begin like JSON", () => {
    expect(() => [...createJsonHits().read(Buffer.from("hello\n"))]).toThrow("rg_failed");
  });
});
