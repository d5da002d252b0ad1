import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "../../src/context/tokens.ts";

test("a short text counts as the tokenizer counts it, special words included", () => {
  expect(countTokens("")).toBe(0);
  expect(countTokens("Found 3 files\n\nsrc/\n a.ts")).toBe(encode("Found 3 files\n\nsrc/\n a.ts").length);
  expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test("a long text of lines counts the same in pieces as in one", () => {
  const text = Array.from({ length: 5000 }, (_, index) => `${index}\tconst value${index} = ${index * 7};`).join("\n");
  expect(text.length).toBeGreaterThan(100_000);
  expect(countTokens(text)).toBe(encode(text).length);
});

test("a word of a million letters does not hold up the count", () => {
  expect(countTokens("a".repeat(1_000_000))).toBeGreaterThan(100_000);
});
