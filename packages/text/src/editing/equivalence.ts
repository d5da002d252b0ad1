import type { Pacer } from "@fstools/sandbox";
import { countUpTo, type EditableText, isEnded, lineText, type Range, STEPS_PER_CLOCK } from "./editable-text.ts";
import type { Passage } from "./line-numbers.ts";

/** A kind of difference that loses nothing. */
export type Equivalence = "trailing_space" | "indentation" | "punctuation" | "escapes";

/** Whole lines that are looked for, without their ends, and what takes their place. */
export interface WantedLines {
  readonly lines: readonly string[];
  /** Whether the last one has its line end. */
  readonly isEnded: boolean;
  readonly newText: string;
}

/** Lines of the file that fit. */
export interface FittingLines extends Range {
  /** The first of them. */
  readonly line: number;
  /** What takes their place, made to fit too. */
  readonly newText: string;
}

/** A way to compare lines. */
export interface LineRule {
  readonly kind: Equivalence | undefined;
  /** What is equal in lines that are equal. */
  readonly key: (line: string) => string;
  /** What takes the place of lines with equal keys; undefined if they do not fit after all. */
  readonly fit: (wanted: WantedLines, found: FoundLines) => string | undefined;
}

interface FoundLines {
  /** The text of the wanted line with this index. */
  readonly lineAt: (index: number) => string;
  readonly isEnded: boolean;
}

/** Lines exactly as they are. */
export const SAME_LINES: LineRule = {
  kind: undefined,
  key: (line) => line,
  fit: (wanted, found) => (found.isEnded || !wanted.isEnded ? wanted.newText : undefined),
};

/** The differences that may be between lines, in the order in which they are tried. */
export const EQUIVALENCES: readonly LineRule[] = [
  {
    kind: "trailing_space",
    key: withoutEnd,
    // At the end of a file the last line may lack the line end that was asked for.
    fit: ({ isEnded: isEndWanted, newText }, found) =>
      isEndWanted && !found.isEnded ? newText.replace(/\n$/u, "") : newText,
  },
  { kind: "indentation", key: withoutStart, fit: shifted },
  { kind: "punctuation", key: withPlainPunctuation, fit: SAME_LINES.fit },
];

/** The lines of a text that are asked for. */
export function wantedLines({ oldText, newText }: Passage): WantedLines {
  const isEnded = oldText.endsWith("\n");
  return { lines: (isEnded ? oldText.slice(0, -1) : oldText).split("\n"), isEnded, newText };
}

const MAX_PASSES = 16;
const MIN_STEPS = 50_000_000;

/** Finds lines that are equal by one rule. */
export type LineSearch = (
  wanted: WantedLines,
  options: { /** The first line that counts. */ readonly from?: number; readonly most: number },
  pacer: Pacer,
) => Promise<FittingLines[]>;

/** Prepares the search for some runs of lines: the file is gone through once for all of them. */
export async function createLineSearch(
  text: EditableText,
  { key, fit }: LineRule,
  all: Iterable<WantedLines>,
  pacer: Pacer,
): Promise<LineSearch> {
  let steps = 0;
  const step = () => ++steps % STEPS_PER_CLOCK === 0 && pacer.due();
  const ids = new Map<string, number>();
  for (const { lines } of all) {
    for (const line of lines) {
      const of = key(line);
      if (!ids.has(of)) ids.set(of, ids.size);
      if (step()) await pacer.rest();
    }
  }
  const { count } = text.lines;
  const found = new Int32Array(count);
  // Where the places of each line begin in `places`; at first where they end.
  const starts = new Int32Array(ids.size);
  for (let index = 0; index < count; index += 1) {
    const id = ids.get(key(lineText(text, index + 1))) ?? -1;
    found[index] = id;
    if (id !== -1) starts[id] = (starts[id] ?? 0) + 1;
    if (step()) await pacer.rest();
  }
  for (let id = 1; id < starts.length; id += 1) starts[id] = (starts[id] ?? 0) + (starts[id - 1] ?? 0);
  const places = new Int32Array(starts.at(-1) ?? 0);
  for (let index = count - 1; index >= 0; index -= 1) {
    const id = found[index] ?? -1;
    if (id !== -1) {
      const place = (starts[id] ?? 0) - 1;
      places[place] = index;
      starts[id] = place;
    }
    if (step()) await pacer.rest();
  }
  // Where almost everything looks alike, no single place is the one that was meant.
  const lastStep = MIN_STEPS + MAX_PASSES * steps;

  return async (wanted, { from = 1, most }, pacer) => {
    const { lines } = wanted;
    const fits: FittingLines[] = [];
    if (lines.length > count) return fits;
    const sought = new Int32Array(lines.length);
    let rarest = { offset: 0, at: places };
    for (const [offset, line] of lines.entries()) {
      const id = ids.get(key(line)) ?? -1;
      const at = places.subarray(starts[id], starts[id + 1]);
      if (id === -1 || at.length === 0) return fits;
      if (at.length <= rarest.at.length) rarest = { offset, at };
      sought[offset] = id;
      if (step()) await pacer.rest();
    }
    const { offset, at } = rarest;
    let compared = 0;
    for (let next = countUpTo(at, from - 2 + offset); next < at.length; next += 1) {
      const index = (at[next] ?? 0) - offset;
      if (index + lines.length > count) break;
      let same = 0;
      while (same < sought.length && found[index + same] === sought[same]) {
        same += 1;
        if (step()) await pacer.rest();
      }
      if (step()) await pacer.rest();
      if (same < sought.length && steps < lastStep) continue;
      const [line, last] = [index + 1, index + lines.length];
      const lineAt = (offset: number) => {
        compared += 1;
        return lineText(text, line + offset);
      };
      const isLastEnded = isEnded(text, last);
      const newText = same < sought.length ? undefined : fit(wanted, { lineAt, isEnded: isLastEnded });
      const isUndecided = steps >= lastStep || compared > MAX_PASSES * count + lines.length;
      if (newText === undefined && !isUndecided) continue;
      const end = text.lines.startOf(last + 1) - (isLastEnded && !wanted.isEnded ? 1 : 0);
      const place = { line, start: text.lines.startOf(line), end, newText: newText ?? "" };
      fits.push(place, ...(isUndecided ? [place] : []));
      if (fits.length >= most || isUndecided) break;
    }
    return fits;
  };
}

