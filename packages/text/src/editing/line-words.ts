import { escapeLine } from "@fstools/protocol";
import { firstCodePoints } from "../lines.ts";
import type { ClosestLines } from "./closest.ts";
import { MAX_LISTED_PLACES } from "./match.ts";
import type { LineRange } from "./splice.ts";

const MAX_LINE_CHARS = 2000;

/** "40-44, 90": only as many as a reader will look at. */
export function lineNumbers(ranges: readonly LineRange[], hasMore = ranges.length > MAX_LISTED_PLACES): string {
  const spans = ranges
    .slice(0, MAX_LISTED_PLACES)
    .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
  return [...new Set(spans), ...(hasMore ? ["…"] : [])].join(", ");
}

/** "lines 40-44, 90", or "line 7". */
export function lineList(ranges: readonly LineRange[]): string {
  const list = lineNumbers(ranges);
  return `${/^\d+$/u.test(list) ? "line" : "lines"} ${list}`;
}

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
