import { MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import { countOf, type EditableText, type Range, STEPS_PER_CLOCK, withPlainLineEnds } from "./editable-text.ts";
import { createLineSearch, EQUIVALENCES, SAME_LINES, wantedLines, withoutEscapes } from "./equivalence.ts";
import type { Equivalence, LineRule, WantedLines } from "./equivalence.ts";
import { hasPrintedNumber, type Passage, withoutLineNumbers } from "./line-numbers.ts";

/** One replacement that is asked for. */
export interface EditRequest extends Passage {
  /** Whether every place is replaced, instead of the only one. */
  readonly isForAll: boolean;
}

/** A part of the plain text, and what takes its place. */
export interface Replacement extends Range {
  readonly newText: string;
  /**
   * Whether its lines keep their ends; else they end with "\n", and get those of the range.
   * @default false
   */
  readonly hasOwnLineEnds?: boolean;
}

/** Where a request fits. */
export interface Match {
  readonly replacements: readonly Replacement[];
  /** The kind of difference that was ignored; undefined for an exact match. */
  readonly fallback?: Equivalence;
  /** Whether printed line numbers were taken off. */
  readonly hadNumbers: boolean;
}

/** Why a request fits nowhere, or not in one place only. */
export interface Mismatch {
  /** The first lines at which it fits; none if nowhere. */
  readonly places: readonly number[];
  readonly isMoreThanListed: boolean;
  /** What was looked for, as far as known without printed numbers. */
  readonly passage: Passage;
}

/** Whether a request fits. */
export function isMatch(result: Match | Mismatch): result is Match {
  return "replacements" in result;
}

/** The most places that one call replaces: each takes about a hundred bytes until the file is written. */
export const MAX_REPLACEMENTS = 1_000_000;

// What is so much longer than the file is not in it, whatever is taken off.
const MAX_TIMES_LONGER = 16;
const MAX_LONGER_BYTES = 1024;
// V8 skips ahead by tables for so many characters; with longer texts its worst case is quadratic.
const MAX_NATIVE_CHARS = 250;
const NOT_ASCII = /[^\0-\x7f]/u;
const CHUNK_CHARS = 1024 * 1024;

/** A request that is still looked for. */
interface Open {
  readonly index: number;
  readonly passage: Passage;
  readonly isForAll: boolean;
  readonly hadNumbers: boolean;
}

/** Finds all requests, each exactly, or else except for one kind of difference that loses nothing. */
export async function findMatches(
  text: EditableText,
  requests: readonly EditRequest[],
  pacer: Pacer,
): Promise<(Match | Mismatch)[]> {
  const results: (Match | Mismatch)[] = requests.map(foundNowhere);
  const asGiven: Open[] = [];
  for (const [index, { oldText, newText, isForAll }] of requests.entries()) {
    if (!mayFit(text, oldText)) continue;
    const passage = {
      oldText: await withPlainLineEnds(oldText, pacer),
      newText: await withPlainLineEnds(newText, pacer),
    };
    asGiven.push({ index, passage, isForAll, hadNumbers: false });
  }
  const unnumbered: Open[] = [];
  for (const open of await findOpen(text, asGiven, results, pacer)) {
    results[open.index] = foundNowhere(open.passage);
    const passage = await withoutLineNumbers(text, open.passage, pacer);
    if (passage !== undefined) unnumbered.push({ ...open, passage, hadNumbers: true });
  }
  for (const { index, passage } of await findOpen(text, unnumbered, results, pacer)) {
    const given = results[index];
    const isPrinted = given !== undefined && !isMatch(given) && !hasPrintedNumber(text, given.passage, passage);
    if (isPrinted) results[index] = foundNowhere(passage);
  }
  return results;
}

function foundNowhere(passage: Passage): Mismatch {
  return { places: [], isMoreThanListed: false, passage };
}

/** Whether a file can hold a text, as far as its length tells. */
export function mayFit({ bytes }: EditableText, oldText: string): boolean {
  return oldText.length <= MAX_TIMES_LONGER * bytes.length + MAX_LONGER_BYTES;
}

/** The first line in which a passage is exactly; undefined if there is none, or nothing to look for. */
export async function findPassage(text: EditableText, passage: string, pacer: Pacer): Promise<number | undefined> {
  if (passage.trim() === "" || hasLostBytes(text, passage)) return undefined;
  const [start] = await findText(text.plain, passage, { isOverlapping: true, most: 1 }, pacer);
  return start === undefined ? undefined : text.lines.lineAt(start);
}

/** Puts what was found into `results`, and returns what is nowhere. */
async function findOpen(
  text: EditableText,
  all: readonly Open[],
  results: (Match | Mismatch)[],
  pacer: Pacer,
): Promise<readonly Open[]> {
  const nowhere = new Set(all);
  const settle = (open: Open, places: readonly Replacement[], fallback?: Equivalence): void => {
    if (places.length === 0) return;
    const { passage, isForAll, hadNumbers } = open;
    const isUnique = places.length <= (isForAll ? MAX_REPLACEMENTS : 1);
    const listed = places.slice(0, MAX_LISTED_PLACES).map(({ start }) => text.lines.lineAt(start));
    results[open.index] = isUnique
      ? { replacements: places, ...(fallback && { fallback }), hadNumbers }
      : { places: listed, isMoreThanListed: places.length > listed.length, passage };
    nowhere.delete(open);
  };
  for (const open of all) settle(open, await findExact(text, open, pacer));
  if (nowhere.size === 0) return [];

  const wanted = new Map<Open, WantedLines>();
  for (const open of nowhere) if (await mayBeWholeLines(text, open, pacer)) wanted.set(open, wantedLines(open.passage));
  const attempt = async (
    kind: Equivalence | undefined,
    rule: LineRule,
    linesOf: (open: Open, lines: WantedLines) => WantedLines | undefined | Promise<WantedLines | undefined>,
  ): Promise<void> => {
    const sought = new Map<Open, WantedLines>();
    for (const [open, asked] of wanted) {
      const lines = nowhere.has(open) ? await linesOf(open, asked) : undefined;
      if (lines !== undefined && (await mayBeFound(text, rule, lines, pacer))) sought.set(open, lines);
    }
    if (sought.size === 0) return;
    const search = await createLineSearch(text, rule, sought.values(), pacer);
    for (const [open, lines] of sought) settle(open, await search(lines, { most: MAX_LISTED_PLACES + 1 }, pacer), kind);
  };
  for (const rule of EQUIVALENCES) {
    await attempt(rule.kind, rule, (_, lines) => lines);
    if (rule.kind === "trailing_space") await attempt(rule.kind, SAME_LINES, withoutLastLineEnd);
  }
  await attempt("escapes", SAME_LINES, (open) => unescaped(text, open, pacer));
  return [...nowhere];
}

/** The places of a text: for a replacement of all of them one after the other, else also such as overlap. */
async function findExact(text: EditableText, { passage, isForAll }: Open, pacer: Pacer): Promise<Replacement[]> {
  const { oldText, newText } = passage;
  if (hasLostBytes(text, oldText)) return [];
  const most = (isForAll ? MAX_REPLACEMENTS : MAX_LISTED_PLACES) + 1;
  const starts = await findText(text.plain, oldText, { isOverlapping: !isForAll, most }, pacer);
  const found: Replacement[] = [];
  for (const [index, start] of starts.entries()) {
    found.push({ start, end: start + oldText.length, newText });
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return found;
}

/** Whether a text has what also stands for bytes that are not text; whoever writes it does not know them. */
function hasLostBytes({ isFlawless }: EditableText, oldText: string): boolean {
  return !isFlawless && oldText.includes("\ufffd");
}

async function mayBeWholeLines(text: EditableText, { passage, isForAll }: Open, pacer: Pacer): Promise<boolean> {
  const { oldText } = passage;
  if (isForAll || oldText.trim() === "" || hasLostBytes(text, oldText)) return false;
  // One line end may be too many.
  return (await countOf("\n", oldText, pacer)) <= text.lines.count + 1;
}

/** Whether it is worth a look at each line: only if the file has the longest one, whatever blanks are around it. */
async function mayBeFound(
  { plain }: EditableText,
  { kind }: LineRule,
  { lines }: WantedLines,
  pacer: Pacer,
): Promise<boolean> {
  if (kind === "punctuation") return NOT_ASCII.test(plain) || lines.some((line) => NOT_ASCII.test(line));
  let longest = "";
  for (const line of lines) if (line.length > longest.length) longest = line;
  const sought = longest.trim().slice(0, MAX_NATIVE_CHARS);
  return (await findText(plain, sought, { isOverlapping: true, most: 1 }, pacer)).length > 0;
}

/** Lines with one line end less than was asked for: what ends with an empty line that is not there. */
function withoutLastLineEnd({ passage: { oldText, newText } }: Open): WantedLines | undefined {
  if (!/[^\n]\n\n$/u.test(oldText) || !newText.endsWith("\n")) return undefined;
  return wantedLines({ oldText: oldText.slice(0, -1), newText: newText.slice(0, -1) });
}

/** The lines that a text means if its escapes are taken for what they stand for. */
async function unescaped(
  { plain }: EditableText,
  { passage: { oldText, newText } }: Open,
  pacer: Pacer,
): Promise<WantedLines | undefined> {
  // An escape is two characters for one.
  if (!oldText.includes("\\") || oldText.length > 2 * plain.length + 1) return undefined;
  const meant = await withoutEscapes(oldText, pacer);
  if (meant === oldText) return undefined;
  return wantedLines({ oldText: meant, newText: await withoutEscapes(newText, pacer) });
}

interface SearchOptions {
  /** Whether places may overlap; else the next one begins after the one before it. */
  readonly isOverlapping: boolean;
  /** Stops after so many. */
  readonly most: number;
}

/** The places of a text in another, in order, in time linear in both. */
export async function findText(text: string, wanted: string, options: SearchOptions, pacer: Pacer): Promise<number[]> {
  const { isOverlapping, most } = options;
  const head = wanted.slice(0, MAX_NATIVE_CHARS);
  const found: number[] = [];
  let steps = 0;
  let wasted = 0;
  for (let start = 0; start + wanted.length <= text.length;) {
    if (pacer.due()) await pacer.rest();
    const chunk = text.slice(start, start + CHUNK_CHARS + wanted.length - 1);
    const last = chunk.length - wanted.length;
    let next = 0;
    for (let at = chunk.indexOf(head); at !== -1 && at <= last; at = chunk.indexOf(head, next)) {
      next = at + 1;
      if (chunk.startsWith(wanted, at)) {
        found.push(start + at);
        if (found.length === most) return found;
        if (!isOverlapping) next = at + wanted.length;
      } else if ((wasted += wanted.length) > text.length) {
        // What begins alike again and again would be compared to its end each time.
        const rest = { isOverlapping, most: most - found.length };
        return [...found, ...(await findByBorders(text, wanted, start + at, rest, pacer))];
      }
      steps += 1;
      if (steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
    start += Math.max(next, last + 1);
  }
  return found;
}

/** The places from a position on, by the way of Knuth, Morris and Pratt: no character is looked at again and again. */
async function findByBorders(
  text: string,
  wanted: string,
  from: number,
  { isOverlapping, most }: SearchOptions,
  pacer: Pacer,
): Promise<number[]> {
  // For each beginning of `wanted`, the length of the longest shorter one that it ends with.
  const borders = new Int32Array(wanted.length);
  const longer = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && unit !== wanted.charCodeAt(length)) length = borders[length - 1] ?? 0;
    return unit === wanted.charCodeAt(length) ? length + 1 : length;
  };
  for (let index = 1, length = 0; index < wanted.length; index += 1) {
    borders[index] = length = longer(length, wanted.charCodeAt(index));
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  const found: number[] = [];
  for (let index = from, matched = 0; index < text.length; index += 1) {
    matched = longer(matched, text.charCodeAt(index));
    if (matched === wanted.length) {
      found.push(index - matched + 1);
      if (found.length === most) return found;
      if (!isOverlapping) matched = 0;
    }
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return found;
}
