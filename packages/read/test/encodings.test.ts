import { Buffer } from "node:buffer";
import { fixture } from "@fstools/testing";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { read } from "./support.ts";

const CHINESE = "孔子曰：“学而时习之，不亦说乎？有朋自远方来，不亦乐乎？”\r\n人不知而不愠，不亦君子乎？ 𠮷 €\n";
const TRADITIONAL = "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」\r\n人不知而不慍，不亦君子乎？\n";
const JAPANESE = "吾輩は猫である。名前はまだ無い。\r\nどこで生れたか頓と見当がつかぬ。ソ表能\n";
const KOREAN = "모든 인간은 태어날 때부터 자유로우며\r\n그 존엄과 권리에 있어 동등하다.\n";
const WESTERN = "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis — 5 €\r\nGrüße\n";

const SAMPLES = [
  ["gb18030", CHINESE],
  ["big5", TRADITIONAL],
  ["shift_jis", JAPANESE],
  ["euc-kr", KOREAN],
  ["windows-1252", WESTERN],
  ["utf-16le", CHINESE + JAPANESE],
  ["utf-16be", CHINESE + JAPANESE],
] as const;

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

describe.each(SAMPLES)("real text in %s", (encoding, sample) => {
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
