import { Buffer } from "node:buffer";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { decodeText, isFlawless, settleEncoding } from "../../src/encoding/text-encoding.ts";

function settle(bytes: Buffer, encoding?: string, fallbackEncodings: readonly string[] = []) {
  return settleEncoding(bytes, { encoding, fallbackEncodings }, (candidate) => {
    const text = decodeText(candidate, bytes);
    return { text, isFlawless: isFlawless(candidate, bytes, text) };
  });
}

const CHINESE = iconv.encode("中文\n第二行", "gb18030");

describe("settleEncoding", () => {
  it.each<[string, Buffer, string | undefined, string[], object]>([
    ["UTF-8", Buffer.from("é\nb"), undefined, ["gb18030"], { encoding: "utf-8" }],
    ["UTF-8 with a mark", Buffer.from("\ufeffé\nb"), undefined, [], { encoding: "utf-8-sig" }],
    [
      "bad bytes",
      Buffer.from("a\n\xff", "latin1"),
      undefined,
      [],
      { encoding: "utf-8 (replace)", fallback: "replace" },
    ],
    ["a fallback that fits", CHINESE, undefined, ["gb18030"], { encoding: "gb18030", fallback: "gb18030" }],
    ["the second fallback", CHINESE, undefined, ["shift_jis", "GBK"], { encoding: "GBK", fallback: "GBK" }],
    ["UTF-16LE with a mark", Buffer.from("\ufeffa\nb", "utf16le"), undefined, ["gb18030"], { encoding: "utf-16le" }],
    [
      "UTF-16BE with a mark",
      Buffer.from("\ufeffa\nb", "utf16le").swap16(),
      undefined,
      ["gb18030"],
      { encoding: "utf-16be" },
    ],
    ["the caller's encoding", CHINESE, "gb18030", [], { encoding: "gb18030" }],
    ["the caller's UTF-8", Buffer.from("a\n\xff", "latin1"), "utf-8", ["latin1"], { encoding: "utf-8" }],
  ])("settles %s", async (_name, bytes, encoding, fallbackEncodings, expected) => {
    const { fallback, encodingName, found } = await settle(bytes, encoding, fallbackEncodings);
    expect({ encoding: encodingName, ...(fallback === undefined ? {} : { fallback }) }).toEqual(expected);
    expect(found.text.split("\n")).toHaveLength(2);
  });

  it("refuses what has a NUL, unless the caller names an encoding", async () => {
    await expect(settle(Buffer.from("a\0"))).rejects.toMatchObject({ problem: { reason: "binary", kind: undefined } });
    await expect(settle(Buffer.from("a\0"), "latin1")).resolves.toMatchObject({ encodingName: "latin1" });
  });

  it("calls a PDF binary, even without a NUL, unless the caller names an encoding", async () => {
    const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n");
    await expect(settle(pdf)).rejects.toMatchObject({ problem: { reason: "binary", kind: "a PDF document" } });
    await expect(settle(pdf, "utf-8")).resolves.toMatchObject({ encodingName: "utf-8" });
  });

  it("names the encoding of a mark that is not taken for text at once", async () => {
    const utf32 = iconv.encode("ab", "utf-32le", { addBOM: true });
    await expect(settle(utf32)).rejects.toMatchObject({ problem: { reason: "binary", markedEncoding: "utf-32le" } });
  });
});
