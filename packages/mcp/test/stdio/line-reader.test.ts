import fc from "fast-check";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createLineReader, type DroppedLine } from "../../src/stdio/line-reader.ts";

/** What comes out for chunks of these sizes. */
async function read(input: string, sizes: readonly number[], maxBytes: number) {
  const dropped: DroppedLine[] = [];
  const reader = createLineReader(maxBytes, (line) => dropped.push(line));
  const bytes = Buffer.from(input);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    reader.write(bytes.subarray(at, at + size));
    at += size;
  }
  reader.end();
  return { out: await text(reader), dropped };
}

describe("createLineReader", () => {
  it("passes whole lines on, however they arrive, and drops those over the limit", async () => {
    const lines = fc.array(fc.string({ maxLength: 30 }).map((line) => line.replaceAll("\n", "")));
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lines, sizes, async (given, chunks) => {
        const { out, dropped } = await read(given.map((line) => `${line}\n`).join(""), chunks, 20);
        const fitting = given.filter((line) => Buffer.byteLength(line) + 1 <= 20);
        expect(out).toBe(fitting.map((line) => `${line}\n`).join(""));
        expect(dropped).toHaveLength(given.length - fitting.length);
      }),
    );
  });

  it("tells the size, the beginning and the end of what it dropped", async () => {
    const { dropped } = await read(`{"id":1,${"x".repeat(5000)}"end":2}\nnext\n`, [700], 100);
    expect(dropped).toMatchObject([{ bytes: 5017 }]);
    expect(dropped[0]?.start).toMatch(/^\{"id":1,/u);
    expect(dropped[0]?.end).toMatch(/"end":2\}\n$/u);
  });
});
