import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** A run of letters without a break takes the tokenizer quadratic time, so that long texts are counted in pieces. */
const PIECE_CHARS = 20_000;

/** The o200k tokens of a text. Where a line is longer than 20,000 characters it is counted in pieces of that length. */
export function countTokens(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length;) {
    const to = pieceEnd(text, from);
    tokens += encode(text.slice(from, to), { disallowedSpecial: new Set() }).length;
    from = to;
  }
  return tokens;
}

/** After the last line end within a piece's length; the tokenizer never joins what stands on two sides of text and line end. */
function pieceEnd(text: string, from: number): number {
  if (text.length - from <= PIECE_CHARS) return text.length;
  const lineEnd = text.lastIndexOf("\n", from + PIECE_CHARS);
  return lineEnd <= from ? from + PIECE_CHARS : lineEnd + 1;
}
