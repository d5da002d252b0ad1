import { Buffer } from "node:buffer";
import { isLowSurrogate } from "@fstools/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytePositions, rawPositions } from "../../src/editing/editable-text.ts";
import { editable, pacer } from "./support.ts";

const BAD = [[0xff], [0xc3], [0xe6, 0xbc], [0x80], [0xf0, 0x9f, 0x98], [0x81], [0x84, 0x31]];

const ENCODINGS: readonly (readonly [name: string, letters: readonly string[]])[] = [
  ["utf-8", ["a", "é", "漢", "😀", "\r\n", "\r", "\n"]],
  ["utf-16le", ["a", "é", "漢", "😀", "\r\n", "\n"]],
  ["utf-16be", ["a", "é", "漢", "😀", "\r\n", "\n"]],
  ["utf-32le", ["a", "é", "😀", "\r\n"]],
  ["gb18030", ["a", "é", "漢", "㐀", "😀", "\r\n", "\n"]],
  ["shift_jis", ["a", "ソ", "ア", "漢", "ｱ", "\r\n", "\n"]],
  ["big5", ["a", "功", "許", "\r\n"]],
  ["euc-kr", ["a", "가", "각", "\n"]],
  ["windows-1252", ["a", "é", "€", "\r\n"]],
];

describe.each(ENCODINGS)("positions in %s", (name, letters) => {
  it("split the file where they split its text, whatever bytes are in it", async () => {
    const { encoding } = await editable("", name);
    const good = fc.constantFrom(...letters).map((letter) => encoding.encode(letter));
    const bad = fc.constantFrom(...BAD).map((bytes) => Buffer.from(bytes));
    const content = fc
      .array(fc.oneof({ weight: 8, arbitrary: good }, { weight: encoding.isUtf16 ? 0 : 1, arbitrary: bad }), {
        maxLength: 30,
      })
      // Longer than the blocks in which the file is looked at.
      .map((parts) => Buffer.concat([...parts, Buffer.concat(Array.from({ length: 40 }, () => Buffer.concat(parts)))]));
    let known = 0;
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const text = await editable(bytes, name);
        // No text that is looked for begins or ends with half a pair.
        const all = Array.from({ length: text.plain.length + 1 }, (_, at) => at).filter(
          (at) => !isLowSurrogate(text.plain.charCodeAt(at)),
        );
        const raw = await rawPositions(text, all, pacer);
        const found = await bytePositions(text, raw, pacer);
        for (const [index, at] of found.entries()) {
          if (at === undefined) continue;
          known += 1;
          expect(encoding.decode(bytes.subarray(0, at)).length).toBe(raw[index]);
          expect(text.raw.slice(raw[index]).startsWith(encoding.decode(bytes.subarray(at, at + 64)).slice(0, 8))).toBe(
            true,
          );
        }
        if (text.isFlawless) expect(found).not.toContain(undefined);
      }),
      { numRuns: 50 },
    );
    expect(known).toBeGreaterThan(100);
  });
});
