import { echo } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { firstCodePoints } from "@fstools/text";
import { plainPunctuation } from "./equivalence.ts";
import type { Units } from "./units.ts";

/** The lines of a file that come closest to what was looked for. */
export interface ClosestLines {
  readonly first: number;
  /** As people read them. */
  readonly lines: readonly string[];
  /** "line 43 has a tab where you wrote 4 spaces". */
  readonly difference: string;
}

const LINES_PER_CLOCK = 512;
const MAX_SHOWN_CHARS = 40;
const MIN_COMMON_WORDS = 0.5;
// Hints may cost some work, but not without end.
const MAX_SAME_LINES = 8;
const MAX_VOTED = 100_000;

/** The lines that share most with `wanted` (in units) when blanks and quotes don't count; undefined if none do. */
export async function findClosest(units: Units, wanted: string, pacer: Pacer): Promise<ClosestLines | undefined> {
  const wantedLines = wanted.replace(/\n$/u, "").split("\n");
  const first = await closestStart(units, wantedLines, pacer);
  if (first === undefined) return undefined;
  const found = linesFrom(units.text, first, wantedLines.length).map(units.show);
  const difference = describeDifference(found, wantedLines.map(units.show), first);
  return difference === undefined ? undefined : { first, lines: found, difference };
}

async function closestStart(units: Units, wanted: readonly string[], pacer: Pacer): Promise<number | undefined> {
  const plain = plainPunctuation(units);
  const reduce = (line: string) =>
    plain(line)
      .split(/[ \t]+/u)
      .filter(Boolean)
      .join(" ");
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = reduce(line);
    const known = places.get(key) ?? [];
    if (key !== "" && known.length < MAX_SAME_LINES) places.set(key, [...known, index]);
  }
  const [key = "", at = [0]] = [...places].sort(([one], [other]) => other.length - one.length)[0] ?? [];
  const words = wordsOf(key);
  const votes = new Map<number, number>();
  let similar: { readonly line: number; readonly score: number } | undefined;
  let line = 0;
  for (const text of eachLine(units.text)) {
    line += 1;
    const reduced = reduce(text);
    for (const index of places.get(reduced) ?? []) {
      if (votes.size < MAX_VOTED) votes.set(line - index, (votes.get(line - index) ?? 0) + 1);
    }
    const score = votes.size > 0 ? 0 : commonWords(words, reduced);
    if (score >= MIN_COMMON_WORDS && score > (similar?.score ?? 0)) similar = { line, score };
    if (line % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [start, count] of votes) if (start >= 1 && count > (best?.count ?? 0)) best = { start, count };
  if (best !== undefined) return best.start;
  return similar === undefined ? undefined : Math.max(1, similar.line - (at[0] ?? 0));
}

/** The share of words that a line has in common with those that are wanted. */
function commonWords(wanted: ReadonlySet<string>, line: string): number {
  if (line.length > 2000) return 0;
  const words = wordsOf(line);
  let common = 0;
  for (const word of words) if (wanted.has(word)) common += 1;
  return common / Math.max(words.size, wanted.size);
}

function wordsOf(line: string): Set<string> {
  return new Set(line.split(/[\s!-/:-@[-`{-~]+/u).filter(Boolean));
}

function* eachLine(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end;
    yield text.slice(from, next);
    from = next + 1;
  }
}

function linesFrom(text: string, first: number, count: number): string[] {
  const lines: string[] = [];
  let number = 0;
  for (const line of eachLine(text)) {
    number += 1;
    if (number >= first + count) break;
    if (number >= first) lines.push(line);
  }
  return lines;
}

function describeDifference(found: readonly string[], wanted: readonly string[], first: number): string | undefined {
  for (const [index, wrote] of wanted.entries()) {
    const has = found[index];
    if (has === undefined) return `the file ends at line ${first + found.length - 1}`;
    // What was looked for may begin and end within a line.
    const isPart =
      (index === 0 && has.endsWith(wrote)) || (index === wanted.length - 1 && has.startsWith(wrote)) || has === wrote;
    if (!isPart) return `line ${first + index} has ${inWords(has, wrote)}`;
  }
  return undefined;
}

function inWords(has: string, wrote: string): string {
  let at = 0;
  while (at < has.length && has[at] === wrote[at]) at += 1;
  const isBlankRun = /[ \t]/u.test(has[at] ?? "") || /[ \t]/u.test(wrote[at] ?? "");
  const within = isBlankRun ? /[ \t]/u : /\w/u;
  while (at > 0 && within.test(has[at - 1] ?? "")) at -= 1;
  const [there, here] = isBlankRun ? [blanksAt(has, at), blanksAt(wrote, at)] : [has.slice(at), wrote.slice(at)];
  return `${nameOf(there)} where you wrote ${nameOf(here)}`;
}

function blanksAt(line: string, at: number): string {
  return /^[ \t]*/u.exec(line.slice(at))?.[0] ?? "";
}

function nameOf(text: string): string {
  if (text === "") return "nothing";
  if (/^ +$/u.test(text)) return text.length === 1 ? "a space" : `${text.length} spaces`;
  if (/^\t+$/u.test(text)) return text.length === 1 ? "a tab" : `${text.length} tabs`;
  const shown = firstCodePoints(text, MAX_SHOWN_CHARS);
  return `'${echo(shown)}${shown.length < text.length ? "…" : ""}'`;
}
