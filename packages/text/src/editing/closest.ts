import { echo } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { firstCodePoints } from "../lines.ts";
import { type EditableText, lineText, STEPS_PER_CLOCK } from "./editable-text.ts";
import { withPlainPunctuation } from "./equivalence.ts";

/** The lines of a file that come closest to what was looked for. */
export interface ClosestLines {
  readonly first: number;
  readonly lines: readonly string[];
  /** "line 43 has a tab where you wrote 4 spaces"; undefined if they are what was looked for. */
  readonly difference: string | undefined;
}

const MIN_COMMON_WORDS = 0.5;
// A hint may cost some work, but a bounded amount.
const MAX_WANTED_LINES = 1000;
const MAX_LINE_CHARS = 2000;
const MAX_SAME_LINES = 8;
const MAX_VOTED = 100_000;
const MAX_SCORED = 100_000;
const MAX_SHOWN_CHARS = 40;
// What reducing changes: blanks other than a single space within the line, and whatever is not ASCII.
const NEEDS_REDUCING = /^ | $| {2}|[\t\u0080-\uffff]/u;

/** The lines that share most with `wanted` when blanks and punctuation don't count; undefined if none do. */
export async function findClosest(text: EditableText, wanted: string, pacer: Pacer): Promise<ClosestLines | undefined> {
  const isEnded = wanted.endsWith("\n");
  const wantedLines = firstLines(isEnded ? wanted.slice(0, -1) : wanted);
  const first = await closestStart(text, wantedLines, pacer);
  if (first === undefined) return undefined;
  const { lines } = linesBetween(text, first, first + wantedLines.length - 1);
  const difference = describeDifference(lines, wantedLines, first, isEnded);
  return difference === undefined ? undefined : { first, lines, difference };
}

/** Lines of a file as they are; those after its end are left out. */
export function linesBetween(text: EditableText, first: number, last: number): ClosestLines {
  const count = Math.max(0, Math.min(last, text.lines.count) - first + 1);
  const lines = Array.from({ length: count }, (_, index) => lineText(text, first + index));
  return { first, lines, difference: undefined };
}

function firstLines(wanted: string): string[] {
  return wanted.slice(0, MAX_WANTED_LINES * MAX_LINE_CHARS).split("\n", MAX_WANTED_LINES);
}

async function closestStart(text: EditableText, wanted: readonly string[], pacer: Pacer): Promise<number | undefined> {
  const places = new Map<string, number[]>();
  for (const [index, line] of wanted.entries()) {
    const key = reduced(line);
    const known = places.get(key) ?? [];
    if (key !== "" && known.length < MAX_SAME_LINES) places.set(key, [...known, index]);
  }
  const [longest = "", at = [0]] = [...places].sort(([one], [other]) => other.length - one.length)[0] ?? [];
  const words = wordsOf(longest);
  const votes = new Map<number, number>();
  let similar: { readonly line: number; readonly score: number } | undefined;
  let scored = 0;
  for (let line = 1; line <= text.lines.count; line += 1) {
    if (line % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    if (text.lines.startOf(line + 1) - text.lines.startOf(line) > MAX_LINE_CHARS) continue;
    const key = reduced(lineText(text, line));
    for (const index of places.get(key) ?? []) {
      if (votes.size < MAX_VOTED) votes.set(line - index, (votes.get(line - index) ?? 0) + 1);
    }
    if (votes.size > 0 || key === "" || scored === MAX_SCORED) continue;
    scored += 1;
    const score = commonWords(words, wordsOf(key));
    if (score >= MIN_COMMON_WORDS && score > (similar?.score ?? 0)) similar = { line, score };
  }
  let best: { readonly start: number; readonly count: number } | undefined;
  for (const [start, count] of votes) if (start >= 1 && count > (best?.count ?? 0)) best = { start, count };
  if (best !== undefined) return best.start;
  return similar === undefined ? undefined : Math.max(1, similar.line - (at[0] ?? 0));
}

/** A line with runs of blanks as one space, and plain punctuation. */
function reduced(line: string): string {
  if (!NEEDS_REDUCING.test(line)) return line;
  return withPlainPunctuation(line)
    .normalize()
    .split(/[ \t]+/u)
    .filter(Boolean)
    .join(" ");
}

function wordsOf(line: string): ReadonlySet<string> {
  return new Set(line.split(/[\s!-/:-@[-`{-~]+/u).filter(Boolean));
}

/** The share of words that two lines have in common. */
function commonWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / Math.max(1, one.size, other.size);
}

function describeDifference(
  found: readonly string[],
  wanted: readonly string[],
  first: number,
  isEnded: boolean,
): string | undefined {
  for (const [index, wrote] of wanted.entries()) {
    const has = found[index];
    if (has === undefined) return `the file ends at line ${first + found.length - 1}`;
    // What was looked for may begin and end within a line.
    const isEndOfLine = index === 0 && has.endsWith(wrote);
    const isStartOfLine = index === wanted.length - 1 && !isEnded && has.startsWith(wrote);
    if (has !== wrote && !isEndOfLine && !isStartOfLine) return `line ${first + index} has ${inWords(has, wrote)}`;
  }
  return undefined;
}

function inWords(has: string, wrote: string): string {
  let at = 0;
  while (at < has.length && has[at] === wrote[at]) at += 1;
  return differentBlanks(has, wrote, at) ?? differentCharacters(has, wrote, at) ?? differentWords(has, wrote, at);
}

/** Only if the texts go on alike after the blanks: else words differ. */
function differentBlanks(has: string, wrote: string, at: number): string | undefined {
  const start = has.slice(0, at).replace(/[ \t]+$/u, "").length;
  const [there, here] = [has, wrote].map((text) => /^[ \t]*/u.exec(text.slice(start))?.[0] ?? "");
  if (there === undefined || here === undefined || there === here) return undefined;
  const goOnAlike = has[start + there.length] === wrote[start + here.length];
  return goOnAlike ? `${nameOf(there)} where you wrote ${nameOf(here)}` : undefined;
}

/** Characters that look the same: composed or not, or a space of another kind. */
function differentCharacters(has: string, wrote: string, at: number): string | undefined {
  const start = isMark(has[at]) || isMark(wrote[at]) ? at - 1 : at;
  const [there = "", here = ""] = [has, wrote].map((text) => /^.\p{M}*/u.exec(text.slice(start))?.[0] ?? "");
  const areSpaces = /^\p{Zs}$/u.test(there) && /^\p{Zs}$/u.test(here);
  if (there === "" || (there.normalize() !== here.normalize() && !areSpaces)) return undefined;
  return `${nameOf(there)} as ${codePoints(there)} where you wrote it as ${codePoints(here)}`;
}

function differentWords(has: string, wrote: string, at: number): string {
  const start = has.slice(0, at).replace(/[\p{L}\p{M}\p{N}_]+$/u, "").length;
  return `${nameOf(has.slice(start))} where you wrote ${nameOf(wrote.slice(start))}`;
}

function isMark(character = ""): boolean {
  return /\p{M}/u.test(character);
}

function codePoints(text: string): string {
  return Array.from(text, (character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  }).join(" ");
}

function nameOf(text: string): string {
  if (text === "") return "nothing";
  if (/^ +$/u.test(text)) return text.length === 1 ? "a space" : `${text.length} spaces`;
  if (/^\t+$/u.test(text)) return text.length === 1 ? "a tab" : `${text.length} tabs`;
  const shown = firstCodePoints(text, MAX_SHOWN_CHARS);
  return `'${echo(shown)}${shown.length < text.length ? "…" : ""}'`;
}
