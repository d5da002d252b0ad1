/** A line that a search found. */
export interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** What to search for. */
export interface Query {
  /** A word without special characters that every wanted line holds. */
  readonly word: string;
  /** What every wanted line matches, where the word alone says too little. */
  readonly regex?: RegExp;
  readonly path?: string;
  /** A pattern of file names, such as `*.ts`. */
  readonly include?: string;
  /** Hidden names count too. */
  readonly hidden?: boolean;
  /** What is usually passed by counts too: installed packages, built files. */
  readonly ignored?: boolean;
}

/** Which names count. */
export type Reach = Pick<Query, "hidden" | "ignored">;

/** Which lines to read. */
interface Range {
  readonly from?: number;
  /** All that follow, if it is not given. */
  readonly count?: number;
  readonly encoding?: string;
}

/** One replacement. */
export interface Change {
  readonly before: string;
  readonly after: string;
  /** Every place instead of the only one. */
  readonly all?: boolean;
}

/** A call of a tool: its name and parameters. */
export type Call = readonly [tool: string, params: Readonly<Record<string, unknown>>];

/** The one call that a model would make first for each kind of request. */
export interface FirstCalls {
  readonly list: (directory: string) => Call;
  readonly find: (pattern: string, directory: string) => Call;
  readonly search: (word: string, directory: string) => Call;
  readonly read: (path: string, lines?: number) => Call;
  readonly edit: (path: string, change: Change) => Call;
}

/**
 * What a task asks of a set of tools. A driver knows the tools' definitions and what their answers say, and nothing else:
 * it goes on where an answer tells it how.
 */
export interface Driver {
  /** The names in a directory, those of directories with a slash. */
  readonly list: (directory: string, reach?: Reach) => Promise<string[]>;
  /** How many names a directory holds, where that can be told without naming them. */
  readonly count?: (directory: string) => Promise<number>;
  /** Paths of files, relative to the project. */
  readonly find: (pattern: string, reach?: Reach) => Promise<string[]>;
  readonly search: (query: Query) => Promise<Match[]>;
  readonly filesWith: (query: Query) => Promise<string[]>;
  readonly countLines: (query: Query) => Promise<number>;
  readonly read: (path: string, range?: Range) => Promise<string[]>;
  /** The sum of the numbers at the ends of a file's lines, where that can be told without showing them. */
  readonly sum?: (path: string) => Promise<number>;
  /** The last lines of a file. */
  readonly tail: (path: string, count: number) => Promise<string[]>;
  /** A line from wherever on, as long as its end is in it. */
  readonly lineEnd: (path: string, line: number) => Promise<string>;
  readonly edit: (path: string, changes: readonly Change[], encoding?: string) => Promise<void>;
  readonly write: (path: string, content: string) => Promise<void>;
  /** The name of the largest file of a directory. */
  readonly largest: (directory: string) => Promise<string>;
  /** The path of the file that matches and was changed last. */
  readonly newest: (pattern: string) => Promise<string>;
}

/** What a driver may do: call, and note that an answer said that something is missing. */
export interface Session {
  /** @throws OutOfCalls */
  readonly call: (...call: Call) => Promise<string>;
  /** Keeps what an answer said about its own gaps, where there is no way to fill them. */
  readonly doubt: (notice: string) => void;
}

/** The driver of one set of tools. */
export interface Kit {
  readonly first: (root: string) => FirstCalls;
  readonly drive: (session: Session, root: string) => Driver;
}

/** An answer that says that it does not give what was asked for. */
export class Refused extends Error {}

/** A wish that no tool of the set can fulfil. */
export function cannot(wish: string): never {
  throw new Refused(`No tool tells ${wish}.`);
}

/** Makes a call, and goes on with the next one as long as an answer leads to it. */
export async function follow(
  { call }: Pick<Session, "call">,
  first: Call,
  next: (answer: string) => Call | undefined,
): Promise<void> {
  for (let step: Call | undefined = first; step !== undefined;) step = next(await call(...step));
}

/** The answer, if it begins as one that does what was asked for. @throws Refused */
export function expectStart(answer: string, start: RegExp): string {
  if (!start.test(answer)) throw new Refused(answer);
  return answer;
}

/** What a search that shows lines also tells: the files, and how many lines there are. */
export function toldByLines(search: Driver["search"]): Pick<Driver, "search" | "filesWith" | "countLines"> {
  return {
    search,
    filesWith: async (query) => [...new Set((await search(query)).map(({ file }) => file))],
    countLines: async (query) => (await search(query)).length,
  };
}

/** The path with the latest time, for tools that tell one file's time a call; times are in ISO 8601. */
export async function latest(paths: readonly string[], timeOf: (path: string) => Promise<string>): Promise<string> {
  const dated: { readonly path: string; readonly time: string }[] = [];
  for (const path of paths) dated.push({ path, time: await timeOf(path) });
  return dated.sort((one, other) => other.time.localeCompare(one.time))[0]?.path ?? "";
}

/** A word as a regular expression that matches it and nothing else. */
export function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}

/** The pattern of a query, for tools that take regular expressions. */
export function patternOf({ word, regex }: Query): string {
  return regex?.source ?? escaped(word);
}

/** Lines of a query's result: those that match it, in case the tool matched only the word. */
export function wanted({ word, regex }: Query, matches: readonly Match[]): Match[] {
  return matches.filter(({ text }) => (regex === undefined ? text.includes(word) : regex.test(text)));
}

/** The lines of a text; a final line end makes no further line. */
export function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The lines of a whole file, for tools that take what follows the last line end for a line. */
export function withoutEmptyEnd(lines: readonly string[]): string[] {
  return lines.at(-1) === "" ? lines.slice(0, -1) : [...lines];
}

/** A path below the root as the tasks write it. */
export function relativeTo(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^(?:\.\/|\/)/u, "");
}

/** The content of a file with the changes made, for tools that only write whole files. */
export function changed(content: string, changes: readonly Change[]): string {
  return changes.reduce((text, { before, after, all = false }) => {
    const pieces = text.split(before);
    if (pieces.length === 1) throw new Refused(`'${before}' is not in the file.`);
    if (all) return pieces.join(after);
    if (pieces.length > 2) throw new Refused(`'${before}' is in the file ${pieces.length - 1} times.`);
    return pieces.join(after);
  }, content);
}

/** How often a text holds another. */
export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
