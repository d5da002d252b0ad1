import { countNewlines, escapeLine, type NextCall, type ToolCall } from "@fstools/protocol";
import { knownAs, lineList, MAX_LISTED_PLACES } from "@fstools/sandbox";
import { firstCodePoints } from "../lines.ts";
import type { ClosestLines } from "./closest.ts";
import type { EditableText } from "./editable-text.ts";
import type { Equivalence } from "./equivalence.ts";
import type { Replacement } from "./match.ts";

const MAX_LINE_CHARS = 2000;
const READ_BEFORE = 20;
const SHOWN_AROUND = 2;
const MAX_LINES = 40;
const MAX_CHARS = 10_000;
// Far more than is shown; a long line has room for many replacements.
const MAX_BUILT_CHARS = 100_000;

/** Lines as Read prints them; what could be taken for another line, or turn the text around, is escaped. */
function* numberedLines(text: string, first: number): Generator<string> {
  let number = first;
  for (let from = 0; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end;
    const line = text.slice(from, next);
    const shown = line.length > MAX_LINE_CHARS ? firstCodePoints(line, MAX_LINE_CHARS) : line;
    yield `${String(number).padStart(4)} | ${escapeLine(shown)}`;
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

/** What differs between lines that were taken for equal. */
export const DIFFERENCES: Readonly<Record<Equivalence, string>> = {
  trailing_space: "trailing blanks or a last line end",
  indentation: "indentation",
  punctuation: "the kind of quotes, dashes or spaces, or the width of characters",
  escapes: "backslashes in front of characters",
};

/** The new lines with two around each replacement, as Read prints them. */
export function newLines(text: EditableText, replacements: readonly Replacement[]): string {
  const shown: string[] = [];
  let chars = 0;
  for (const { firstLine, content } of regionsOf(text, replacements)) {
    if (shown.length > 0) shown.push("  ...");
    for (const line of numberedLines(content, firstLine)) {
      chars += line.length;
      if (shown.length >= MAX_LINES || chars > MAX_CHARS) return shown.join("\n");
      shown.push(line);
    }
  }
  return shown.join("\n");
}

/** The new text of replacements with whole lines around them; those that meet are one region. */
function* regionsOf({ plain, lines }: EditableText, replacements: readonly Replacement[]) {
  const lineBefore = (position: number) => Math.max(1, lines.lineAt(position) - SHOWN_AROUND);
  // How many lines more the new file has up to here.
  let shift = 0;
  let next = replacements[0];
  for (let index = 0; next !== undefined;) {
    const firstLine = lineBefore(next.start);
    const start = lines.startOf(firstLine);
    let content = "";
    let from = start;
    let end: number;
    do {
      content += plain.slice(from, next.start) + next.newText;
      from = next.end;
      end = lines.startOf(lines.lineAt(from) + SHOWN_AROUND + (leavesLine(plain, next) ? 1 : 0));
      index += 1;
      next = replacements[index];
    } while (next !== undefined && content.length < MAX_BUILT_CHARS && lines.startOf(lineBefore(next.start)) <= end);
    end = Math.min(end, next?.start ?? end);
    content += plain.slice(from, end);
    yield { firstLine: firstLine + shift, content };
    shift += countNewlines(content) - countNewlines(plain.slice(start, end));
  }
}

/** Whether what comes after a replacement is the rest of a line that it left. */
function leavesLine(plain: string, { start, newText }: Replacement): boolean {
  if (newText !== "") return !newText.endsWith("\n");
  return start > 0 && plain[start - 1] !== "\n";
}
