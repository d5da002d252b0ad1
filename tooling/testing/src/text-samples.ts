import fc from "fast-check";
import { expect } from "vitest";

const CHINESE = "孔子曰：“学而时习之，不亦说乎？有朋自远方来，不亦乐乎？”\r\n人不知而不愠，不亦君子乎？ 𠮷 €\n";
const TRADITIONAL = "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」\r\n人不知而不慍，不亦君子乎？\n";
const JAPANESE = "吾輩は猫である。名前はまだ無い。\r\nどこで生れたか頓と見当がつかぬ。ソ表能\n";
const KOREAN = "모든 인간은 태어날 때부터 자유로우며\r\n그 존엄과 권리에 있어 동등하다.\n";
const WESTERN = "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis — 5 €\r\nGrüße\n";

export const ENCODED_SAMPLES = [
  ["gb18030", CHINESE],
  ["big5", TRADITIONAL],
  ["shift_jis", JAPANESE],
  ["euc-kr", KOREAN],
  ["windows-1252", WESTERN],
  ["utf-16le", CHINESE + JAPANESE],
  ["utf-16be", CHINESE + JAPANESE],
] as const;

export const mixedText = fc
  .array(
    fc.constantFrom("a", "b ", "\n", "\r", "\r\n", "é", "漢", "😀", "\u2028", "\u0085", "\t", "|", "xyz", "\ufffd"),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

/** The lines of a text, found in the simplest way: they end in `\n`, `\r\n` or `\r`. */
export function referenceLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The lines of a page as Read numbers them, in two parts. */
export function contentLines(content: string): { number: number; text: string }[] {
  return content
    .split("\n")
    .slice(0, -1)
    .map((row) => {
      expect(row).toMatch(/^(?: {3}\d| {2}\d\d| \d{3}|\d{4,}) \| /u);
      return { number: Number.parseInt(row, 10), text: row.slice(row.indexOf(" | ") + 3) };
    });
}
