/** A text without the line numbers that a tool printed in front of its lines. */
export interface Unnumbered {
  readonly oldString: string;
  readonly newString: string;
  /** The number that its first line had. */
  readonly firstLine: number;
  /** Whether it could as well be a text that begins with a number: true only of what is at that line of the file. */
  readonly isDoubtful: boolean;
}

// As Read prints them, as models are shown them, and as Grep and others do; a tool may have cut blanks off an empty line.
const NUMBERS: readonly RegExp[] = [/^ *(\d+) \|(?: |$)/u, /^ *(\d+)(?:\t|$)/u, /^ *(\d+)[:-](?: |$)/u];
// As models are shown what Grep found; "8080:80" looks the same.
const DOUBTFUL_NUMBERS = /^(\d+)[:-]/u;

/**
 * The ways to take numbers off `oldString`, if every line has one and they follow each other, and off `newString` if
 * every line of it has one too. Lines end with "\n".
 */
export function withoutLineNumbers(oldString: string, newString: string): Unnumbered[] {
  return [...NUMBERS, DOUBTFUL_NUMBERS].flatMap((number) => {
    const old = strip(oldString, number);
    const [firstLine] = old?.numbers ?? [];
    if (old === undefined || firstLine === undefined || !isSequence(old.numbers) || old.text === "") return [];
    const stripped = strip(newString, number)?.text ?? newString;
    return [{ oldString: old.text, newString: stripped, firstLine, isDoubtful: number === DOUBTFUL_NUMBERS }];
  });
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
