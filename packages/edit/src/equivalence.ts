import type { Pacer } from "@fstools/sandbox";
import { MAX_LISTED_PLACES, type Places, type Range } from "./places.ts";
import type { Units } from "./units.ts";

/** A kind of difference that loses nothing. */
export type Equivalence = "trailing_space" | "indentation" | "punctuation";

/** Whole lines that are equal except for one kind of difference, and what takes their place. */
export interface EquivalentMatch extends Places {
  readonly newString: string;
  readonly fallback: Equivalence;
}

/** Lines that were asked for. */
interface Block {
  readonly lines: readonly string[];
  /** Whether the last one has its line end. */
  readonly isEnded: boolean;
}

/** Lines of the file: from `start` to before `end`, the last line end not included. */
interface FoundBlock extends Range {
  readonly lines: readonly string[];
  readonly isEnded: boolean;
}

/** The first of the places that fit, and how many there are. */
interface FoundBlocks {
  readonly blocks: readonly FoundBlock[];
  readonly count: number;
}

/** Whether a line of the file, with or without its end, is equal to the wanted one with this index. */
type IsEqual = (line: string, index: number, isEnded: boolean) => boolean;

const TRIES_PER_CLOCK = 256;
const BLANK = /^[ \t]*$/u;

/** Whole lines equal to `oldString` except for one kind of difference; undefined if there are none. Lines end with "\n". */
export async function findEquivalent(
  units: Units,
  oldString: string,
  newString: string,
  pacer: Pacer,
): Promise<EquivalentMatch | undefined> {
  const wanted = blockOf(units.from(oldString));
  if (wanted.lines.every((line) => BLANK.test(line))) return undefined;
  return (
    (await findTrailing(units, wanted, newString, pacer)) ??
    (await findShifted(units, wanted, newString, pacer)) ??
    (await findPunctuation(units, wanted, newString, pacer))
  );
}

function blockOf(text: string): Block {
  const isEnded = text.endsWith("\n");
  return { lines: (isEnded ? text.slice(0, -1) : text).split("\n"), isEnded };
}

async function findTrailing(
  units: Units,
  wanted: Block,
  newString: string,
  pacer: Pacer,
): Promise<EquivalentMatch | undefined> {
  const fallback = "trailing_space";
  const isEqual = (line: string, index: number) => withoutEnd(line) === withoutEnd(wanted.lines[index] ?? "");
  const found = await findBlocks(units, wanted.lines, withoutEnd, isEqual, pacer);
  if (found.count > 0) {
    // At the end of a file the last line may lack the line end that was asked for.
    const lacksEnd = wanted.isEnded && found.blocks.some(({ isEnded }) => !isEnded);
    const ranges = found.blocks.map((block) => rangeOf(block, wanted.isEnded));
    const shown = lacksEnd ? newString.replace(/\n$/u, "") : newString;
    return { ranges, count: found.count, newString: shown, fallback };
  }
  // One line end too many: an empty last line that the file does not have there.
  const lines = wanted.lines.slice(0, -1);
  if (!wanted.isEnded || wanted.lines.at(-1) !== "" || lines.length === 0 || !newString.endsWith("\n"))
    return undefined;
  const isSame = (line: string, index: number, isEnded: boolean) => line === lines[index] && isEnded;
  const { blocks, count } = await findBlocks(units, lines, withoutEnd, isSame, pacer);
  const ranges = blocks.map((block) => rangeOf(block, true));
  return count === 0 ? undefined : { ranges, count, newString: newString.slice(0, -1), fallback };
}

async function findShifted(
  units: Units,
  wanted: Block,
  newString: string,
  pacer: Pacer,
): Promise<EquivalentMatch | undefined> {
  // The first line that is not blank sets the shift; all others must have the same.
  const isEqual = (line: string, index: number, isEnded: boolean) =>
    withoutStart(line) === withoutStart(wanted.lines[index] ?? "") &&
    (isEnded || !wanted.isEnded || index < wanted.lines.length - 1);
  const isShifted = (lines: readonly string[]) => {
    const shift = shiftBetween(wanted.lines, lines);
    return shift !== undefined && shiftLines(newString, shift) !== undefined;
  };
  const { blocks, count } = await findBlocks(units, wanted.lines, withoutStart, isEqual, pacer, isShifted);
  const [first] = blocks;
  const shift = first === undefined ? undefined : shiftBetween(wanted.lines, first.lines);
  const shifted = shift === undefined ? undefined : shiftLines(newString, shift);
  if (shifted === undefined) return undefined;
  const ranges = blocks.map((block) => rangeOf(block, wanted.isEnded));
  return { ranges, count, newString: shifted, fallback: "indentation" };
}

/** The same blanks in front of every line that is not blank. */
interface Shift {
  readonly blanks: string;
  readonly isAdded: boolean;
}

function shiftBetween(from: readonly string[], to: readonly string[]): Shift | undefined {
  const at = from.findIndex((line) => !BLANK.test(line));
  const [one = "", other = ""] = [from[at], to[at]];
  const isAdded = other.length > one.length;
  const blanks = (isAdded ? other : one).slice(0, Math.abs(other.length - one.length));
  if (blanks === "" || !BLANK.test(blanks)) return undefined;
  const isShifted = from.every((line, index) => {
    const target = to[index] ?? "";
    if (BLANK.test(line) && line === target) return true;
    return isAdded ? blanks + line === target : line === blanks + target;
  });
  return isShifted ? { blanks, isAdded } : undefined;
}

