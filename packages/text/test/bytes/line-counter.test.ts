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
import type { LineEnds } from "../../src/lines.ts";

const bytesWithEnds = fc
  .array(fc.oneof(fc.constantFrom(10, 13, 13, 10, 32, 0xc3, 0xa9), fc.integer({ min: 0, max: 255 })), {
    maxLength: 300,
  })
  .map((bytes) => Buffer.from(bytes));

function countIn(counter: LineCounter, bytes: Buffer, lineEnds: LineEnds = "any", position = 0) {
  const place = counter.place(position, bytes.length);
  bytes.copy(place);
  return counter.count(place, lineEnds);
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
    expect(countIn(createPlainLineCounter(), Buffer.from(text))).toBe(count);
  });

  it("agrees with a regular expression on any bytes", () => {
    const counter = createPlainLineCounter();
    fc.assert(
      fc.property(bytesWithEnds, (bytes) => {
        const text = bytes.toString("latin1");
        expect(countIn(counter, bytes)).toBe(text.match(/\r\n|\r|\n/gu)?.length ?? 0);
      }),
    );
  });

  it("counts newlines only, if asked to", () => {
    const counter = createPlainLineCounter();
    fc.assert(
      fc.property(bytesWithEnds, (bytes) => {
        expect(countIn(counter, bytes, "newline")).toBe(bytes.toString("latin1").split("\n").length - 1);
      }),
    );
  });

  it("counts code points of UTF-8", () => {
    const counter = createPlainLineCounter();
    fc.assert(
      fc.property(mixedText, (text) => {
        const place = counter.place(0, Buffer.byteLength(text));
        place.write(text);
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
      expect(countIn(counter, Buffer.from("a\r\nb\n"))).toBe(2);
      expect(counter.place(7, 1).byteOffset).toBe(0);
    }
  });

  it("is one for the process and takes a whole chunk", () => {
    const counter = sharedLineCounter();
    expect(sharedLineCounter()).toBe(counter);
    const chunk = Buffer.alloc(CHUNK_BYTES, "abc\r\n");
    expect(countIn(counter, chunk, "any", 63)).toBe(chunk.toString("latin1").match(/\r\n|\r|\n/gu)?.length);
  });
});
