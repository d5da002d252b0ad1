import { Buffer } from "node:buffer";
import { mixedText, referenceLines } from "@fstools/testing";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { encodingNamed } from "../src/encoding/text-encoding.ts";
import { createLineMap } from "../src/line-map.ts";

describe.each(["utf-8", "utf-16le", "utf-16be", "utf-32be", "gb18030", "shift_jis"])("createLineMap of %s", (name) => {
  it("knows where every line of the decoded text begins", () => {
    fc.assert(
      fc.property(mixedText, fc.boolean(), (text, addBOM) => {
        const bytes = iconv.encode(text, name, { addBOM });
        const decoded = iconv.decode(bytes, name);
        const encoding = encodingNamed(name, bytes);
        const map = createLineMap(encoding, bytes);
        const lines = referenceLines(decoded);
        expect(map.lines).toBe(lines.length);
        for (const [index, line] of lines.entries()) {
          const from = map.startOf(index + 1);
          const to = map.startOf(index + 2);
          expect(to).toBeGreaterThan(from);
          expect(iconv.decode(bytes.subarray(from, to), name).replace(/[\r\n]+$/u, "")).toBe(line);
          for (let byte = from; byte < to; byte++) expect(map.lineAt(byte)).toBe(index + 1);
        }
        expect(map.startOf(lines.length + 1)).toBe(lines.length === 0 ? 0 : bytes.length);
      }),
    );
  });
});

describe("createLineMap", () => {
  it("looks for each kind of line end once, not once for every line", () => {
    const bytes = Buffer.from("x\r".repeat(3_000_000));
    expect(createLineMap(encodingNamed("gb18030", new Uint8Array()), bytes).lines).toBe(3_000_000);
  });

  it("does not mistake the halves of two characters for a line end", () => {
    // U+0A61 U+0A00 has the bytes of "\\n" across its middle.
    const bytes = Buffer.from("610a000a", "hex");
    expect(createLineMap(encodingNamed("utf-16le", new Uint8Array()), bytes).lines).toBe(1);
  });
});
