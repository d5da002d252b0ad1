import { Buffer } from "node:buffer";
import { mixedText, referenceLines } from "@fstools/testing";
import { createPacer } from "@fstools/sandbox";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { encodingNamed } from "../../src/encoding/text-encoding.ts";
import { checkpointBefore, countLines, type ScanOptions, scanText, seekLine } from "../../src/line-index/scan.ts";
import { sourceOf } from "../support.ts";

const UTF8 = await encodingNamed("utf-8", new Uint8Array());

function options(chunkBytes: number): ScanOptions {
  const pacer = createPacer(new AbortController().signal);
  return { chunkBytes, blockBytes: chunkBytes, checkpointBytes: 1, pacer };
}

const SMALL = "é\r\n漢字\r😀 a\n\n\r\r\nz€\r\nlast";

describe("scanText of UTF-8", () => {
  // Rule: Characters that straddle a chunk border, and `\r\n` there, are right at every split point.
  it("is right at every split point of a small file", async () => {
    for (const shift of ["", "x", "xy", "xyz"]) {
      const text = shift + SMALL;
      const bytes = Buffer.from(text);
      for (let chunkBytes = 4; chunkBytes <= bytes.length + 1; chunkBytes++) {
        const index = await scanText(sourceOf(bytes), UTF8, options(chunkBytes));
        expect(index).toMatchObject({ totalLines: referenceLines(text).length, isFlawless: true });
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
    const index = await scanText(sourceOf(Buffer.from(text)), UTF8, options(4));
    expect(index.totalLines).toBe(totalLines);
  });

  it.each([
    ["a lone continuation byte", [0x61, 0x80, 0x62]],
    ["a character cut by the end of the file", [0x61, 0xe6, 0xbc]],
    ["an overlong form", [0xc0, 0xaf, 0x61, 0x61, 0x61]],
    ["a surrogate", [0xed, 0xa0, 0x80, 0x61, 0x61]],
    ["a byte that never occurs", [0x61, 0x61, 0x61, 0x61, 0x61, 0xff]],
  ])("sees %s", async (_name, bytes) => {
    for (const chunkBytes of [4, 5, 100]) {
      const index = await scanText(sourceOf(Buffer.from(bytes)), UTF8, options(chunkBytes));
      expect(index.isFlawless).toBe(false);
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
        const { checkpoints, totalLines } = await scanText(sourceOf(bytes), UTF8, options(chunkBytes));
        expect(totalLines).toBe(lines.length);
        for (const [index, line] of lines.entries()) {
          const {
            byte,
            line: number,
            column,
          } = checkpointBefore(checkpoints, { line: index + 1, column: Array.from(line).length + 1 });
          const rest = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(byte));
          const expected = Array.from(lines[number - 1] ?? "")
            .slice(column - 1)
            .join("");
          expect(referenceLines(rest)[0] ?? "").toBe(expected);
        }
      }),
    );
  });

  it("gives the event loop its turn and obeys an abort", async () => {
    const bytes = Buffer.alloc(5_000_000, "abc\n");
    const abort = new AbortController();
    const scan = scanText(sourceOf(bytes), UTF8, {
      ...options(100),
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
        for (const [index, line] of lines.entries()) {
          const start = { byte: 0, line: 1, column: 1 };
          const found = await seekLine(sourceOf(bytes), start, index + 1, options(chunkBytes));
          expect(found).toMatchObject({ line: index + 1, column: 1 });
          expect(referenceLines(bytes.subarray(found.byte).toString())[0] ?? "").toBe(line);
        }
      }),
    );
  });

  it("finds lines in a chunk that is halved first, wherever the halves meet", async () => {
    const samples = ["ab\r\n", "\r", "\n", "é\r", "a\n\rxyz\r\n"].map((line) => line.repeat(20_000 / line.length));
    for (const text of [...samples, samples.join("").slice(0, 29_000)]) {
      const bytes = Buffer.from(text);
      const starts = [...text.matchAll(/\r\n|\r|\n/gu)].map((end) =>
        Buffer.byteLength(text.slice(0, end.index + end[0].length)),
      );
      for (let line = 2; line <= starts.length; line += 97) {
        const found = await seekLine(sourceOf(bytes), { byte: 0, line: 1, column: 1 }, line, options(30_000));
        expect(found).toEqual({ byte: starts[line - 2], line, column: 1 });
      }
    }
  });
});

async function scanDecoded(bytes: Buffer, encoding: string, blockBytes: number, stopAtFlaw = false) {
  return scanText(sourceOf(bytes), await encodingNamed(encoding, bytes), {
    ...options(blockBytes),
    stopAtFlaw,
  });
}

