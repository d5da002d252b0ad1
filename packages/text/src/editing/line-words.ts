import { escapeLine, type NextCall, type ToolCall } from "@fstools/protocol";
import { knownAs, lineList, MAX_LISTED_PLACES } from "@fstools/sandbox";
import { firstCodePoints } from "../lines.ts";
import type { ClosestLines } from "./closest.ts";
import type { Equivalence } from "./equivalence.ts";

const MAX_LINE_CHARS = 2000;
const READ_BEFORE = 20;

/** Lines as Read prints them; what could be taken for another line, or turn the text around, is escaped. */
export function* numberedLines(text: string, first: number): Generator<string> {
  let number = first;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end;
    const line = firstCodePoints(text.slice(from, next), MAX_LINE_CHARS);
    yield `${String(number).padStart(4)} | ${escapeLine(line)}`;
    from = next + 1;
  }
}

/** "Closest: lines 42-45; line 43 has a tab where you wrote 4 spaces.", and the first of these lines. */
export function closestInWords({ first, lines, difference }: ClosestLines): { sentence: string; shown: string[] } {
  const where = lineList([{ first, last: first + lines.length - 1 }]);
  return {
    sentence: `Closest: ${where}${difference === undefined ? "" : `; ${difference}`}.`,
    shown: [...numberedLines(lines.slice(0, MAX_LISTED_PLACES).join("\n"), first)],
  };
}

/** The call that shows these lines of a file, or its beginning; undefined if the model has no tool for that. */
export function readCall(
  path: string,
  lines: ClosestLines | undefined,
  call: Pick<ToolCall, "has">,
): NextCall | undefined {
  const tool = knownAs("Read", call);
  const first = Math.max(1, (lines?.first ?? 1) - READ_BEFORE);
  if (tool === undefined) return undefined;
  if (tool === "read") return { tool, params: { filePath: path, ...(first === 1 ? {} : { offset: first }) } };
  return { tool, params: { path, ...(first === 1 ? {} : { start_line: first }) } };
}

const DIFFERENCES: Readonly<Record<Equivalence, string>> = {
  trailing_space: "trailing blanks or a last line end",
  indentation: "indentation",
  punctuation: "the kind of quotes, dashes or spaces, or the width of characters",
  escapes: "backslashes in front of characters",
};

/** What differs between lines that were taken for equal. */
export function fallbackReason(kind: Equivalence): string {
  return DIFFERENCES[kind];
}
