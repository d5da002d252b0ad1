import { escapeLine, listedName } from "../text.ts";

/** What a search found in one place of a file. */
export interface ShownMatch {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The last line of a match that spans lines. */
  readonly end_line?: number | undefined;
  /** The lines before `line`, in the file's order. */
  readonly before?: readonly string[] | undefined;
  /** The lines after the match, in the file's order. */
  readonly after?: readonly string[] | undefined;
}

/** How the lines of a file are written. */
export interface MatchLayout {
  /** Before every line number, and before the "--" between parts that do not touch. */
  readonly indent: string;
  /** Between a line number with its sign and the line. */
  readonly gap: string;
  /** Between the lines of two files. */
  readonly betweenFiles: string;
}

const DOCUMENT: MatchLayout = { indent: "  ", gap: " ", betweenFiles: "\n" };

/** Matches grouped by file: its path, then its lines; context that several matches share is shown once. */
export function matchLines(matches: readonly ShownMatch[], layout: MatchLayout = DOCUMENT): string {
  const files = new Map<string, ShownMatch[]>();
  for (const match of matches) {
    const found = files.get(match.file) ?? [];
    files.set(match.file, found);
    found.push(match);
  }
  return [...files]
    .map(([file, found]) => [listedName(file), ...fileLines(found, layout)].join("\n"))
    .join(layout.betweenFiles);
}

interface ShownLine {
  /** The last line of the file that it covers. */
  readonly end: number;
  readonly words: string[];
}

function fileLines(matches: readonly ShownMatch[], { indent, gap }: MatchLayout): string[] {
  const shown = new Map<number, ShownLine>();
  for (const { line, end_line: end = line, before = [], after = [] } of matches) {
    const around = [
      ...before.map((text, index) => [line - before.length + index, text] as const),
      ...after.map((text, index) => [end + 1 + index, text] as const),
    ];
    for (const [at, text] of around) shown.set(at, { end: at, words: [`${at}-${gap}${escapeLine(text)}`] });
  }
  const first = new Set<number>();
  for (const { line, end_line: end = line, text } of matches) {
    const others = first.has(line) ? (shown.get(line)?.words ?? []) : [];
    shown.set(line, { end, words: [...others, `${line}:${gap}${escapeLine(text)}`] });
    first.add(line);
  }
  const hasContext = matches.some(({ before, after }) => before !== undefined || after !== undefined);
  const lines: string[] = [];
  let last = Infinity;
  for (const [at, { end, words }] of [...shown].sort(([left], [right]) => left - right)) {
    if (hasContext && at > last + 1) lines.push("--");
    lines.push(...words);
    last = last === Infinity ? end : Math.max(last, end);
  }
  return lines.map((line) => indent + line);
}
