/** A text without the line numbers that a tool printed in front of its lines. */
export interface Unnumbered {
  readonly oldString: string;
  readonly newString: string;
}

// As Read prints them, as models are shown them, and as Grep and others do; a tool may have cut blanks off an empty line.
const NUMBERS: readonly RegExp[] = [/^ *(\d+) \|(?: |$)/u, /^ *(\d+)(?:\t|$)/u, /^ *(\d+):(?: |$)/u];

/**
 * Takes the numbers off `oldString` if every line has one and they follow each other, and off `newString` if every
 * line of it has one too; undefined if there are none. Lines end with "\n".
 */
export function withoutLineNumbers(oldString: string, newString: string): Unnumbered | undefined {
  for (const number of NUMBERS) {
    const old = strip(oldString, number);
    if (old === undefined || !isSequence(old.numbers) || old.text === "") continue;
    return { oldString: old.text, newString: strip(newString, number)?.text ?? newString };
  }
  return undefined;
}

function strip(
  text: string,
  number: RegExp,
): { readonly text: string; readonly numbers: readonly number[] } | undefined {
  const end = text.endsWith("\n") ? "\n" : "";
  const lines = text.slice(0, text.length - end.length).split("\n");
  const found = lines.map((line) => number.exec(line));
  const numbers = found.map((match) => Number(match?.[1]));
  if (numbers.some((value) => Number.isNaN(value)) || found.every((match) => match?.[0].endsWith(match[1] ?? ""))) {
    return undefined;
  }
  const stripped = lines.map((line, index) => line.slice(found[index]?.[0].length));
  return { text: stripped.join("\n") + end, numbers };
}

function isSequence(numbers: readonly number[]): boolean {
  return numbers.every((value, index) => value === (numbers[0] ?? 0) + index);
}
