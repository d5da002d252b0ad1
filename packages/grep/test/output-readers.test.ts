import { describe, expect, it } from "vitest";
import { createRowReader, createSpanReader, type OutputReader } from "../src/engine/ripgrep/output.ts";

const NAMES = ["/proc/self/fd/3", "/a\nb", "/proc/self/fd/5"];

/** The same bytes, in pieces of every size; matches of one text in one list. */
function inPieces(printed: string, size: number, reader: OutputReader) {
  const bytes = Buffer.from(printed);
  const found: Record<number, object[] | undefined> = {};
  for (let at = 0; at < bytes.length; at += size) {
    for (const { index, hits } of reader.read(bytes.subarray(at, at + size))) (found[index] ??= []).push(...hits);
  }
  return { found, searched: reader.searched() };
}

describe("rows", () => {
  const rows =
    "/proc/self/fd/3\x001:1:0:[Omitted long line with 1 matches]\n/proc/self/fd/3\x0012:5:200:x\n/a\nb\x003:1:7:\n" +
    "/proc/self/fd/5\x001:2:0:\n";

  it.each([1, 3, 1000])("are read from pieces of %d bytes, with the number of searched files", (size) => {
    const printed = `${rows}\n4 matches\n3 files searched\n0.1 seconds total\n`;
    expect(inPieces(printed, size, createRowReader(NAMES))).toEqual({
      found: {
        0: [
          { line: 1, lineStart: 0, start: 0 },
          { line: 12, lineStart: 200, start: 204 },
        ],
        1: [{ line: 3, lineStart: 7, start: 7 }],
        2: [{ line: 1, lineStart: 0, start: 1 }],
      },
      searched: 3,
    });
  });

  it("without figures do not say that everything was searched", () => {
    expect(inPieces(rows, 1000, createRowReader(NAMES)).searched).toBeUndefined();
  });

  const NAME = "/proc/self/fd/3\x00";
  it.each([
    "hello\x00\n",
    `${NAME}1\n`,
    `${NAME}1:x:2:\n`,
    `${NAME}0:1:1:\n`,
    `${NAME}1:0:1:\n`,
    `${NAME}1:1:5:\n${NAME}2:1:5:\n`,
    `/proc/self/fd/5\x001:1:0:\n${NAME}1:1:0:\n`,
    "1".repeat(10_000),
    `${NAME}:::\n`,
  ])("%j are none", (printed) => {
    expect(() => createRowReader(NAMES).read(Buffer.from(printed))).toThrow("rg_failed");
  });
});

describe("JSON", () => {
  const match = (path: string) =>
    JSON.stringify({
      type: "match",
      data: {
        path: { text: path },
        lines: { text: 'a "start":1,' },
        line_number: 1,
        absolute_offset: 100,
        submatches: [
          { match: { text: "x" }, start: 1, end: 6 },
          { match: { bytes: "eA==" }, start: 8, end: 8 },
          { match: { text: "x" }, start: 9, end: 10 },
        ],
      },
    });
  const end = JSON.stringify({ data: { elapsed_total: { secs: 0 }, stats: { searches: 3 } }, type: "summary" });

  it.each([1, 7, 10_000])("is read from pieces of %d bytes, without what is empty", (size) => {
    const printed = `{"type":"begin","data":{"path":{"text":"x"}}}\n${match("/a\nb")}\n${end}\n`;
    expect(inPieces(printed, size, createSpanReader(NAMES))).toEqual({
      found: {
        1: [
          { start: 101, end: 106 },
          { start: 109, end: 110 },
        ],
      },
      searched: 3,
    });
  });

  it.each([
    "hello\n",
    "{}\n",
    '{"type":"match","data":{}}\n',
    `${match("/other")}\n`,
    `${match("/a\nb").replace("100", "-1")}\n`,
  ])("is refused if it is not ripgrep's: %s", (printed) => {
    expect(() => createSpanReader(NAMES).read(Buffer.from(printed))).toThrow("rg_failed");
  });
});
