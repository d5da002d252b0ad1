import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldInMemory, readFully, readTextChunk } from "../../src/bytes/chunks.ts";
import { sourceOf } from "../support.ts";

function chunks(bytes: Buffer, chunkBytes: number): Buffer[] {
  const found: Buffer[] = [];
  for (let position = 0; position < bytes.length;) {
    const target = Buffer.alloc(Math.min(chunkBytes, bytes.length - position));
    const chunk = readTextChunk(sourceOf(bytes), target, position);
    expect(chunk.length).toBeGreaterThan(0);
    found.push(chunk);
    position += chunk.length;
  }
  return found;
}

describe("readFully", () => {
  it("fills the target from a position on", () => {
    expect(readFully(sourceOf(Buffer.from("abcdefgh")), Buffer.alloc(7), 1).toString()).toBe("bcdefgh");
  });

  it("refuses a file that became shorter", () => {
    expect(() => readFully({ ...sourceOf(Buffer.from("abc")), size: 10 }, Buffer.alloc(10), 0)).toThrow(
      expect.objectContaining({ problem: { reason: "changed" } }),
    );
  });
});

describe("heldInMemory", () => {
  it("has the size of its content, even if the file is shorter than its size says", () => {
    const held = heldInMemory({ ...sourceOf(Buffer.from("abc")), size: 4096 });
    expect([held.size, held.head(2).toString(), held.read(Buffer.alloc(8), 1)]).toEqual([3, "ab", 2]);
  });
});

describe("readTextChunk", () => {
  it("ends between characters and never between \\r and \\n, whatever the chunk size", () => {
    const bytes = Buffer.from("é\r\n漢字\r😀\r\n\r\n\rz€\r");
    for (let chunkBytes = 4; chunkBytes <= bytes.length; chunkBytes++) {
      const found = chunks(bytes, chunkBytes);
      expect(Buffer.concat(found)).toEqual(bytes);
      for (const [index, chunk] of found.entries()) {
        expect(chunk.at(-1) === 0x0d && found[index + 1]?.[0] === 0x0a).toBe(false);
      }
      expect(found.map((chunk) => chunk.toString()).join("")).toBe(bytes.toString());
    }
  });

  it("decodes bad bytes the same way, however they are cut", () => {
    const nasty = fc.constantFrom(
      0x41,
      0x0a,
      0x0d,
      0x80,
      0xbf,
      0xc0,
      0xc3,
      0xa9,
      0xe2,
      0x82,
      0xed,
      0xa0,
      0xf0,
      0x9f,
      0x90,
      0xf4,
      0xff,
    );
    fc.assert(
      fc.property(fc.array(nasty, { maxLength: 40 }), fc.integer({ min: 4, max: 12 }), (values, chunkBytes) => {
        const bytes = Buffer.from(values);
        const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
        const pieces = chunks(bytes, chunkBytes).map((chunk) => decoder.decode(chunk));
        expect(pieces.join("")).toBe(decoder.decode(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});
