import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFully, readTextChunk } from "../../src/bytes/chunks.ts";
import { type ByteSource, readHead } from "../../src/bytes/head.ts";

function source(bytes: Buffer, options: { size?: number; mostAtOnce?: number } = {}): ByteSource {
  const { size = bytes.length, mostAtOnce = Infinity } = options;
  return {
    size,
    read: (target, position) => bytes.copy(target, 0, position, Math.min(bytes.length, position + mostAtOnce)),
  };
}

function chunks(bytes: Buffer, chunkBytes: number): Buffer[] {
  const found: Buffer[] = [];
  for (let position = 0; position < bytes.length;) {
    const target = Buffer.alloc(Math.min(chunkBytes, bytes.length - position));
    const chunk = readTextChunk(source(bytes), target, position);
    expect(chunk.length).toBeGreaterThan(0);
    found.push(chunk);
    position += chunk.length;
  }
  return found;
}

describe("readFully", () => {
  it("goes on after a short read", () => {
    const bytes = Buffer.from("abcdefgh");
    expect(readFully(source(bytes, { mostAtOnce: 3 }), Buffer.alloc(7), 1).toString()).toBe("bcdefgh");
  });

  it("refuses a file that became shorter", () => {
    expect(() => readFully(source(Buffer.from("abc"), { size: 10 }), Buffer.alloc(10), 0)).toThrow(
      expect.objectContaining({ problem: { reason: "changed" } }),
    );
  });
});

describe("readHead", () => {
  it("takes what is there of a file that is shorter than its size, as in sysfs", () => {
    expect(readHead(source(Buffer.from("abc"), { size: 4096 }), 8192).toString()).toBe("abc");
    expect(readHead(source(Buffer.from("abcdef"), { mostAtOnce: 2 }), 5).toString()).toBe("abcde");
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

  it("decodes bad bytes alike, however they are cut", () => {
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
