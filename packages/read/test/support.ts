import { conformant } from "@fstools/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { createReadTool, type ReadToolOptions } from "../src/index.ts";

/** The lines of a text as Python's text mode sees them, by the plainest means. */
export function referenceLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Text with every kind of line end and character, also at unlucky places. */
export const mixedText = fc
  .array(
    fc.constantFrom("a", "b ", "\n", "\r", "\r\n", "é", "漢", "😀", "\u2028", "\u0085", "\t", "|", "xyz", "\ufffd"),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(""));

/** Calls Read and expects an answer that keeps the envelope's rules. */
export async function read(options: ReadToolOptions, params: unknown) {
  return conformant(await createReadTool(options).run(params), "read");
}

/** The text of a page's lines, without their numbers. */
export function contentLines(content: string): { number: number; text: string }[] {
  return content
    .split("\n")
    .slice(0, -1)
    .map((row) => {
      expect(row).toMatch(/^(?: {3}\d| {2}\d\d| \d{3}|\d{4,}) \| /u);
      return { number: Number.parseInt(row, 10), text: row.slice(row.indexOf(" | ") + 3) };
    });
}
