import type { Pacer } from "@fstools/sandbox";
import { findEquivalent, type Equivalence } from "./equivalence.ts";
import { withoutLineNumbers, type Unnumbered } from "./line-numbers.ts";
import { MAX_LISTED_PLACES, type Places, type Replacement } from "./places.ts";
import { withPlainLineEnds, type Units } from "./units.ts";

/** One replacement that was asked for. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

/** Where a request fits, and what takes its place. */
export interface Match {
  readonly ranges: readonly Replacement[];
  /** The kind of difference that was ignored; undefined for an exact match. */
  readonly fallback?: Equivalence;
  /** Whether printed line numbers were removed. */
  readonly hadNumbers: boolean;
}

/** Why a request fits nowhere, or not in one place only. */
export interface Mismatch {
  /** How often it fits; 0 if nowhere. */
  readonly count: number;
  /** The first of these places. */
  readonly places: readonly number[];
  /** What was looked for, in units. */
  readonly wanted: string;
  /** What would have taken its place, in units. */
  readonly replacement: string;
}

/** The most places that one call replaces: each takes about a hundred bytes until the file is written. */
export const MAX_REPLACEMENTS = 1_000_000;

const MATCHES_PER_CLOCK = 1024;

/** Finds the text of a request: exactly, or else except for one kind of difference that loses nothing. */
export async function findMatch(units: Units, request: EditRequest, pacer: Pacer): Promise<Match | Mismatch> {
  const oldString = withPlainLineEnds(request.old_string);
  const newString = withPlainLineEnds(request.new_string);
  const unnumbered = await findUnnumbered(units, oldString, newString, pacer);
  const readings = [{ oldString, newString }, ...(unnumbered === undefined ? [] : [unnumbered])];

  for (const [index, reading] of readings.entries()) {
    const hadNumbers = index > 0;
    const exact = await findExact(units, reading, request.replace_all, pacer);
    if (exact.count > (request.replace_all ? MAX_REPLACEMENTS : 1)) return mismatch(units, reading, exact);
    if (exact.count > 0) return { ranges: exact.ranges, hadNumbers };
    if (request.replace_all) continue;
    const equivalent = await findEquivalent(units, reading.oldString, reading.newString, pacer);
    if (equivalent === undefined) continue;
    if (equivalent.count > 1) return mismatch(units, reading, equivalent);
    const { fallback, newString: replacement } = equivalent;
    const ranges = equivalent.ranges.map((range) => ({ ...range, newString: replacement }));
    return { ranges, fallback, hadNumbers };
  }
  const isPrinted = unnumbered !== undefined && !hasNumber(units, oldString, unnumbered);
  return mismatch(units, isPrinted ? unnumbered : { oldString, newString }, NOWHERE);
}

/** Whether a line of the file itself begins with the number that the first line of `oldString` has. */
function hasNumber({ text, from }: Units, oldString: string, unnumbered: Unnumbered): boolean {
  const [numbered = "", plain = ""] = [oldString, unnumbered.oldString].map((lines) => lines.split("\n", 1)[0]);
  const number = from(numbered.slice(0, numbered.length - plain.length));
  return text.startsWith(number) || text.includes(`\n${number}`);
}

/** The text without its line numbers: as these lines of the file have it, or else as it is usually printed. */
async function findUnnumbered(
  units: Units,
  oldString: string,
  newString: string,
  pacer: Pacer,
): Promise<Unnumbered | undefined> {
  const readings = withoutLineNumbers(oldString, newString);
  const [first] = readings;
  if (first === undefined) return undefined;
  const start = await startOfLine(units.text, first.firstLine, pacer);
  const isThere = (reading: Unnumbered) =>
    start !== undefined && units.text.startsWith(units.from(reading.oldString), start);
  return readings.find(isThere) ?? readings.find(({ isDoubtful }) => !isDoubtful);
}

/** Where a line begins, counted from 1; undefined if there is none. */
async function startOfLine(text: string, line: number, pacer: Pacer): Promise<number | undefined> {
  if (line < 1) return undefined;
  let start = 0;
  for (let left = line - 1; left > 0; left -= 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return undefined;
    start = end + 1;
    if (left % MATCHES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return start;
}

/** What is looked for, and what takes its place. */
interface Reading {
  readonly oldString: string;
  readonly newString: string;
}

const NOWHERE: Places = { ranges: [], count: 0 };

function mismatch(units: Units, { oldString, newString }: Reading, { ranges, count }: Places): Mismatch {
  const places = ranges.slice(0, MAX_LISTED_PLACES).map(({ start }) => start);
  return { count, places, wanted: units.from(oldString), replacement: units.from(newString) };
}

/** The places of a text: for a replacement of all of them one after the other, else also such as overlap. */
async function findExact(
  units: Units,
  { oldString, newString }: Reading,
  isForAll: boolean,
  pacer: Pacer,
): Promise<Places & { readonly ranges: readonly Replacement[] }> {
  const wanted = units.from(oldString);
  const most = isForAll ? MAX_REPLACEMENTS : MAX_LISTED_PLACES;
  const ranges: Replacement[] = [];
  let count = 0;
  let tries = 0;
  if (pacer.due()) await pacer.rest();
  for (let at = units.find(wanted); at !== -1;) {
    const range = { start: at, end: at + wanted.length, newString };
    const isBetweenCharacters = units.byteAt(range.start) !== undefined && units.byteAt(range.end) !== undefined;
    if (isBetweenCharacters && ranges.length < most) ranges.push(range);
    if (isBetweenCharacters) count += 1;
    at = units.text.indexOf(wanted, at + (isBetweenCharacters && isForAll ? wanted.length : 1));
    tries += 1;
    if (tries % MATCHES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return { ranges, count };
}