/** A line without the blanks at its end; a loop, since a pattern would look at long runs of blanks again and again. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function withoutStart(line: string): string {
  return line.slice(indentationOf(line).length);
}

function indentationOf(line: string): string {
  let end = 0;
  while (end < line.length && isBlank(line.charCodeAt(end))) end += 1;
  return line.slice(0, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

/** Blanks that are added in front of a line, or removed. */
interface Shift {
  readonly blanks: string;
  readonly isAdded: boolean;
}

/**
 * The new lines with the shift that all lines of the file have against those that were asked for. A caller who wrote
 * only the old lines without the file's indentation, and the new ones with it, gets them as they are.
 */
function shifted({ lines, isEnded: isEndWanted, newText }: WantedLines, found: FoundLines): string | undefined {
  if (isEndWanted && !found.isEnded) return undefined;
  const first = lines.findIndex((line) => withoutStart(line) !== "");
  const [asked, there] = [indentationOf(lines[first] ?? ""), indentationOf(found.lineAt(first))];
  const shift = shiftBetween(asked, there);
  if (shift === undefined) return undefined;
  let isUniform = shift.blanks !== "";
  let isSame = !isUniform;
  for (const [index, line] of lines.entries()) {
    const foundLine = found.lineAt(index);
    const isMoved = foundLine === shiftLine(line, shift);
    const isBlankLine = withoutStart(line) === "";
    isSame &&= foundLine === line;
    if (isMoved || (isBlankLine && foundLine === line)) continue;
    isUniform = false;
    if (!isBlankLine && shiftBetween(indentationOf(line), indentationOf(foundLine)) === undefined) return undefined;
  }
  const newLines = newText.split("\n");
  const own = newLines.find((line) => withoutStart(line) !== "");
  if (own !== undefined && indentationOf(own) === there && asked !== there) return newText;
  if (isSame || !isUniform) return undefined;
  const moved = newLines.map((line) => (withoutStart(line) === "" ? line : shiftLine(line, shift)));
  return moved.includes(undefined) ? undefined : moved.join("\n");
}

/** How one indentation becomes another; undefined if neither ends with the other, as tabs and spaces do. */
function shiftBetween(from: string, to: string): Shift | undefined {
  if (to.endsWith(from)) return { blanks: to.slice(0, to.length - from.length), isAdded: true };
  if (from.endsWith(to)) return { blanks: from.slice(0, from.length - to.length), isAdded: false };
  return undefined;
}

function shiftLine(line: string, { blanks, isAdded }: Shift): string | undefined {
  if (isAdded) return blanks + line;
  return line.startsWith(blanks) ? line.slice(blanks.length) : undefined;
}

// Quotes, dashes and spaces of Unicode, and what a keyboard has for them.
const PUNCTUATION: ReadonlyMap<string, string> = new Map(
  [
    ["'", "\u2018\u2019\u201a\u201b\u02bc\u2032"],
    ['"', "\u201c\u201d\u201e\u201f\u2033"],
    ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
    [" ", "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"],
  ].flatMap(([plain = "", fancy = ""]) => Array.from(fancy, (character) => [character, plain] as const)),
);
const FANCY = new RegExp(`[${[...PUNCTUATION.keys()].join("")}]|[\uff01-\uffee]+`, "gu");
// A longer line, which nobody wrote by hand, would take longer than a turn of the event loop may.
const MAX_PUNCTUATED_CHARS = 128 * 1024;
const NOT_ASCII = /[^\0-\x7f]/u;

/** A text with the quotes, dashes, spaces and widths of characters that a keyboard has. */
export function withPlainPunctuation(text: string): string {
  if (text.length > MAX_PUNCTUATED_CHARS || !NOT_ASCII.test(text)) return text;
  return text.replace(FANCY, (fancy) => PUNCTUATION.get(fancy) ?? fancy.normalize("NFKC"));
}

const ESCAPE = /\\(?:([nt])|(["'`$\\]))/gu;
const ESCAPE_BLOCK_CHARS = 128 * 1024;

/** A text with what its escapes stand for: of line ends, tabs, quotes, backticks, "$" and backslashes. */
export async function withoutEscapes(text: string, pacer: Pacer): Promise<string> {
  const parts: string[] = [];
  for (let from = 0; from < text.length;) {
    const block = text.slice(from, from + ESCAPE_BLOCK_CHARS);
    const backslashes = /\\*$/u.exec(block)?.[0].length ?? 0;
    // An escape is not cut in two.
    const end = from + block.length + (backslashes % 2);
    parts.push(text.slice(from, end).replaceAll(ESCAPE, unescape));
    from = end;
    if (pacer.due()) await pacer.rest();
  }
  return parts.join("");
}

function unescape(_: string, letter: string | undefined, sign: string | undefined): string {
  if (letter !== undefined) return letter === "n" ? "\n" : "\t";
  return sign ?? "";
}
