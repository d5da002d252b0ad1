import { join } from "node:path";
import type { Params } from "../../rivals/host.ts";

export interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export interface Query {
  /** A word without special characters that every wanted line holds. */
  readonly word: string;
  /** What every wanted line matches, where the word alone says too little. */
  readonly regex?: RegExp;
  readonly path?: string;
  readonly include?: string;
  readonly context?: number;
  readonly hidden?: boolean;
  /** What is usually passed by counts too: installed packages, built files. */
  readonly ignored?: boolean;
}

export type Reach = Pick<Query, "hidden" | "ignored">;

interface Range {
  readonly from?: number;
  readonly count?: number;
  readonly encoding?: string;
}

export interface Change {
  readonly before: string;
  readonly after: string;
  readonly all?: boolean;
}

export interface FileChange extends Change {
  readonly path: string;
}

export type Call = readonly [tool: string, params: Params];

/**
 * What a task asks of a set of tools. A driver knows the tools' definitions and what their answers say, and nothing else:
 * it goes on where an answer tells it how. Paths are relative to the project; a second directory lies beside it.
 */
export interface Driver {
  readonly list: (directory: string, reach?: Reach) => Promise<string[]>;
  /** The first name of a directory that is meant; who has found it asks for no more. */
  readonly nameIn: (directory: string, isMeant: (name: string) => boolean) => Promise<string | undefined>;
  readonly count: (directory: string) => Promise<number>;
  readonly find: (pattern: string, reach?: Reach) => Promise<string[]>;
  readonly search: (query: Query) => Promise<Match[]>;
  readonly around: (query: Query, context: number) => Promise<Match[]>;
  readonly filesWith: (query: Query) => Promise<string[]>;
  readonly countLines: (query: Query) => Promise<number>;
  readonly read: (path: string, range?: Range) => Promise<string[]>;
  readonly sum: (path: string) => Promise<number>;
  readonly tail: (path: string, count: number) => Promise<string[]>;
  /** A line from wherever on, as long as its end is in it. */
  readonly lineEnd: (path: string, line: number) => Promise<string>;
  readonly edit: (path: string, changes: readonly Change[], encoding?: string) => Promise<void>;
  readonly editFiles: (changes: readonly FileChange[]) => Promise<void>;
  readonly editLines: (lines: readonly Match[], change: Change) => Promise<void>;
  readonly write: (path: string, content: string) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly copy: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly largest: (directory: string) => Promise<string>;
  readonly newest: (pattern: string) => Promise<string>;
  readonly pictureSize: (path: string) => Promise<string>;
  readonly page: (path: string, page: number) => Promise<string>;
}

export interface Session {
  readonly call: (...call: Call) => Promise<string>;
  /** Keeps what an answer said about its own gaps, where there is no way to fill them. */
  readonly doubt: (notice: string) => void;
}

export class Refused extends Error {}

/** An answer that hands over the document itself, which a model would read. */
export class Attached extends Error {}

/** The text of a page where a tool shows a document as a whole: for the script there is only the mark of it. @throws Attached */
export function attached(answer: string): never {
  if (!/\[attachment\]|PDF read successfully/u.test(answer)) throw new Refused(answer);
  throw new Attached();
}

export function cannot(wish: string): never {
  throw new Refused(`No tool ${wish}.`);
}

export function expectStart(answer: string, start: RegExp): string {
  if (!start.test(answer)) throw new Refused(answer);
  return answer;
}

export function found(answer: string, pattern: RegExp): string {
  const [, part] = pattern.exec(answer) ?? [];
  if (part === undefined) throw new Refused(answer);
  return part;
}

export function escaped(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/gu, "\\$&");
}

/** A pattern of file names as a regular expression's source: `**` crosses directories, braces are alternatives. */
export function globSource(pattern: string): string {
  return escaped(pattern)
    .replaceAll("\\*\\*/", "(?:.+/)?")
    .replaceAll("\\*", "[^/]*")
    .replaceAll(/\\\{(.*)\\\}/gu, (_, inside: string) => `(?:${inside.replaceAll(",", "|")})`);
}

export function patternOf({ word, regex }: Query): string {
  return regex?.source ?? escaped(word);
}

/** Lines of a query's result: those that match it, in case the tool matched only the word, or all with those around. */
export function wanted({ word, regex, context }: Query, matches: readonly Match[]): Match[] {
  if (context !== undefined) return [...matches];
  return matches.filter(({ text }) => (regex === undefined ? text.includes(word) : regex.test(text)));
}

export function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

export function sumOf(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + Number(/(\d+)$/u.exec(row)?.[1] ?? NaN), 0);
}

/** A path for tools that take one beside the project only as an absolute one. */
export function pathIn(root: string): (path: string) => string {
  return (path) => (path.startsWith("../") ? join(root, path) : path);
}

export function relativeTo(root: string, path: string): string {
  const parent = root.slice(0, root.lastIndexOf("/"));
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return parent !== "" && path.startsWith(`${parent}/`)
    ? `..${path.slice(parent.length)}`
    : path.replace(/^(?:\.\/|\/)/u, "");
}

export function matchesBelow(answer: string, fileIn: (line: string) => string | undefined, row: RegExp): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    file = fileIn(line) ?? file;
    const [, number, text = ""] = row.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}

/** A line that begins with its file and number, or of a single file with its number alone. */
export function matchIn(
  line: string,
  fileOf: (path: string) => string,
  { row = /^(.+?):(\d+):(.*)$/u, only }: { readonly row?: RegExp; readonly only?: string | undefined } = {},
): Match[] {
  const [, file = "", number, text = ""] = row.exec(line) ?? [];
  if (number !== undefined) return [{ file: fileOf(file), line: Number(number), text }];
  const [, alone, rest = ""] = /^(\d+):(.*)$/u.exec(line) ?? [];
  return alone === undefined || only === undefined ? [] : [{ file: only, line: Number(alone), text: rest }];
}

export function replacement(change: Change | undefined) {
  return { old_string: change?.before, new_string: change?.after, replace_all: change?.all };
}

export function textEdits(changes: readonly Change[]) {
  return changes.map(({ before, after }) => ({ oldText: before, newText: after }));
}

export async function most(paths: readonly string[], value: (path: string) => Promise<number>): Promise<string> {
  const valued: { readonly path: string; readonly value: number }[] = [];
  for (const path of paths) valued.push({ path, value: await value(path) });
  return valued.sort((one, other) => other.value - one.value)[0]?.path ?? "";
}

export function changed(content: string, changes: readonly Change[]): string {
  return changes.reduce((text, { before, after, all = false }) => {
    const pieces = text.split(before);
    if (pieces.length === 1) throw new Refused(`'${before}' is not in the file.`);
    if (!all && pieces.length > 2) throw new Refused(`'${before}' is in the file ${pieces.length - 1} times.`);
    return pieces.join(after);
  }, content);
}
