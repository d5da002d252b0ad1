import { Buffer } from "node:buffer";
import { utimesSync, writeFileSync } from "node:fs";
import { createPacer, type SandboxFile } from "@fstools/sandbox";
import { contentLines, ENCODED_SAMPLES, fixture, mixedText, referenceLines } from "@fstools/testing";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { encodingNamed } from "../src/encoding/text-encoding.ts";
import { collectLines, createTextReader, type TextReader } from "../src/text-reader.ts";
import { counted, LIMITS, openFile, readPage, sourceOf } from "./support.ts";

const MIB = 1024 * 1024;
const signal = new AbortController().signal;

async function settledFile(content: string | Uint8Array) {
  const { root, path } = fixture({ "a.txt": content });
  utimesSync(path("a.txt"), new Date(0), new Date(0));
  return { root, file: counted(await openFile(root, "a.txt")) };
}

interface PageCall {
  readonly startLine?: number;
  readonly startColumn?: number;
  readonly encoding?: string | undefined;
  readonly fallbackEncodings?: readonly string[];
}

/** Reads a page and returns how many bytes of the file were read for it. */
async function cost(reader: TextReader, file: ReturnType<typeof counted>, call: PageCall = {}) {
  const { startLine = 1, startColumn = 1, encoding, fallbackEncodings = [] } = call;
  const before = file.bytesRead();
  const page = await reader.read(
    file,
    { ...LIMITS, start: { line: startLine, column: startColumn }, limit: 500, encoding, fallbackEncodings },
    signal,
  );
  return { page, bytes: file.bytesRead() - before };
}

