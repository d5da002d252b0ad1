import { Buffer } from "node:buffer";
import { ENCODED_SAMPLES, fixture } from "@fstools/testing";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { read } from "./support.ts";

// Bytes that were not made by the library that decodes them.
const BYTES: readonly (readonly [encoding: string, hex: string, text: string])[] = [
  ["gb18030", "d6d0cec40a8139ee39", "   1 | 中文\n   2 | 㐀\n"],
  ["gb18030", "9439fc36", "   1 | 😀\n"],
  ["shift_jis", "93fa967b8cea0d0a835c", "   1 | 日本語\n   2 | ソ\n"],
  ["big5", "a4a4a4e50aa46a", "   1 | 中文\n   2 | 大\n"],
  ["euc-kr", "c7d1b1db0ab0a1", "   1 | 한글\n   2 | 가\n"],
  ["windows-1252", "80e90d93a994", "   1 | €é\n   2 | “©”\n"],
  ["utf-16le", "2d4e0d000a003dd800de", "   1 | 中\n   2 | 😀\n"],
  ["utf-16be", "4e2d000d000ad83dde00", "   1 | 中\n   2 | 😀\n"],
  ["utf-16le", "fffe2d4e0a00", "   1 | 中\n"],
  ["utf-16be", "feff4e2d000a", "   1 | 中\n"],
  ["utf-16", "fffe2d4e0a00", "   1 | 中\n"],
  ["utf-16", "feff4e2d000a", "   1 | 中\n"],
];

describe("real bytes", () => {
  // Rule: GB18030, Shift_JIS, Big5, EUC-KR, Windows-1252, UTF-16 with and without byte order mark, on real bytes.
  it.each(BYTES)("%s %s", async (encoding, hex, content) => {
    const { root } = fixture({ "a.txt": Buffer.from(hex, "hex") });
    expect(await read({ projectRoot: root }, { path: "a.txt", encoding })).toMatchObject({
      status: "success",
      data: { content },
      stats: { encoding },
    });
  });
});

describe.each(ENCODED_SAMPLES)("real text in %s", (encoding, sample) => {
  const lines = sample.split(/\r?\n/u).slice(0, -1);

  it("has lines past the first page", async () => {
    const { root } = fixture({
      "a.txt": iconv.encode(sample.repeat(20_000), encoding, { addBOM: encoding.startsWith("utf-16") }),
    });
    const total = sample.split(/\r?\n/u).length - 1;
    const startLine = total * 15_000 + 2;
    const response = await read({ projectRoot: root }, { path: "a.txt", encoding, start_line: startLine, limit: 1 });
    expect(response).toMatchObject({
      data: { content: `${startLine} | ${lines[1] ?? ""}\n`, truncated: true },
      stats: { total_lines: total * 20_000 },
    });
  });
});
