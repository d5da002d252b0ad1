import { echo } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { firstCodePoints } from "@fstools/text";
import { plainPunctuation } from "./equivalence.ts";
import { longestWord, type Units } from "./units.ts";

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
// Hints may cost some work, but a bounded amount.
const MAX_SAME_LINES = 8;
const MAX_VOTED = 100_000;
// Up to this many it is faster to look for each word than to look at each line.
const MAX_SOUGHT = 16;
const MAX_COUNTED = 1000;
// What reducing changes: blanks other than a single space within the line, and whatever is not ASCII.
const NEEDS_REDUCING = /^ | $| {2}|[\t\u0080-\uffff]/u;

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
  const reduce = createReducer(units);
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
  let looks = 0;
  for (const { line, text } of await candidates(units, [...places.keys()], words, pacer)) {
    const reduced = reduce(text);
    for (const index of places.get(reduced) ?? []) {
      if (votes.size < MAX_VOTED) votes.set(line - index, (votes.get(line - index) ?? 0) + 1);
    }
    const score = votes.size > 0 ? 0 : commonWords(words, reduced);
    if (score >= MIN_COMMON_WORDS && score > (similar?.score ?? 0)) similar = { line, score };
    looks += 1;
    if (looks % LINES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [start, count] of votes) if (start >= 1 && count > (best?.count ?? 0)) best = { start, count };
  if (best !== undefined) return best.start;
  return similar === undefined ? undefined : Math.max(1, similar.line - (at[0] ?? 0));
}

/** Makes runs of blanks one space, and punctuation plain. */
function createReducer(units: Units): (line: string) => string {
  const plain = plainPunctuation(units);
  return (line) => {
    if (!NEEDS_REDUCING.test(line)) return line;
    return plain(line)
      .split(/[ \t]+/u)
      .filter(Boolean)
      .join(" ");
  };
}

/**
 * The lines that may be equal to one of the keys when they are reduced, or share enough with the `words` of the longest:
 * all of them where that can't be decided sooner.
 */
async function candidates(
  units: Units,
  keys: readonly string[],
  words: ReadonlySet<string>,
  pacer: Pacer,
): Promise<Iterable<NumberedLine>> {
  const ofKeys = keys.map(longestWord);
  if (keys.length > MAX_SOUGHT || words.size > MAX_SOUGHT || ofKeys.includes("")) return linesWith(units.text, [""]);
  // A line that shares half of the words has one of the rarer half and one more.
  const counts: { readonly word: string; readonly count: number }[] = [];
  for (const word of words) {
    if (pacer.due()) await pacer.rest();
    counts.push({ word, count: countUpTo(units, word, MAX_COUNTED) });
  }
  const rarest = counts.sort((one, other) => one.count - other.count).slice(0, Math.floor(words.size / 2) + 1);
  const sought = new Set([...ofKeys, ...rarest.map(({ word }) => word)]);
  if (pacer.due()) await pacer.rest();
  return linesWith(
    units.text,
    [...sought].filter((word) => units.find(word) !== -1),
  );
}

function countUpTo({ text, find }: Units, word: string, most: number): number {
  let count = 0;
  for (let at = find(word); at !== -1 && count < most; at = text.indexOf(word, at + word.length)) count += 1;
  return count;
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

/** A line and its number, from 1. */
interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** The lines that have at least one of the `sought` texts, in order; the empty text is in every line. */
export function* linesWith(text: string, sought: readonly string[]): Generator<NumberedLine> {
  const next = sought.map((part) => ({ part, at: text.indexOf(part) }));
  let line = 1;
  for (let from = 0; from < text.length;) {
    const hit = next.reduce((first, { at }) => (at === -1 ? first : Math.min(first, at)), text.length);
    if (hit === text.length) return;
    let end = text.indexOf("\n", from);
    for (; end !== -1 && end < hit; end = text.indexOf("\n", from)) {
      line += 1;
      from = end + 1;
    }
    const stop = end === -1 ? text.length : end;
    yield { line, text: text.slice(from, stop) };
    line += 1;
    from = stop + 1;
    for (const one of next) if (one.at !== -1 && one.at < from) one.at = text.indexOf(one.part, from);
  }
}

function linesFrom(text: string, first: number, count: number): string[] {
  const lines: string[] = [];
  for (const { line, text: found } of linesWith(text, [""])) {
    if (line >= first + count) break;
    if (line >= first) lines.push(found);
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
