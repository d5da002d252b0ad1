import { createPacer } from "@fstools/sandbox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLAVOURS, type OpencodeVersion } from "../src/flavour.ts";
import { readLines } from "../src/lines.ts";
import { referenceLines, referencePage } from "./reference.ts";

const VERSIONS: readonly OpencodeVersion[] = ["1.2", "1.18"];
const pacer = createPacer(new AbortController().signal);
const bytes = (text: string) => new TextEncoder().encode(text);

/** A file that counts how much of it is read. */
function sourceOf(file: Uint8Array, onRead?: (bytes: number) => void) {
  const content = Buffer.from(file);
  return {
    size: file.length,
    head: (length: number) => {
      onRead?.(Math.min(length, file.length));
      return content.subarray(0, length);
    },
    read: (target: Uint8Array, position: number) => {
      const count = content.copy(target, 0, position);
      onRead?.(count);
      return count;
    },
  };
}

function read(file: Uint8Array, version: OpencodeVersion, { offset = 1, limit = 2000 } = {}) {
  return readLines(sourceOf(file), { offset, limit, flavour: FLAVOURS[version], pacer });
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
  it.each(VERSIONS)("agrees with a naive reference for any file and page in %s", async (flavour) => {
    await fc.assert(
      fc.asyncProperty(
        anyFile,
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: flavour === "1.18" ? 0 : 1, max: 30 }),
        async (file, offset, limit) => {
          const { lines, end, total } = await read(file, flavour, { offset, limit });
          const expected = referencePage(file, flavour, { offset, limit });
          expect({ lines, end }).toEqual({ lines: expected.lines, end: expected.end });
          const isTotalKnown = end === "file" || (end === "limit" && flavour === "1.18");
          if (isTotalKnown) expect(total).toBe(expected.total);
        },
      ),
      { numRuns: 300 },
    );
  });

  // Rule: 1.2: lines are `split("\n")`; 1.18: `\r\n` is one line end, a trailing newline adds no line, an empty file
  // has none.
  it("gives exactly the lines of the file, all pages put together", async () => {
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

  it.each<[string, OpencodeVersion, string[]]>([
    ["", "1.2", [""]],
    ["", "1.18", []],
    ["a", "1.2", ["a"]],
    ["a", "1.18", ["a"]],
    ["a\n", "1.2", ["a", ""]],
    ["a\n", "1.18", ["a"]],
    ["a\r\nb\r\n", "1.2", ["a\r", "b\r", ""]],
    ["a\r\nb\r\n", "1.18", ["a", "b"]],
    ["a\rb", "1.18", ["a", "b"]],
    ["a\rb", "1.2", ["a\rb"]],
    ["a\r", "1.18", ["a"]],
    ["a\u2028b\u0085c", "1.18", ["a\u2028b\u0085c"]],
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

  // Rule: Reading stops at the byte cap: a page costs the page, not the file.
  it.each(VERSIONS)("stops reading at the byte cap, even before the end of a huge line, in %s", async (flavour) => {
    const file = bytes(`${`${"x".repeat(99)}\n`.repeat(511)}${"y".repeat(3_000_000)}`);
    let bytesRead = 0;
    const source = sourceOf(file, (count) => (bytesRead += count));
    const page = await readLines(source, { offset: 1, limit: 2000, flavour: FLAVOURS[flavour], pacer });
    expect(page.end).toBe("bytes");
    expect(page.lines).toHaveLength(511);
    expect(bytesRead).toBeLessThan(100_000);
  });

  it("stops at the limit in 1.2, and counts on in 1.18", async () => {
    const file = bytes("line\n".repeat(100_000));
    for (const [flavour, least, most] of [
      ["1.2", 1, 40_000],
      ["1.18", 500_000, 540_000],
    ] as const) {
      let bytesRead = 0;
      const source = sourceOf(file, (count) => (bytesRead += count));
      const page = await readLines(source, { offset: 1, limit: 10, flavour: FLAVOURS[flavour], pacer });
      expect(page.end).toBe("limit");
      expect(bytesRead).toBeGreaterThanOrEqual(least);
      expect(bytesRead).toBeLessThanOrEqual(most);
    }
    expect(await read(file, "1.18", { limit: 10 })).toMatchObject({ total: 100_000 });
    expect(await read(file, "1.18", { offset: 99_000, limit: 10 })).toMatchObject({ total: 100_000 });
  });

  it("gives way to the event loop on its way", async () => {
    let rests = 0;
    const impatient = {
      due: () => true,
      rest: () => {
        rests += 1;
        return Promise.resolve();
      },
    };
    const source = sourceOf(bytes("\n".repeat(1_000_000)));
    await readLines(source, { offset: 999_000, limit: 10, flavour: FLAVOURS["1.18"], pacer: impatient });
    expect(rests).toBeGreaterThan(20);
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

  it("never cuts inside a pair, and puts the mark there", async () => {
    for (const [flavour, mark] of [
      ["1.2", "..."],
      ["1.18", "... (line truncated to 2000 chars)"],
    ] as const) {
      const shown = async (line: string) => (await read(bytes(line), flavour)).lines;
      expect(await shown("x".repeat(2000))).toEqual(["x".repeat(2000)]);
      expect(await shown("x".repeat(2001))).toEqual([`${"x".repeat(2000)}${mark}`]);
      expect(await shown(`${"x".repeat(1999)}😀y`)).toEqual([`${"x".repeat(1999)}${mark}`]);
      expect(await shown(`x${"😀".repeat(1000)}`)).toEqual([`x${"😀".repeat(999)}${mark}`]);
      expect(await shown("😀".repeat(5000))).toEqual([`${"😀".repeat(1000)}${mark}`]);
    }
  });

  it("does not count a line end's \\r into the length of a line", async () => {
    expect(await read(bytes(`${"x".repeat(2000)}\r\n`), "1.18")).toMatchObject({
      cutLines: 0,
      lines: ["x".repeat(2000)],
    });
  });

  it("takes exactly 51200 bytes", async () => {
    const rows = `${"x".repeat(999)}\n`.repeat(51);
    expect(await read(bytes(`${rows}${"x".repeat(200)}`), "1.2")).toMatchObject({ end: "file" });
    expect(await read(bytes(`${rows}${"x".repeat(201)}`), "1.2")).toMatchObject({ end: "bytes" });
    expect(await read(bytes(`${rows}${"é".repeat(101)}`), "1.2")).toMatchObject({ end: "bytes" });
  });

  it("distinguishes a U+FFFD in the file from one that replaces bad bytes", async () => {
    expect(await read(Uint8Array.of(0x61, 0xff), "1.2")).toMatchObject({ lines: ["a\uFFFD"], isDamaged: true });
    expect(await read(bytes("a\uFFFD"), "1.2")).toMatchObject({ lines: ["a\uFFFD"], isDamaged: false });
  });

  it("shows a U+FEFF, but for a byte order mark at the start of the file", async () => {
    expect((await read(bytes("\uFEFFa\n\uFEFFb"), "1.2")).lines).toEqual(["a", "\uFEFFb"]);
  });
});
