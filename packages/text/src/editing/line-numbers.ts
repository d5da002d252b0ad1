import type { Pacer } from "@fstools/sandbox";
import { type EditableText, STEPS_PER_CLOCK } from "./editable-text.ts";

/** What is looked for, and what takes its place; lines end with "\n". */
export interface Passage {
  readonly oldText: string;
  readonly newText: string;
}

// A number of more digits is none of a line; what follows it does not matter here.
const MAX_NUMBER_CHARS = 64;

/** A way in which tools print numbers in front of lines. */
interface NumberStyle {
  readonly pattern: RegExp;
  /** Whether it could as well be a text that begins with a number: then it counts only for what is at that line. */
  readonly isDoubtful?: boolean;
}

// As Read prints them, as models are shown them, and as Grep and others do; a tool may have cut blanks off an empty
// line. The last one is how models are shown what Grep found; "8080:80" looks the same.
const STYLES: readonly NumberStyle[] = [
  { pattern: /^ *(\d+) \|(?: |$)/u },
  { pattern: /^ *(\d+)(?:\t|$)/u },
  { pattern: /^ *(\d+)[:-](?: |$)/u },
  { pattern: /^(\d+)[:-]/u, isDoubtful: true },
];

/**
 * A passage without the numbers that a tool printed in front of every line of `oldText`, and without those of `newText`
 * if every line of it has one too: as these lines of the file have it, or else as it is usually printed.
 */
export async function withoutLineNumbers(
  { plain, lines }: EditableText,
  { oldText, newText }: Passage,
  pacer: Pacer,
): Promise<Passage | undefined> {
  let usual: Passage | undefined;
  for (const { pattern, isDoubtful = false } of STYLES) {
    const old = await strip(oldText, pattern, true, pacer);
    if (old === undefined || old.text === "") continue;
    const passage = { oldText: old.text, newText: (await strip(newText, pattern, false, pacer))?.text ?? newText };
    const isThere = old.firstNumber >= 1 && plain.startsWith(old.text, lines.startOf(old.firstNumber));
    if (isThere) return passage;
    if (!isDoubtful) usual ??= passage;
  }
  return usual;
}

/** Whether a line of the file itself begins with what was taken off the first line. */
export function hasPrintedNumber({ plain }: EditableText, { oldText }: Passage, unnumbered: Passage): boolean {
  const [first = "", without = ""] = [oldText, unnumbered.oldText].map((text) => text.split("\n", 1)[0]);
  const number = first.slice(0, first.length - without.length);
  return plain.startsWith(number) || plain.includes(`\n${number}`);
}

/** A text whose every line had a number; they must follow each other if `isInOrder`, and something must follow one. */
async function strip(
  text: string,
  pattern: RegExp,
  isInOrder: boolean,
  pacer: Pacer,
): Promise<{ readonly text: string; readonly firstNumber: number } | undefined> {
  const parts: string[] = [];
  let firstNumber: number | undefined;
  let isMoreThanNumbers = false;
  let count = 0;
  for (let from = 0; from < text.length || count === 0;) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const [whole, digits = ""] = pattern.exec(text.slice(from, Math.min(end, from + MAX_NUMBER_CHARS))) ?? [];
    const number = Number(digits);
    firstNumber ??= number;
    if (whole === undefined || (isInOrder && number !== firstNumber + count)) return undefined;
    isMoreThanNumbers ||= !whole.endsWith(digits);
    parts.push(text.slice(from + whole.length, newline === -1 ? end : end + 1));
    count += 1;
    from = end + 1;
    if (count % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return isMoreThanNumbers && firstNumber !== undefined ? { text: parts.join(""), firstNumber } : undefined;
}
