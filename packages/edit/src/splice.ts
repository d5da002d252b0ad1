import { Buffer } from "node:buffer";
import { countNewlines } from "@fstools/protocol";
import type { ByteChange, Pacer } from "@fstools/sandbox";
import type { Range, Replacement } from "./places.ts";
import type { LineEnd, Units } from "./units.ts";

/** Lines of the new file. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** How many tiny steps to make before the clock is read. */
export const STEPS_PER_CLOCK = 1024;

/** Some lines of the new file. */
export interface ShownLines {
  /** The number of the first. */
  readonly line: number;
  readonly text: string;
}

/** The new content of a file, and where it differs. */
export interface Spliced {
  readonly bytes: Buffer;
  /** In the order of the file. */
  readonly changes: () => Iterable<ByteChange>;
}

const SHOWN_UNITS = 512 * 1024;

/** The new bytes of a file: everything outside the replacements, which are in order, stays as it is. */
export async function splice(units: Units, replacements: readonly Replacement[], pacer: Pacer): Promise<Spliced> {
  const { bytes, encoding } = units;
  const texts = new Map<string, Buffer>();
  const encoded = (replacement: Replacement): Buffer => {
    const text = withLineEnds(units, replacement);
    const known = texts.get(text) ?? encoding.encode(text);
    texts.set(text, known);
    return known;
  };
  // Numbers and few objects: the garbage collector stops the process for as long as it takes to go through them.
  const starts = new Float64Array(replacements.length);
  const ends = new Float64Array(replacements.length);
  const newTexts: Buffer[] = [];
  let size = bytes.length;
  for (const [index, replacement] of replacements.entries()) {
    const [start = 0, end = 0] = [units.byteAt(replacement.start), units.byteAt(replacement.end)];
    const text = encoded(replacement);
    starts[index] = start;
    ends[index] = end;
    newTexts.push(text);
    size += text.length - (end - start);
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  const spliced = Buffer.allocUnsafe(size);
  let from = 0;
  let at = 0;
  for (const [index, text] of newTexts.entries()) {
    at += bytes.copy(spliced, at, from, starts[index]);
    at += text.copy(spliced, at);
    from = ends[index] ?? 0;
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  bytes.copy(spliced, at, from);
  return {
    bytes: spliced,
    *changes() {
      for (const [index, { length: newLength }] of newTexts.entries()) {
        yield { start: starts[index] ?? 0, end: ends[index] ?? 0, newLength };
      }
    },
  };
}

/** Gives the text the line ends of the range that it replaces, one by one; further ones are like the last of them. */
function withLineEnds(units: Units, { start, end, newString }: Replacement): string {
  if (units.isPlain || !newString.includes("\n")) return newString;
  let at = units.text.indexOf("\n", start);
  // A range without a line end takes that of the line in which it lies.
  let last = at === -1 ? commonestLineEnd(units) : units.lineEndAt(at);
  let afterReturn = isLineEnd(units, start - 1, "\r") ? 0 : -1;
  const beforeNewline = isLineEnd(units, end, "\n") ? newString.length - 1 : -1;
  return newString.replaceAll("\n", (_, offset: number) => {
    if (at !== -1 && at < end) {
      last = units.lineEndAt(at);
      at = units.text.indexOf("\n", at + 1);
    }
    // A "\r" right before a "\n" would be one line end with it.
    const isAfter = offset === afterReturn;
    const isBefore = offset === beforeNewline;
    if (isBefore && (isAfter || last === "\r")) return isAfter ? "\r\n" : "\n";
    const chosen = last === "\n" && isAfter ? "\r" : last;
    if (chosen === "\r") afterReturn = offset + 1;
    return chosen;
  });
}

function isLineEnd({ text, lineEndAt }: Units, index: number, lineEnd: LineEnd): boolean {
  return text[index] === "\n" && lineEndAt(index) === lineEnd;
}

/** Whether a lone "\r" and a "\n" become one line end, since all between them goes. */
function joinsLineEnds(units: Units, { start, end, newString }: Replacement): boolean {
  if (units.isPlain || newString !== "") return false;
  return isLineEnd(units, start - 1, "\r") && isLineEnd(units, end, "\n");
}

function commonestLineEnd({ text, lineEndAt }: Units): LineEnd {
  const counts = new Map<LineEnd, number>();
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    const end = lineEndAt(at);
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? "\n";
}

/** Counts the lines up to positions that come in order. */
export function createLineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (index) => {
    while (next !== -1 && next < index) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

/** The lines of the new file that the replacements, which are in order, left. */
export async function changedLines(
  units: Units,
  replacements: readonly Replacement[],
  pacer: Pacer,
): Promise<LineRange[]> {
  const lineAt = createLineCounter(units.text);
  const lines: LineRange[] = [];
  let shift = 0;
  for (const [index, replacement] of replacements.entries()) {
    const { start, end, newString } = replacement;
    const first = lineAt(start) + shift;
    const added = countNewlines(newString);
    shift += added - countNewlines(units.text.slice(start, end)) - (joinsLineEnds(units, replacement) ? 1 : 0);
    lines.push({ first, last: first + added - (added > 0 && newString.endsWith("\n") ? 1 : 0) });
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  return lines;
}

/** The replacements in the first lines that have any, up to a number of lines. */
export function firstLines(text: string, replacements: readonly Replacement[], count: number): readonly Replacement[] {
  let left = count;
  let lineEnd = -1;
  const stop = replacements.findIndex(({ start, end }) => {
    if (start > lineEnd) left -= 1;
    const next = text.indexOf("\n", end);
    lineEnd = next === -1 ? text.length : next;
    return left < 0;
  });
  return stop === -1 ? replacements : replacements.slice(0, stop);
}

/** The replacements with a number of whole lines around each, before and after; those that meet are one region. */
export async function regionsOf(
  units: Units,
  replacements: readonly Replacement[],
  context: number,
  pacer: Pacer,
): Promise<ShownLines[]> {
  const { text } = units;
  const lineAt = createLineCounter(text);
  const regions: ShownLines[] = [];
  let shift = 0;
  for (const group of await grouped(text, replacements, context, pacer)) {
    if (pacer.due()) await pacer.rest();
    const oldText = text.slice(group.start, group.end);
    const newText = await replaced(units, group, pacer);
    regions.push({ line: lineAt(group.start) + shift, text: await shown(units, newText, pacer) });
    shift += countNewlines(newText) - countNewlines(oldText);
    if (pacer.due()) await pacer.rest();
  }
  return regions;
}

async function replaced(units: Units, { start, end, replacements }: Group, pacer: Pacer): Promise<string> {
  const blocks: string[] = [];
  let parts: string[] = [];
  let from = start;
  // Most are the same text, which is then converted to units once.
  let last: { readonly text: string; readonly inUnits: string } | undefined;
  for (const replacement of replacements) {
    const { start: at, end: next, newString } = replacement;
    if (last?.text !== newString) last = { text: newString, inUnits: units.from(newString) };
    parts.push(units.text.slice(from, joinsLineEnds(units, replacement) ? at - 1 : at), last.inUnits);
    from = next;
    if (parts.length < 2 * STEPS_PER_CLOCK) continue;
    blocks.push(parts.join(""));
    parts = [];
    if (pacer.due()) await pacer.rest();
  }
  return [...blocks, ...parts, units.text.slice(from, end)].join("");
}

/** A text as people read it: a long one in blocks of whole lines, between which no character can be cut in two. */
async function shown({ show }: Units, text: string, pacer: Pacer): Promise<string> {
  if (text.length <= SHOWN_UNITS) return show(text);
  const blocks: string[] = [];
  for (let from = 0; from < text.length;) {
    const lineEnd = text.indexOf("\n", from + SHOWN_UNITS);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    blocks.push(show(text.slice(from, end)));
    from = end;
    if (pacer.due()) await pacer.rest();
  }
  return blocks.join("");
}

interface Group extends Range {
  readonly replacements: Replacement[];
}

async function grouped(
  text: string,
  replacements: readonly Replacement[],
  context: number,
  pacer: Pacer,
): Promise<Group[]> {
  const groups: { start: number; end: number; replacements: Replacement[] }[] = [];
  for (const [index, replacement] of replacements.entries()) {
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    const start = startOfContext(text, replacement.start, context);
    const end = endOfContext(text, replacement.end, leavesLine(text, replacement) ? context + 1 : context);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = end;
      last.replacements.push(replacement);
    } else {
      groups.push({ start, end, replacements: [replacement] });
    }
  }
  return groups;
}

/** Whether what comes after a replacement is the rest of a line that it left. */
function leavesLine(text: string, { start, newString }: Replacement): boolean {
  if (newString !== "") return !newString.endsWith("\n");
  return start > 0 && text[start - 1] !== "\n";
}

/** The beginning of the line that an index lies in, or of one that many lines before it. */
function startOfContext(text: string, index: number, lines: number): number {
  let start = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  for (let left = lines; left > 0 && start > 0; left -= 1) {
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return start;
}

/** The end of that many lines from an index on; the rest of its own line counts as one. */
function endOfContext(text: string, index: number, lines: number): number {
  let end = index;
  for (let left = lines; left > 0 && end < text.length; left -= 1) {
    const next = text.indexOf("\n", end);
    end = next === -1 ? text.length : next + 1;
  }
  return end;
}
