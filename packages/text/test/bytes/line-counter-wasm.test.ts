import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import wabt from "wabt";
import { LINE_COUNTER_MODULE } from "../../src/bytes/line-counter-module.ts";
import { createPlainLineCounter, createWasmLineCounter, type LineCounter } from "../../src/bytes/line-counter.ts";

function wasmCounter(): LineCounter {
  const counter = createWasmLineCounter();
  if (counter === undefined) throw new Error("This engine has no WebAssembly SIMD.");
  return counter;
}

function facts(counter: LineCounter, bytes: Buffer, position: number) {
  const place = counter.place(position, bytes.length);
  bytes.copy(place);
  const [any, newlines] = [counter.count(place, "any"), counter.count(place, "newline")];
  return { any, newlines, codePoints: counter.codePoints(place) };
}

describe("line-counter.wat", () => {
  // Rule: The WebAssembly module agrees with its source and with the plain counter.
  it("is what the committed module was assembled from", async () => {
    const assembler = await wabt();
    const source = readFileSync(new URL("../../scripts/line-counter.wat", import.meta.url), "utf8");
    const { buffer } = assembler.parseWat("line-counter.wat", source, { simd: true }).toBinary({});
    expect(Buffer.from(buffer).toString("base64")).toBe(LINE_COUNTER_MODULE);
  });
});

describe("createWasmLineCounter", () => {
  it("agrees with the plain counter on any bytes at any position", () => {
    const wasm = wasmCounter();
    const plain = createPlainLineCounter();
    const piece = fc.tuple(fc.constantFrom("\r", "\n", "\r\n", "a", "é", "漢", "😀", "\x80"), fc.nat({ max: 40 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat({ max: 1_000_000 }), (pieces, position) => {
        const text = pieces.map(([part, times]) => part.repeat(times)).join("");
        const bytes = Buffer.from(text);
        expect(facts(wasm, bytes, position)).toEqual(facts(plain, bytes, position));
      }),
    );
  });

  it("counts more ends than a lane of a vector can hold", () => {
    for (const length of [4079, 4080, 4081, 8160, 9999]) {
      const bytes = Buffer.alloc(length, "\n");
      expect(facts(wasmCounter(), bytes, 0)).toEqual({ any: length, newlines: length, codePoints: length });
      const returns = Buffer.alloc(length, "\r");
      expect(facts(wasmCounter(), returns, 0)).toEqual({ any: length, newlines: 0, codePoints: length });
    }
  });

  it("does not mistake a byte of an earlier chunk for the preceding one", () => {
    const counter = wasmCounter();
    facts(counter, Buffer.alloc(200, "\r"), 0);
    expect(facts(counter, Buffer.from("\n\r"), 7).any).toBe(2);
  });

  it("puts bytes where the kernel copies fast: congruent to their position in the file", () => {
    const counter = wasmCounter();
    for (const position of [0, 1, 63, 64, 524_288, 1_000_003]) {
      expect(counter.place(position, 10).byteOffset % 64).toBe(position % 64);
    }
  });
});
