import { countNewlines } from "@fstools/protocol";
import type { EditableText } from "./editable-text.ts";
import { numberedLines } from "./line-words.ts";
import type { Replacement } from "./match.ts";

const SHOWN_AROUND = 2;
const MAX_LINES = 40;
const MAX_CHARS = 10_000;
// Far more than is shown; a long line has room for many replacements.
const MAX_BUILT_CHARS = 100_000;

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

interface Region {
  /** Its number in the new file. */
  readonly firstLine: number;
  readonly content: string;
}

/** The new text of replacements with whole lines around them; those that meet are one region. */
function* regionsOf({ plain, lines }: EditableText, replacements: readonly Replacement[]): Generator<Region> {
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
