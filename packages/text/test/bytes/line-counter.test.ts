import { Buffer } from "node:buffer";
import { mixedText } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  CHUNK_BYTES,
  sharedLineCounter,
  createPlainLineCounter,
  type LineCounter,
} from "../../src/bytes/line-counter.ts";

const bytesWithEnds = fc
  .array(fc.oneof(fc.constantFrom(10, 13, 13, 10, 32, 0xc3, 0xa9), fc.integer({ min: 0, max: 255 })), {
    maxLength: 300,
  })
  .map((bytes) => Buffer.from(bytes));

function countIn(counter: LineCounter, bytes: Buffer, position = 0) {
  const place = counter.place(position, bytes.length);
  bytes.copy(place);
  return counter.lineEnds(place);
}

describe("createPlainLineCounter", () => {
  it.each([
    ["", 0],
    ["a", 0],
    ["a\n", 1],
    ["a\r\nb\rc\n", 3],
    ["\n\r", 2],
    ["\r\r\n\n", 3],
  ])("counts the line ends of %j", (text, count) => {
    expect(countIn(createPlainLineCounter(100), Buffer.from(text)).count).toBe(count);
  });

  it("agrees with a regular expression on any bytes", () => {
    const counter = createPlainLineCounter(300);
    fc.assert(
      fc.property(bytesWithEnds, (bytes) => {
        const text = bytes.toString("latin1");
        expect(countIn(counter, bytes)).toEqual({
          count: text.match(/\r\n|\r|\n/gu)?.length ?? 0,
          hasReturn: text.includes("\r"),
          isAscii: bytes.every((byte) => byte < 128),
        });
      }),
    );
  });

  it("counts newlines only, if asked to", () => {
    const counter = createPlainLineCounter(300);
    fc.assert(
      fc.property(bytesWithEnds, (bytes) => {
        const place = counter.place(0, bytes.length);
        bytes.copy(place);
        expect(counter.lineEnds(place, "newline").count).toBe(bytes.toString("latin1").split("\n").length - 1);
      }),
    );
  });

  it("counts code points of UTF-8", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const bytes = Buffer.from(text);
        const counter = createPlainLineCounter(bytes.length);
        const place = counter.place(0, bytes.length);
        bytes.copy(place);
        expect(counter.codePoints(place)).toBe(Array.from(text).length);
      }),
    );
  });
});

describe("sharedLineCounter", () => {
  it("is a plain one where WebAssembly or its SIMD is missing", async () => {
    const withoutSimd = { validate: () => false };
    for (const missing of [undefined, withoutSimd]) {
      vi.resetModules();
      vi.stubGlobal("WebAssembly", missing);
      onTestFinished(() => {
        vi.unstubAllGlobals();
      });
      const fresh = await import("../../src/bytes/line-counter.ts");
      const counter = fresh.sharedLineCounter();
      expect(countIn(counter, Buffer.from("a\r\nb\n")).count).toBe(2);
      expect(counter.place(7, 1).byteOffset).toBe(0);
    }
  });

  it("is one for the process and takes a whole chunk", () => {
    const counter = sharedLineCounter();
    expect(sharedLineCounter()).toBe(counter);
    const chunk = Buffer.alloc(CHUNK_BYTES, "abc\r\n");
    expect(countIn(counter, chunk, 63).count).toBe(chunk.toString("latin1").match(/\r\n|\r|\n/gu)?.length);
  });
});