describe.each(["gb18030", "shift_jis", "big5", "euc-kr", "windows-1252", "utf-16le", "utf-16be"])(
  "scanText of %s",
  (encoding) => {
    it("counts lines and keeps checkpoints that agree with the decoded text, whatever the block size", async () => {
      await fc.assert(
        fc.asyncProperty(mixedText, fc.integer({ min: 4, max: 16 }), async (text, blockBytes) => {
          const bytes = iconv.encode(text, encoding, { addBOM: false });
          const decoded = iconv.decode(bytes, encoding);
          const lines = referenceLines(decoded);
          const { checkpoints, totalLines } = await scanDecoded(bytes, encoding, blockBytes);
          expect(totalLines).toBe(lines.length);
          for (const [index, line] of lines.entries()) {
            const {
              byte,
              line: number,
              column,
            } = checkpointBefore(checkpoints, { line: index + 1, column: Array.from(line).length + 1 });
            const rest = referenceLines(iconv.decode(bytes.subarray(byte), encoding))[0] ?? "";
            expect(rest).toBe(
              Array.from(lines[number - 1] ?? "")
                .slice(column - 1)
                .join(""),
            );
          }
        }),
      );
    });
  },
);

describe("scanText of another encoding", () => {
  it("tells whether a character had to be replaced, and stops there if asked to", async () => {
    const bytes = Buffer.concat([iconv.encode("中文\n", "gb18030"), Buffer.from([0xff]), Buffer.from("\n\n\n\n\n\n")]);
    expect(await scanDecoded(bytes, "gb18030", 4)).toMatchObject({ isFlawless: false, totalLines: 7 });
    const stopped = await scanDecoded(bytes, "gb18030", 4, true);
    expect(stopped.isFlawless).toBe(false);
    expect(stopped.totalLines).toBeLessThan(7);
  });
});

describe("scanText that runs out of time", () => {
  it.each(["utf-8", "gb18030", "utf-16le"])("goes on where it stopped: %s", async (name) => {
    const text = "é漢字\r\nab\n\rlast line".repeat(20);
    const bytes = iconv.encode(text, name);
    const encoding = await encodingNamed(name, bytes);
    const busy = { due: () => true, rest: () => Promise.resolve() };
    const whole = await scanText(sourceOf(bytes), encoding, options(16));
    let index = await scanText(sourceOf(bytes), encoding, { ...options(16), pacer: busy, isOver: () => true });
    expect(index.totalLines).toBeUndefined();
    for (let calls = 0; index.totalLines === undefined; calls++) {
      expect(calls).toBeLessThan(200);
      let chunks = 0;
      const pass = { ...options(16), pacer: busy, isOver: () => ++chunks > 2 };
      index = await scanText(sourceOf(bytes), encoding, pass, index);
    }
    expect(index.totalLines).toBe(whole.totalLines);
    expect(index.totalLines).toBe(referenceLines(text).length);
    for (let line = 1; line <= index.totalLines; line++) {
      const { byte, line: at, column } = checkpointBefore(index.checkpoints, { line: line, column: 1 });
      const rest = referenceLines(iconv.decode(bytes.subarray(byte), name))[0] ?? "";
      const expected = Array.from(referenceLines(text)[at - 1] ?? "").slice(column - 1);
      expect(rest).toBe(expected.join(""));
    }
  });
});

it("does not accept an encoding that there was no time to try to the end", async () => {
  const busy = { due: () => true, rest: () => Promise.resolve() };
  const bytes = iconv.encode("中文".repeat(100), "gb18030");
  const encoding = await encodingNamed("gb18030", bytes);
  const tried = { ...options(16), pacer: busy, isOver: () => true, stopAtFlaw: true };
  expect(await scanText(sourceOf(bytes), encoding, tried)).toMatchObject({ totalLines: undefined, isFlawless: false });
  expect(await scanText(sourceOf(bytes), encoding, { ...tried, stopAtFlaw: false })).toMatchObject({
    isFlawless: true,
  });
});

describe("countLines", () => {
  it.each(["any", "newline"] as const)("counts from any line on, with %s line ends", async (lineEnds) => {
    const starts = lineEnds === "any" ? /\r\n|\r|\n/gu : /\n/gu;
    await fc.assert(
      fc.asyncProperty(
        mixedText,
        fc.nat({ max: 30 }),
        fc.integer({ min: 4, max: 20 }),
        async (text, skip, chunkBytes) => {
          const ends = [...text.matchAll(starts)].map((end) => end.index + end[0].length);
          const lines = [0, ...ends];
          const at = skip % lines.length;
          const from = { byte: Buffer.byteLength(text.slice(0, lines[at])), line: at + 1, column: 1 };
          const expected = ends.at(-1) === text.length || text === "" ? ends.length : ends.length + 1;
          const count = await countLines(sourceOf(Buffer.from(text)), from, {
            ...options(chunkBytes),
            lineEnds,
          });
          expect(count).toBe(expected);
        },
      ),
    );
  });
});
