const MAX_CHARS = 300_000;
const CHARS_PER_TOKEN = 4;
// The tokenizer takes time with the square of a word's length: 25 s for 200,000 letters in a row.
const LONG_RUN = /\S{1000}|\s{1000}/u;

/** How many o200k tokens a text has; about, where it is very long or has a very long word. */
export async function estimateTokens(text: string): Promise<number> {
  if (text.length > MAX_CHARS || LONG_RUN.test(text)) return Math.round(text.length / CHARS_PER_TOKEN);
  // A table of some megabytes, loaded when it is first needed.
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  return countTokens(text, { disallowedSpecial: new Set() });
}
