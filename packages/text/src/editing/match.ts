import { MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import { countOf, type EditableText, type Range, STEPS_PER_CLOCK, withPlainLineEnds } from "./editable-text.ts";
import {
  createLineSearch,
  EQUIVALENCES,
  type Equivalence,
  type WantedLines,
  wantedLines,
  withoutEscapes,
} from "./equivalence.ts";
import { hasPrintedNumber, type Passage, withoutLineNumbers } from "./line-numbers.ts";
import { findText } from "./sequence.ts";

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
  const results: (Match | Mismatch)[] = requests.map((passage) => ({ places: [], isMoreThanListed: false, passage }));
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
    results[open.index] = { places: [], isMoreThanListed: false, passage: open.passage };
    const passage = await withoutLineNumbers(text, open.passage, pacer);
    if (passage !== undefined) unnumbered.push({ ...open, passage, hadNumbers: true });
  }
  for (const { index, passage } of await findOpen(text, unnumbered, results, pacer)) {
    const given = results[index];
    const isPrinted = given !== undefined && !isMatch(given) && !hasPrintedNumber(text, given.passage, passage);
    if (isPrinted) results[index] = { places: [], isMoreThanListed: false, passage };
  }
  return results;
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
    results[open.index] = isUnique(open, places) ? matchOf(open, places, fallback) : mismatch(text, open, places);
    nowhere.delete(open);
  };
  for (const open of all) settle(open, await findExact(text, open, pacer));

  const wanted = new Map<Open, WantedLines>();
  for (const open of nowhere) if (await mayBeWholeLines(text, open, pacer)) wanted.set(open, wantedLines(open.passage));
  for (const rule of EQUIVALENCES) {
    const sought = new Map<Open, WantedLines>();
    for (const [open, block] of wanted) {
      if (nowhere.has(open) && (await rule.mayFit(text, block, pacer))) sought.set(open, block);
    }
    if (sought.size === 0) continue;
    const search = await createLineSearch(text, rule, sought.values(), pacer);
    for (const [open, block] of sought) {
      settle(open, await search(block, { most: MAX_LISTED_PLACES + 1 }, pacer), rule.kind);
      if (rule.kind !== "trailing_space" || !nowhere.has(open)) continue;
      settle(open, await findWithoutLastLineEnd(text, open, pacer), rule.kind);
    }
  }
  for (const open of wanted.keys())
    if (nowhere.has(open)) settle(open, await findUnescaped(text, open, pacer), "escapes");
  return [...nowhere];
}

function isUnique({ isForAll }: Open, places: readonly Replacement[]): boolean {
  return places.length <= (isForAll ? MAX_REPLACEMENTS : 1);
}

function matchOf({ hadNumbers }: Open, replacements: readonly Replacement[], fallback?: Equivalence): Match {
  return fallback === undefined ? { replacements, hadNumbers } : { replacements, fallback, hadNumbers };
}

function mismatch({ lines }: EditableText, { passage }: Open, places: readonly Replacement[]): Mismatch {
  const listed = places.slice(0, MAX_LISTED_PLACES).map(({ start }) => lines.lineAt(start));
  return { places: listed, isMoreThanListed: places.length > listed.length, passage };
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

/** Whole lines that have one line end less than was asked for: what ends with an empty line that is not there. */
async function findWithoutLastLineEnd(text: EditableText, { passage }: Open, pacer: Pacer): Promise<Replacement[]> {
  const { oldText, newText } = passage;
  if (!/[^\n]\n\n$/u.test(oldText) || !newText.endsWith("\n")) return [];
  return findWholeLines(text, { oldText: oldText.slice(0, -1), newText: newText.slice(0, -1) }, pacer);
}

/** Whole lines that the text means if its escapes are taken for what they stand for. */
async function findUnescaped(text: EditableText, { passage }: Open, pacer: Pacer): Promise<Replacement[]> {
  const { oldText, newText } = passage;
  // An escape is two characters for one.
  if (!oldText.includes("\\") || oldText.length > 2 * text.plain.length + 1) return [];
  const unescaped = await withoutEscapes(oldText, pacer);
  if (unescaped === oldText) return [];
  return findWholeLines(text, { oldText: unescaped, newText: await withoutEscapes(newText, pacer) }, pacer);
}

async function findWholeLines(
  { plain }: EditableText,
  { oldText, newText }: Passage,
  pacer: Pacer,
): Promise<Replacement[]> {
  const accepts = (start: number): boolean => {
    const end = start + oldText.length;
    const isAtStart = start === 0 || plain[start - 1] === "\n";
    return isAtStart && (end === plain.length || plain[end - 1] === "\n" || plain[end] === "\n");
  };
  const starts = await findText(plain, oldText, { isOverlapping: true, most: MAX_LISTED_PLACES + 1, accepts }, pacer);
  return starts.map((start) => ({ start, end: start + oldText.length, newText }));
}
