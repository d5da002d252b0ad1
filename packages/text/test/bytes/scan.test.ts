import { Buffer } from "node:buffer";
import { createPacer } from "@fstools/sandbox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWasmLineCounter } from "../../src/bytes/line-counter-wasm.ts";
import { createPlainLineCounter, type LineCounter } from "../../src/bytes/line-counter.ts";
import { scanUtf8, seekLine } from "../../src/bytes/scan.ts";
import { mixedText, referenceLines } from "../support.ts";

const counters: readonly LineCounter[] = [createPlainLineCounter(1000), createWasmLineCounter(1000)].filter(
  (counter) => counter !== undefined,
);

function sourceOf(bytes: Buffer) {
  return { size: bytes.length, read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position) };
}

function means(counter: LineCounter, chunkBytes: number) {
  return { counter, chunkBytes, checkpointBytes: 1, pacer: createPacer(new AbortController().signal) };
}

const SMALL = "é\r\n漢字\r😀 a\n\n\r\r\nz€\r\nlast";

describe("scanUtf8", () => {
  it("is right at every split point of a small file", async () => {
    expect(counters).toHaveLength(2);
    for (const counter of counters) {
      for (const shift of ["", "x", "xy", "xyz"]) {
        const text = shift + SMALL;
        const bytes = Buffer.from(text);
        for (let chunkBytes = 4; chunkBytes <= bytes.length + 1; chunkBytes++) {
          const index = await scanUtf8(sourceOf(bytes), 0, means(counter, chunkBytes));
          expect(index).toMatchObject({ totalLines: referenceLines(text).length, isFlawless: true });
        }
      }
    }
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["\n", 1],
    ["\r", 1],
    ["\r\n", 1],
    ["\n\r", 2],
    ["a\r\nb", 2],
  ])("counts the lines of %j", async (text, totalLines) => {
    for (const counter of counters) {
      const index = await scanUtf8(sourceOf(Buffer.from(text)), 0, means(counter, 4));
      expect(index.totalLines).toBe(totalLines);
    }
  });

  it.each([
    ["a lone continuation byte", [0x61, 0x80, 0x62]],
    ["a character cut by the end of the file", [0x61, 0xe6, 0xbc]],
    ["an overlong form", [0xc0, 0xaf, 0x61, 0x61, 0x61]],
    ["a surrogate", [0xed, 0xa0, 0x80, 0x61, 0x61]],
    ["a byte that never occurs", [0x61, 0x61, 0x61, 0x61, 0x61, 0xff]],
  ])("sees %s", async (_name, bytes) => {
    for (const counter of counters) {
      for (const chunkBytes of [4, 5, 100]) {
        const index = await scanUtf8(sourceOf(Buffer.from(bytes)), 0, means(counter, chunkBytes));
        expect(index.isFlawless).toBe(false);
      }
    }
  });

  it("keeps checkpoints whose byte, line and column agree with the decoded text, bad bytes included", async () => {
    const bad = fc.constantFrom([0x80], [0xe6, 0xbc], [0xf0, 0x9f], [0xff]);
    const good = mixedText.map((text) => [...Buffer.from(text)]);
    const content = fc.array(fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: bad }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 4, max: 20 }), async (parts, chunkBytes) => {
        const bytes = Buffer.from(parts.flat());
        const lines = referenceLines(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
        for (const counter of counters) {
          const { checkpoints, totalLines } = await scanUtf8(sourceOf(bytes), 0, means(counter, chunkBytes));
          expect(totalLines).toBe(lines.length);
          for (const [index, line] of lines.entries()) {
            const { byte, line: number, column } = checkpoints.before(index + 1, Array.from(line).length + 1);
            const rest = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(byte));
            const expected = Array.from(lines[number - 1] ?? "")
              .slice(column - 1)
              .join("");
            expect(referenceLines(rest)[0] ?? "").toBe(expected);
          }
        }
      }),
    );
  });

  it("gives the event loop its turn and heeds an abort", async () => {
    const bytes = Buffer.alloc(5_000_000, "abc\n");
    const [counter] = counters;
    if (counter === undefined) throw new Error("no counter");
    const abort = new AbortController();
    const scan = scanUtf8(sourceOf(bytes), 0, {
      ...means(counter, 100),
      pacer: createPacer(abort.signal, 1),
    });
    setImmediate(() => {
      abort.abort(new Error("enough"));
    });
    await expect(scan).rejects.toThrow("enough");
  });
});

describe("seekLine", () => {
  it("finds the first byte of every line", async () => {
    await fc.assert(
      fc.asyncProperty(mixedText, fc.integer({ min: 4, max: 20 }), async (text, chunkBytes) => {
        const bytes = Buffer.from(text);
        const lines = referenceLines(text);
        for (const counter of counters) {
          for (const [index, line] of lines.entries()) {
            const start = { byte: 0, line: 1, column: 1 };
            const found = await seekLine(sourceOf(bytes), start, index + 1, means(counter, chunkBytes));
            expect(found).toMatchObject({ line: index + 1, column: 1 });
            expect(referenceLines(bytes.subarray(found.byte).toString())[0] ?? "").toBe(line);
          }
        }
      }),
    );
  });

  it("finds lines in a chunk that is halved first, wherever the halves meet", async () => {
    const big: readonly LineCounter[] = [createPlainLineCounter(30_000), createWasmLineCounter(30_000)].filter(
      (counter) => counter !== undefined,
    );
    const samples = ["ab\r\n", "\r", "\n", "é\r", "a\n\rxyz\r\n"].map((line) => line.repeat(20_000 / line.length));
    for (const text of [...samples, samples.join("").slice(0, 29_000)]) {
      const bytes = Buffer.from(text);
      const starts = [...text.matchAll(/\r\n|\r|\n/gu)].map((end) =>
        Buffer.byteLength(text.slice(0, end.index + end[0].length)),
      );
      for (const counter of big) {
        for (let line = 2; line <= starts.length; line += 97) {
          const found = await seekLine(sourceOf(bytes), { byte: 0, line: 1, column: 1 }, line, means(counter, 30_000));
          expect(found).toEqual({ byte: starts[line - 2], line, column: 1 });
        }
      }
    }
  });
});
