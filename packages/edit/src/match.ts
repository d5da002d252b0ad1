import type { Pacer } from "@fstools/sandbox";
import { findEquivalent, type Equivalence } from "./equivalence.ts";
import { withoutLineNumbers } from "./line-numbers.ts";
import { withPlainLineEnds, type Units } from "./units.ts";

/** One replacement that was asked for. */
export interface EditRequest {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all: boolean;
}

/** A part of the units, from `start` to before `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where a request fits, and what takes its place. */
export interface Match {
  readonly ranges: readonly Range[];
  /** Its lines end with "\n". */
  readonly newString: string;
  /** The kind of difference that was passed over; undefined for an exact match. */
  readonly fallback?: Equivalence;
  /** Whether printed line numbers were taken off. */
  readonly hadNumbers: boolean;
}

/** Why a request fits nowhere, or not in one place only. */
export interface Mismatch {
  /** Every place that fits; none if there is none. */
  readonly places: readonly number[];
  /** What was looked for, in units. */
  readonly wanted: string;
  /** What would have taken its place, in units. */
  readonly replacement: string;
}

const MATCHES_PER_CLOCK = 1024;

/** Finds the text of a request: exactly, else but for one kind of difference that loses nothing. */
export async function findMatch(units: Units, request: EditRequest, pacer: Pacer): Promise<Match | Mismatch> {
  const oldString = withPlainLineEnds(request.old_string);
  const newString = withPlainLineEnds(request.new_string);
  const unnumbered = withoutLineNumbers(oldString, newString);
  const readings = [{ oldString, newString }, ...(unnumbered === undefined ? [] : [unnumbered])];

  for (const [index, reading] of readings.entries()) {
    const exact = await findExact(units, reading.oldString, request.replace_all, pacer);
    if (exact.length === 0) continue;
    if (exact.length > 1 && !request.replace_all)
      return mismatch(
        units,
        reading,
        exact.map(({ start }) => start),
      );
    return { ranges: exact, newString: reading.newString, hadNumbers: index > 0 };
  }
  const reading = readings.at(-1) ?? { oldString, newString };
  if (!request.replace_all) {
    const equivalent = await findEquivalent(units, reading.oldString, reading.newString, pacer);
    if (equivalent !== undefined && equivalent.ranges.length > 1) {
      return mismatch(
        units,
        reading,
        equivalent.ranges.map(({ start }) => start),
      );
    }
    if (equivalent !== undefined) return { ...equivalent, hadNumbers: unnumbered !== undefined };
  }
  return mismatch(units, reading, []);
}

function mismatch(
  units: Units,
  { oldString, newString }: { readonly oldString: string; readonly newString: string },
  places: readonly number[],
): Mismatch {
  return { places, wanted: units.from(oldString), replacement: units.from(newString) };
}

/** All places of a text: for a replacement of all of them one after the other, else also such as overlap. */
async function findExact(units: Units, text: string, skipsOverlaps: boolean, pacer: Pacer): Promise<Range[]> {
  const wanted = units.from(text);
  const step = skipsOverlaps ? wanted.length : 1;
  const ranges: Range[] = [];
  let tries = 0;
  for (let at = units.text.indexOf(wanted); at !== -1;) {
    const range = { start: at, end: at + wanted.length };
    const isBetweenCharacters = units.byteAt(range.start) !== undefined && units.byteAt(range.end) !== undefined;
    if (isBetweenCharacters) ranges.push(range);
    at = units.text.indexOf(wanted, at + (isBetweenCharacters ? step : 1));
    tries += 1;
    if (tries % MATCHES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return ranges;
}
