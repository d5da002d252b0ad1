import { createPacer } from "@fstools/sandbox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLAVOURS, type OpencodeVersion } from "../src/flavour.ts";
import { readLines } from "../src/lines.ts";
import { referenceLines, referencePage } from "./reference.ts";

const VERSIONS: readonly OpencodeVersion[] = ["1.2", "1.18"];
const pacer = createPacer(new AbortController().signal);
const bytes = (text: string) => new TextEncoder().encode(text);

/** The file in chunks of one size, each in the same buffer, as the real ones are. */
async function* inChunks(file: Uint8Array, size: number, onChunk?: () => void): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(size);
  for (let position = 0; position < file.length; position += size) {
    const part = file.subarray(position, position + size);
    buffer.fill(0x0a);
    buffer.set(part);
    onChunk?.();
    yield await Promise.resolve(buffer.subarray(0, part.length));
  }
}

function read(file: Uint8Array, version: OpencodeVersion, { offset = 1, limit = 2000, chunkSize = 65_536 } = {}) {
  return readLines(inChunks(file, chunkSize), { offset, limit, flavour: FLAVOURS[version], pacer });
}

/** Lines of all lengths, with every kind of line end, in any UTF-8 or none. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }).map(bytes) },
  { weight: 4, arbitrary: fc.constantFrom("\n", "\n", "\r\n", "\r", "\n\n", "é", "漢字", "😀", "\uFEFF").map(bytes) },
  { weight: 2, arbitrary: fc.uint8Array({ maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "é", "漢", "😀", "\r"), fc.integer({ min: 900, max: 2100 }))
      .map(([character, count]) => bytes(character.repeat(count))),
  },
);
const anyFile = fc.array(piece, { maxLength: 40 }).map((pieces) => Uint8Array.from(Buffer.concat(pieces)));
const version = fc.constantFrom(...VERSIONS);

describe("readLines", () => {
  it.each(VERSIONS)("agrees with a naive reference for any file, page and chunk size in %s", async (flavour) => {
    await fc.assert(
      fc.asyncProperty(
        anyFile,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 5000 }),
        async (file, offset, limit, chunkSize) => {
          const { lines, end, total } = await read(file, flavour, { offset, limit, chunkSize });
          const expected = referencePage(file, flavour, { offset, limit });
          expect({ lines, end }).toEqual({ lines: expected.lines, end: expected.end });
          const isTotalKnown = end === "file" || (end === "limit" && flavour === "1.18");
          if (isTotalKnown) expect(total).toBe(expected.total);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("puts together from its pages exactly the lines of the file", async () => {
    await fc.assert(
      fc.asyncProperty(anyFile, version, fc.integer({ min: 1, max: 9 }), async (file, flavour, limit) => {
        const pages: string[] = [];
        for (let isLast = false; !isLast;) {
          const page = await read(file, flavour, { offset: pages.length + 1, limit });
          pages.push(...page.lines);
          isLast = page.end === "file";
        }
        const uncut = referenceLines(file, flavour);
        expect(pages).toHaveLength(uncut.length);
        for (const [index, line] of uncut.entries()) {
          if (line.length <= 2000) expect(pages[index]).toBe(line);
          else expect(line.startsWith((pages[index] ?? "").slice(0, 1999))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is right wherever a chunk ends", async () => {
    const file = Uint8Array.from(
      Buffer.concat([bytes("\uFEFFé😀\r\n漢\n\r\n"), Uint8Array.of(0xf0, 0x9f, 0x0a, 0xff), bytes("z\r")]),
    );
    for (const flavour of VERSIONS) {
      for (let chunkSize = 1; chunkSize <= file.length; chunkSize += 1) {
        const { lines } = await read(file, flavour, { chunkSize });
        expect(lines).toEqual(referenceLines(file, flavour));
      }
    }
  });

  it.each<[string, OpencodeVersion, string[]]>([
    ["", "1.2", [""]],
    ["", "1.18", []],
    ["a", "1.2", ["a"]],
    ["a", "1.18", ["a"]],
    ["a\n", "1.2", ["a", ""]],
    ["a\n", "1.18", ["a"]],
    ["a\r\nb\r\n", "1.2", ["a\r", "b\r", ""]],
    ["a\r\nb\r\n", "1.18", ["a", "b"]],
    ["a\rb", "1.18", ["a\rb"]],
    ["\n\n", "1.2", ["", "", ""]],
    ["\n\n", "1.18", ["", ""]],
  ])("takes %j apart as %s does", async (text, flavour, lines) => {
    expect(await read(bytes(text), flavour)).toMatchObject({ lines, end: "file", total: lines.length });
  });

  it("drops the line that would pass the byte cap, and counts the newlines between lines", async () => {
    const line = "x".repeat(1023);
    const fits = Array<string>(50).fill(line).join("\n");
    expect(await read(bytes(`${fits}x`), "1.18")).toMatchObject({ end: "file", total: 50 });
    const over = await read(bytes(`${fits}xx`), "1.18");
    expect(over).toMatchObject({ end: "bytes" });
    expect(over.lines).toHaveLength(49);
  });

  it.each(VERSIONS)("stops reading at the byte cap, even before the end of a huge line, in %s", async (flavour) => {
    const file = bytes(`${`${"x".repeat(99)}\n`.repeat(511)}${"y".repeat(3_000_000)}`);
    let chunks = 0;
    const counting = inChunks(file, 4096, () => (chunks += 1));
    const page = await readLines(counting, { offset: 1, limit: 2000, flavour: FLAVOURS[flavour], pacer });
    expect(page.end).toBe("bytes");
    expect(page.lines).toHaveLength(511);
    expect(chunks).toBeLessThan(16);
  });

  it("stops at the limit in 1.2, and counts on in 1.18", async () => {
    const file = bytes("line\n".repeat(10_000));
    for (const [flavour, least, most] of [
      ["1.2", 1, 1],
      ["1.18", 13, 13],
    ] as const) {
      let chunks = 0;
      const counting = inChunks(file, 4096, () => (chunks += 1));
      const page = await readLines(counting, { offset: 1, limit: 10, flavour: FLAVOURS[flavour], pacer });
      expect(page.end).toBe("limit");
      expect(chunks).toBeGreaterThanOrEqual(least);
      expect(chunks).toBeLessThanOrEqual(most);
    }
    expect(await read(file, "1.18", { limit: 10 })).toMatchObject({ total: 10_000 });
  });

  it("gives way to the event loop between the lines of one chunk", async () => {
    let rests = 0;
    const impatient = {
      due: () => true,
      rest: () => {
        rests += 1;
        return Promise.resolve();
      },
    };
    const chunks = inChunks(bytes("\n".repeat(100)), 4096);
    await readLines(chunks, { offset: 1, limit: 2000, flavour: FLAVOURS["1.2"], pacer: impatient });
    expect(rests).toBe(100);
  });

  it("gives no line where the offset is past the end, but the file's total", async () => {
    expect(await read(bytes("a\nb"), "1.2", { offset: 3 })).toMatchObject({ lines: [], total: 2 });
    expect(await read(bytes("a\nb\n"), "1.18", { offset: 3 })).toMatchObject({ lines: [], total: 2 });
  });

  it("says how many lines are cut and whether bytes were replaced, on this page only", async () => {
    const file = Uint8Array.from(Buffer.concat([bytes(`${"x".repeat(2001)}\nok\n`), Uint8Array.of(0xff)]));
    expect(await read(file, "1.2", { limit: 1 })).toMatchObject({ cutLines: 1, isDamaged: false });
    expect(await read(file, "1.2", { offset: 2, limit: 1 })).toMatchObject({ cutLines: 0, isDamaged: false });
    expect(await read(file, "1.2", { offset: 3 })).toMatchObject({ cutLines: 0, isDamaged: true });
  });
});