describe("checkpoints", () => {
  // Rule: With checkpoints a later page costs only the page, also inside one line and in other encodings.
  it("make later pages of a big file cost the page, not the file", async () => {
    const { file } = await settledFile(Buffer.alloc(16 * MIB, "0123456789abcde\n"));
    const reader = createTextReader();
    expect((await cost(reader, file)).bytes).toBeGreaterThan(16 * MIB);
    for (const startLine of [501, 300_000, 500_000, MIB - 100]) {
      const { page, bytes } = await cost(reader, file, { startLine });
      expect(page.content.startsWith(`${String(startLine).padStart(4)} | 0123456789abcde\n`)).toBe(true);
      expect(page.totalLines).toBe(MIB);
      expect(bytes).toBeLessThan(2 * MIB);
    }
  });

  it("reach into the middle of one giant line", async () => {
    const { file } = await settledFile("é漢😀x".repeat(1.6 * MIB));
    const reader = createTextReader();
    await cost(reader, file);
    for (const startColumn of [1_000_000, 4_000_001, 6_700_000]) {
      const { page, bytes } = await cost(reader, file, { startColumn });
      const expected = Array.from("é漢😀x".repeat(2)).slice((startColumn - 1) % 4, ((startColumn - 1) % 4) + 4);
      expect(page.content.startsWith(`   1 | ${expected.join("")}`)).toBe(true);
      expect(bytes).toBeLessThan(2 * MIB);
    }
  });

  it("reach into other encodings, also where no blank marks a boundary", async () => {
    const { file } = await settledFile(iconv.encode("中文😀x".repeat(0.5 * MIB), "gb18030"));
    const reader = createTextReader();
    await cost(reader, file, { encoding: "gb18030" });
    const { page, bytes } = await cost(reader, file, { encoding: "gb18030", startColumn: 1_999_997 });
    expect(page.content.startsWith("   1 | 中文😀x中文")).toBe(true);
    expect(bytes).toBeLessThan(2 * MIB);
  });

  it("remember that the file is not UTF-8, and which encoding was used instead", async () => {
    const lines = iconv.encode("中文第二行\n".repeat(200_000), "gb18030");
    const { file } = await settledFile(lines);
    const reader = createTextReader();
    const options = { fallbackEncodings: ["shift_jis", "gb18030"] };
    expect((await cost(reader, file, options)).bytes).toBeGreaterThan(2 * lines.length);
    const later = await cost(reader, file, { ...options, startLine: 199_999 });
    expect(later.page).toMatchObject({ encoding: "gb18030", fallback: "gb18030" });
    expect(later.page.content).toBe("199999 | 中文第二行\n200000 | 中文第二行\n");
    expect(later.bytes).toBeLessThan(1.5 * MIB);
  });

  it("are not kept for a file that changed within the last 2 s, however long its reading takes", async () => {
    const { root } = fixture({ "a.txt": Buffer.alloc(4 * MIB, "0123456789abcde\n") });
    const opened = await openFile(root, "a.txt");
    vi.useFakeTimers({ toFake: ["Date"], now: opened.mtimeMs + 1000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const slowRead: typeof opened.read = (target, position) => {
      vi.setSystemTime(Date.now() + 1000);
      return opened.read(target, position);
    };
    const reader = createTextReader();
    await cost(reader, counted({ ...opened, read: slowRead }));
    expect((await cost(reader, counted(opened), { startLine: 200_000 })).bytes).toBeGreaterThan(4 * MIB);
  });

  it("are dropped when the file changes", async () => {
    const { root, file } = await settledFile(Buffer.alloc(4 * MIB, "0123456789abcde\n"));
    const reader = createTextReader();
    await cost(reader, file);
    utimesSync(`${root}/a.txt`, new Date(1000), new Date(1000));
    const changed = counted(await openFile(root, "a.txt"));
    expect((await cost(reader, changed, { startLine: 200_000 })).bytes).toBeGreaterThan(4 * MIB);
  });
});

describe("createTextReader", () => {
  it("reads the same pages with the tiniest chunks and blocks, past every border", async () => {
    const text = "é\r\n漢字\r😀 a\n\n\r\r\nz€\r\nlast";
    const { file } = await settledFile(text);
    const lines = text.split(/\r\n|\r|\n/u);
    for (let bytes = 4; bytes < 24; bytes++) {
      for (let startLine = 1; startLine <= lines.length; startLine++) {
        const tiny = { chunkBytes: bytes, blockBytes: bytes, checkpointBytes: 1, smallFileBytes: 0 };
        const page = await readPage(file, { startLine, limit: 2 }, tiny);
        expect(page.totalLines).toBe(lines.length);
        expect(page.content).toBe(
          lines
            .slice(startLine - 1, startLine + 1)
            .map((line, index) => `   ${startLine + index} | ${line}\n`)
            .join(""),
        );
      }
    }
  });

  it("finds any place of any text from its checkpoints, in any encoding", async () => {
    const { root, path } = fixture({ "a.txt": "" });
    const encodings = fc.constantFrom(undefined, "gb18030", "utf-16le");
    const place = fc.record({ line: fc.nat({ max: 1000 }), column: fc.nat({ max: 1000 }) });
    await fc.assert(
      fc.asyncProperty(
        mixedText,
        encodings,
        fc.integer({ min: 4, max: 16 }),
        place,
        async (text, encoding, bytes, at) => {
          const lines = referenceLines(text);
          fc.pre(lines.length > 0);
          writeFileSync(path("a.txt"), encoding === undefined ? text : iconv.encode(text, encoding, { addBOM: false }));
          utimesSync(path("a.txt"), new Date(0), new Date(0));
          const sizes = {
            chunkBytes: bytes,
            blockBytes: bytes,
            checkpointBytes: 1,
            smallFileBytes: 0,
            indexedFileBytes: 0,
          };
          const reader = createTextReader(sizes);
          const line = (at.line % lines.length) + 1;
          const characters = Array.from(lines[line - 1] ?? "");
          const column = (at.column % Math.max(1, characters.length)) + 1;
          const expected = [characters.slice(column - 1).join(""), ...lines.slice(line)];
          for (let times = 0; times < 2; times++) {
            const file = await openFile(root, "a.txt");
            const { page } = await cost(reader, counted(file), { startLine: line, startColumn: column, encoding });
            file.close();
            expect(contentLines(page.content).map((row) => row.text)).toEqual(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("reads the same at once and in chunks", async () => {
    const { file } = await settledFile("a\r\nb\rc\né\n".repeat(5000));
    const small = await readPage(file, { startLine: 19_999 }, { smallFileBytes: MIB });
    const big = await readPage(file, { startLine: 19_999 }, { smallFileBytes: 0 });
    expect(small).toEqual(big);
    expect(small.totalLines).toBe(20_000);
  });
});

describe("a deadline", () => {
  const tiny = { chunkBytes: 16, blockBytes: 16, checkpointBytes: 1, smallFileBytes: 0, indexedFileBytes: 0 };
  const request = { ...LIMITS, limit: 500, encoding: undefined, fallbackEncodings: [] };
  const outOfTime = { ...request, maxDurationMs: 1 };

  /** A file of which a call has time to read one chunk only. */
  function slow(file: SandboxFile): SandboxFile {
    return {
      ...file,
      read: (target, position) => {
        const end = performance.now() + 10;
        while (performance.now() < end);
        return file.read(target, position);
      },
    };
  }

  it.each([
    [[], { encoding: "utf-8 (replace)", fallback: "replace", content: "  21 | caf\ufffd\n" }],
    [["shift_jis", "windows-1252"], { encoding: "windows-1252", fallback: "windows-1252", content: "  21 | café\n" }],
  ])(
    "does not hide bad bytes that a later call finds, with %j to fall back on",
    async (fallbackEncodings, expected) => {
      const { file } = await settledFile(Buffer.from(`${"abc\n".repeat(20)}café\n`, "latin1"));
      const reader = createTextReader(tiny);
      const start = { line: 21, column: 1 };
      await expect(reader.read(slow(file), { ...outOfTime, start, fallbackEncodings }, signal)).rejects.toThrow(
        "too_slow",
      );
      const page = await reader.read(file, { ...request, start, fallbackEncodings }, signal);
      expect(page).toMatchObject({ ...expected, totalLines: 21 });
    },
  );

  it("does not hide the bad bytes of a page past what was scanned", async () => {
    const { file } = await settledFile(Buffer.from(`${"abc\n".repeat(4)}café\n`, "latin1"));
    const start = { line: 1, column: 1 };
    const page = await createTextReader(tiny).read(slow(file), { ...outOfTime, start }, signal);
    expect(page).toMatchObject({ encoding: "utf-8 (replace)", fallback: "replace", next: undefined });
    const whole = await settledFile(`${"abc\n".repeat(4)}caf\ufffd\n`);
    const valid = await createTextReader(tiny).read(slow(whole.file), { ...outOfTime, start }, signal);
    expect(valid).toMatchObject({ encoding: "utf-8", fallback: undefined });
  });

  it.each(["\n", "\r\n", "\r"])("does not hide that a full page ends at the end of the file, after %j", async (end) => {
    const { file } = await settledFile(`abc${end}`.repeat(8));
    const start = { line: 1, column: 1 };
    const whole = await createTextReader(tiny).read(slow(file), { ...outOfTime, start, limit: 8 }, signal);
    expect(whole).toMatchObject({ lines: 8, totalLines: 8, next: undefined });
    const part = await createTextReader(tiny).read(slow(file), { ...outOfTime, start, limit: 7 }, signal);
    expect(part).toMatchObject({ lines: 7, totalLines: undefined, next: { line: 8, column: 1 } });
  });

  it("does not hide the length of a line that ends where the time was over", async () => {
    const { file } = await settledFile(`${"y".repeat(16)}\n${"abc\n".repeat(20)}`);
    const start = { line: 1, column: 17 };
    const reading = createTextReader(tiny).read(slow(file), { ...outOfTime, start }, signal);
    await expect(reading).rejects.toMatchObject({ problem: { reason: "column_past_end", lineLength: 16 } });
  });
});

describe("collectLines", () => {
  it.each(["any", "newline"] as const)(
    "finds lines that end at %s line end, whatever the block size",
    async (lineEnds) => {
      const ends = lineEnds === "any" ? /\r\n|\r|\n/u : /\n/u;
      const utf8 = await encodingNamed("utf-8", new Uint8Array());
      await fc.assert(
        fc.asyncProperty(
          mixedText,
          fc.nat({ max: 50 }),
          fc.integer({ min: 4, max: 20 }),
          async (text, skip, blockBytes) => {
            const all = text.split(ends);
            const line = (skip % all.length) + 1;
            const taken: string[] = [];
            const request = {
              from: { byte: 0, line: 1, column: 1 },
              start: { line, column: 1 },
              maxUnits: 1000,
              lineEnds,
              emptyLastLine: true,
              countsOn: false,
              take: (part: string) => taken.push(part) > 0,
            };
            const options = { blockBytes, pacer: createPacer() };
            const { lines, isOver } = await collectLines(sourceOf(Buffer.from(text)), utf8, request, options);
            expect(taken).toEqual(all.slice(line - 1));
            expect({ lines, isOver }).toEqual({ lines: all.length, isOver: true });
          },
        ),
      );
    },
  );
});

describe.each(ENCODED_SAMPLES)("real text in %s", (encoding, sample) => {
  const text = sample.repeat(3);
  const lines = text.split(/\r?\n/u).slice(0, -1);

  it("is right at every border between blocks", async () => {
    const { root } = fixture({ "a.txt": iconv.encode(text, encoding, { addBOM: false }) });
    const file = await openFile(root, "a.txt");
    for (let blockBytes = 4; blockBytes < 40; blockBytes++) {
      const page = await readPage(file, { encoding }, { blockBytes, checkpointBytes: 1, smallFileBytes: 0 });
      expect(page).toMatchObject({ totalLines: lines.length, fallback: undefined });
      expect(page.content).toBe(lines.map((line, index) => `${String(index + 1).padStart(4)} | ${line}\n`).join(""));
    }
  });
});
