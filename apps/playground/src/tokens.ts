type Count = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number;

let loading: Promise<Count> | undefined;

/** Loads the tokenizer's table of some megabytes, when it is first needed. */
async function tokenizer(): Promise<Count> {
  loading ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens }) => countTokens);
  return loading;
}

const MAX_CHARS = 300_000;
// The tokenizer takes time with the square of a word's length: 25 s for 200,000 letters in a row.
const LONG_RUN = /(\S{300,}|\s{300,})/u;
const SLICE = 100;

/** How many o200k tokens a text has, about: what is long or unusual is counted in pieces. */
export async function estimateTokens(text: string): Promise<number> {
  const count = await tokenizer();
  const sample = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  let tokens = 0;
  for (const part of sample.split(LONG_RUN)) {
    if (part === "") continue;
    tokens +=
      part.length < 3 * SLICE || !LONG_RUN.test(part)
        ? count(part, { disallowedSpecial: new Set() })
        : Math.round((count(part.slice(0, SLICE), { disallowedSpecial: new Set() }) * part.length) / SLICE);
  }
  return sample.length === 0 ? 0 : Math.round((tokens * text.length) / sample.length);
}
