import { Buffer } from "node:buffer";
import { createPacer } from "@fstools/sandbox";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { createCharset } from "../../src/encoding/charset.ts";
import { scanDecoded } from "../../src/encoding/scan-decoded.ts";
import { mixedText, referenceLines } from "../support.ts";

function sourceOf(bytes: Buffer) {
  return { size: bytes.length, read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position) };
}

function scan(bytes: Buffer, encoding: string, blockBytes: number, stopAtFlaw = false) {
  return scanDecoded(sourceOf(bytes), createCharset(encoding, bytes), {
    blockBytes,
    checkpointBytes: 1,
    pacer: createPacer(new AbortController().signal),
    stopAtFlaw,
  });
}

describe.each(["gb18030", "shift_jis", "big5", "euc-kr", "windows-1252", "utf-16le", "utf-16be"])(
  "scanDecoded of %s",
  (encoding) => {
    it("counts lines and keeps checkpoints that agree with the decoded text, whatever the block size", async () => {
      await fc.assert(
        fc.asyncProperty(mixedText, fc.integer({ min: 4, max: 16 }), async (text, blockBytes) => {
          const bytes = iconv.encode(text, encoding, { addBOM: false });
          const decoded = iconv.decode(bytes, encoding);
          const lines = referenceLines(decoded);
          const { checkpoints, totalLines } = await scan(bytes, encoding, blockBytes);
          expect(totalLines).toBe(lines.length);
          for (const [index, line] of lines.entries()) {
            const { byte, line: number, column } = checkpoints.before(index + 1, Array.from(line).length + 1);
            const rest = referenceLines(iconv.decode(bytes.subarray(byte), encoding))[0] ?? "";
            expect(rest).toBe(
              Array.from(lines[number - 1] ?? "")
                .slice(column - 1)
                .join(""),
            );
          }
        }),
      );
    });
  },
);

describe("scanDecoded", () => {
  it("tells whether a character had to be replaced, and stops there if asked to", async () => {
    const bytes = Buffer.concat([iconv.encode("中文\n", "gb18030"), Buffer.from([0xff]), Buffer.from("\n\n\n\n\n\n")]);
    expect(await scan(bytes, "gb18030", 4)).toMatchObject({ isFlawless: false, totalLines: 7 });
    const stopped = await scan(bytes, "gb18030", 4, true);
    expect(stopped.isFlawless).toBe(false);
    expect(stopped.totalLines).toBeLessThan(7);
  });
});
