import { escapeLine } from "@fstools/protocol";
import { lineList, MAX_LISTED_PLACES } from "@fstools/sandbox";
import { firstCodePoints } from "../lines.ts";
import type { ClosestLines } from "./closest.ts";

const MAX_LINE_CHARS = 2000;

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
