import { Buffer } from "node:buffer";
import type { ToolResponse } from "@fstools/protocol";
import { conformant, contentLines, fixture, mixedText, referenceLines } from "@fstools/testing";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { createReadTool, type ReadData, type ReadToolOptions } from "../src/index.ts";

const HINT = /Use start_line=(?<line>\d+)(?: start_column=(?<column>\d+))? to continue\.\]/u;

interface Next {
  readonly start_line?: number;
  readonly start_column?: number;
}

function nextCall(text: string): Next | undefined {
  const groups = HINT.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { line, column } = groups;
  return { start_line: Number(line), ...(column === undefined ? {} : { start_column: Number(column) }) };
}

/** Follows the hints in `text` from the first page to the last; checks each page's own numbers on the way. */
async function followHints(options: ReadToolOptions, params: object): Promise<string[]> {
  const tool = createReadTool(options);
  const lines: string[] = [];
  let next: Next | undefined = {};
  for (let pages = 0; next !== undefined; pages++) {
    expect(pages).toBeLessThan(1000);
    const response: ToolResponse<ReadData> = conformant(await tool.run({ ...params, ...next }), "read");
    if (response.status === "error") throw new Error(response.text);
    const { data, stats, text } = response;
    const rows = contentLines(data.content);
    expect(stats).toMatchObject({ lines_read: rows.length, chars_read: Array.from(data.content).length });
    for (const row of rows) lines[row.number - 1] = (lines[row.number - 1] ?? "") + row.text;
    if (rows.length > 1) expect(Buffer.byteLength(data.content)).toBeLessThanOrEqual(options.maxPageBytes ?? 131072);
    next = nextCall(text);
    expect(data.truncated).toBe(next !== undefined);
    if (next === undefined) expect(stats.total_lines).toBe(lines.length);
  }
  return lines;
}

const pageSizes = fc.record({
  maxPageBytes: fc.integer({ min: 1, max: 60 }),
  maxLineChars: fc.integer({ min: 1, max: 12 }),
});

describe("following the hints in text", () => {
  // Rule: Following the hints in `text` reads every character; numbers agree with a naive reference.
  it("reads every character of any text, whatever the line lengths and page sizes", async () => {
    const { root, write } = fixture();
    await fc.assert(
      fc.asyncProperty(mixedText, pageSizes, fc.integer({ min: 1, max: 5 }), async (text, sizes, limit) => {
        write({ "a.txt": text });
        const lines = await followHints({ projectRoot: root, ...sizes }, { path: "a.txt", limit });
        expect(lines).toEqual(referenceLines(text));
      }),
      { numRuns: 150 },
    );
  });

  it("reads every character that a lossy decode of bad bytes gives", async () => {
    const { root, write } = fixture();
    const bytes = fc.array(
      fc.constantFrom(0x0a, 0x0d, 0x41, 0xc3, 0xa9, 0xe6, 0xbc, 0xa2, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xed, 0xa0),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, pageSizes, fc.integer({ min: 1, max: 5 }), async (values, sizes, limit) => {
        write({ "a.txt": Buffer.from(values) });
        const lines = await followHints({ projectRoot: root, ...sizes }, { path: "a.txt", limit });
        expect(lines).toEqual(referenceLines(new TextDecoder().decode(Buffer.from(values))));
      }),
      { numRuns: 150 },
    );
  });

  it.each(["gb18030", "shift_jis", "utf-16le", "utf-16be", "windows-1252"])(
    "reads every character of %s",
    async (encoding) => {
      const { root, write } = fixture();
      await fc.assert(
        fc.asyncProperty(mixedText, pageSizes, fc.integer({ min: 1, max: 5 }), async (text, sizes, limit) => {
          const bytes = iconv.encode(text, encoding, { addBOM: false });
          write({ "a.txt": bytes });
          const lines = await followHints({ projectRoot: root, ...sizes }, { path: "a.txt", limit, encoding });
          expect(lines).toEqual(referenceLines(iconv.decode(bytes, encoding)));
        }),
        { numRuns: 40 },
      );
    },
  );

  it("reads a file of several pages with the default sizes", async () => {
    const text = Array.from({ length: 3000 }, (_, index) => `${index} ${"漢字😀 ".repeat(index % 90)}`).join("\r\n");
    const { root } = fixture({ "a.txt": `${text}\n${"x".repeat(100_000)}` });
    const lines = await followHints({ projectRoot: root }, { path: "a.txt", limit: 2000 });
    expect(lines).toEqual([...text.split("\r\n"), "x".repeat(100_000)]);
  });
});