function shiftLines(text: string, { blanks, isAdded }: Shift): string | undefined {
  const lines = text.split("\n");
  const isMovable = lines.every((line) => isAdded || BLANK.test(line) || line.startsWith(blanks));
  if (!isMovable) return undefined;
  return lines
    .map((line) => {
      if (BLANK.test(line)) return line;
      return isAdded ? blanks + line : line.slice(blanks.length);
    })
    .join("\n");
}

// Quotes, dashes and spaces of Unicode, and what a keyboard has for them.
const PUNCTUATION: readonly (readonly [plain: string, fancy: string])[] = [
  ["'", "\u2018\u2019\u201a\u201b\u02bc\u2032"],
  ['"', "\u201c\u201d\u201e\u201f\u2033"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
];

async function findPunctuation(
  units: Units,
  wanted: Block,
  newString: string,
  pacer: Pacer,
): Promise<EquivalentMatch | undefined> {
  const plain = plainPunctuation(units);
  const lines = wanted.lines.map(plain);
  // Line by line, since what is searched must keep its length.
  const isEqual = (line: string, index: number, isEnded: boolean) =>
    plain(line) === lines[index] && (isEnded || !wanted.isEnded || index < lines.length - 1);
  const { blocks, count } = await findBlocks(units, wanted.lines, longestPlainPart(units), isEqual, pacer);
  if (count === 0) return undefined;
  return { ranges: blocks.map((block) => rangeOf(block, wanted.isEnded)), count, newString, fallback: "punctuation" };
}

/** Writes Unicode's punctuation as a keyboard does, in units. */
export function plainPunctuation(units: Pick<Units, "from">): (text: string) => string {
  const table = new Map(
    PUNCTUATION.flatMap(([to, from]) => Array.from(from, (fancy) => [units.from(fancy), to] as const)),
  );
  const pattern = new RegExp([...table.keys()].join("|"), "gu");
  return (text) => text.replace(pattern, (fancy) => table.get(fancy) ?? fancy);
}

/** The longest part of a line in which nothing can differ: letters and digits. */
function longestPlainPart(units: Pick<Units, "from">): (line: string) => string {
  const special = PUNCTUATION.flatMap(([to, from]) => [to, ...Array.from(from, (fancy) => units.from(fancy))]);
  const pattern = new RegExp(special.join("|"), "u");
  return (line) => longest(line.split(pattern));
}

function rangeOf({ start, end, isEnded }: FoundBlock, withEnd: boolean): Range {
  return { start, end: end + (withEnd && isEnded ? 1 : 0) };
}

/**
 * All places where whole lines equal the wanted ones. Looks only where a line has the longest of
 * the `anchors`: a part of each wanted line that an equal line has too.
 */
async function findBlocks(
  { text, find }: Units,
  wanted: readonly string[],
  anchorOf: (line: string) => string,
  isEqual: IsEqual,
  pacer: Pacer,
  isWanted: (lines: readonly string[]) => boolean = () => true,
): Promise<FoundBlocks> {
  const anchors = wanted.map(anchorOf);
  const anchor = longest(anchors);
  const anchorLine = anchors.indexOf(anchor);
  const blocks: FoundBlock[] = [];
  let count = 0;
  if (anchor === "") return { blocks, count };
  let tries = 0;
  // Each search through a whole file gets its own turn if needed.
  if (pacer.due()) await pacer.rest();
  for (let at = find(anchor); at !== -1;) {
    const start = startOfLineBefore(text, at, anchorLine);
    const block = start === undefined ? undefined : blockAt(text, start, wanted.length, isEqual);
    if (block !== undefined && isWanted(block.lines)) {
      count += 1;
      if (blocks.length < MAX_LISTED_PLACES) blocks.push(block);
    }
    const lineEnd = text.indexOf("\n", at);
    at = lineEnd === -1 ? -1 : text.indexOf(anchor, lineEnd);
    tries += 1;
    if (tries % TRIES_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return { blocks, count };
}

/** Where the line `lines` above the one with `index` begins; undefined if there are not so many. */
function startOfLineBefore(text: string, index: number, lines: number): number | undefined {
  let start = text.lastIndexOf("\n", index - 1) + 1;
  if (index === 0) start = 0;
  for (let left = lines; left > 0; left -= 1) {
    if (start === 0) return undefined;
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

function blockAt(text: string, start: number, count: number, isEqual: IsEqual): FoundBlock | undefined {
  const lines: string[] = [];
  let from = start;
  for (let index = 0; index < count; index += 1) {
    // After the last line end there is no further line.
    if (from === text.length && index > 0) return undefined;
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end === -1 ? text.length : end);
    if (!isEqual(line, index, end !== -1)) return undefined;
    lines.push(line);
    if (index === count - 1) {
      const last = end === -1 ? text.length : end;
      return { start, end: last, lines, isEnded: end !== -1 };
    }
    if (end === -1) return undefined;
    from = end + 1;
  }
  return undefined;
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), "");
}

/** Without the blanks at its end; a loop, since a pattern would look at long runs of blanks again and again. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function withoutStart(line: string): string {
  let start = 0;
  while (start < line.length && isBlank(line.charCodeAt(start))) start += 1;
  return line.slice(start);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
