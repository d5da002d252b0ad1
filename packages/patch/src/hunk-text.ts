import type { Pacer } from "@fstools/sandbox";
import { STEPS_PER_CLOCK, withoutEscapes } from "@fstools/text";
import { type FilePatch, type Hunk, lineAt } from "./parse/file-patch.ts";

/** A hunk as lines of the old and the new file, whatever their ends. */
export interface HunkText extends Pick<Hunk, "anchors" | "oldLine" | "isAtEnd"> {
  /** From 1. */
  readonly number: number;
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly runs: readonly Run[];
  /** How many of its last lines are empty ones without a sign: they may be only between hunks. */
  readonly bareTail: number;
  /** Whether it would take the byte order mark off, or put one there. */
  readonly changesMark: boolean;
  /** Whether the last old and the last new line have line ends; undefined if the patch does not say it. */
  readonly isEnded: { readonly old: boolean; readonly fresh: boolean } | undefined;
}

/** Lines that go, and those in their place, by the index of the first of each and how many they are. */
interface Run {
  readonly at: number;
  count: number;
  readonly from: number;
  added: number;
  /** The new ones as they are in the patch, with their ends. */
  readonly own: string[];
}

/** How the hunks of a file are read. */
export interface Reading {
  readonly patch: string;
  readonly file: FilePatch;
  /** Hunks with more old lines fit nowhere, and are not read to their end. */
  readonly maxLines: number;
  /** Whether the file begins with a byte order mark, which is not of its text. */
  readonly hasMark?: boolean;
  /** Whether escapes stand for what they mean. */
  readonly isEscaped?: boolean;
}

interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
  /** Whether it is an empty line without a sign. */
  readonly isBare: boolean;
  /** Whether the line in the file has a line end. */
  readonly isEnded: boolean;
}

const MARK = "\ufeff";

/** Reads the hunks of a file, in slices that do not block the event loop. */
export async function readHunks(reading: Reading, pacer: Pacer): Promise<HunkText[]> {
  const all: HunkText[] = [];
  for (const hunk of reading.file.hunks) all.push(await readHunk(reading, hunk, all.length + 1, pacer));
  return all;
}

async function readHunk(reading: Reading, hunk: Hunk, number: number, pacer: Pacer): Promise<HunkText> {
  const { patch, file, maxLines, hasMark = false, isEscaped = false } = reading;
  const [old, fresh, runs]: [string[], string[], Run[]] = [[], [], []];
  let [lastOld, lastFresh, run]: [HunkLine?, HunkLine?, Run?] = [];
  let [bareTail, steps, knowsEnd] = [0, 0, file.format !== "marked"];
  let [oldMark, freshMark] = [false, false];
  for (const line of hunkLines(patch, hunk)) {
    // In a new file there are no others.
    const sign = line.isBare && file.operation === "create" ? "+" : line.sign;
    const isMarked = hasMark && line.text.startsWith(MARK);
    const text = isMarked ? line.text.slice(MARK.length) : line.text;
    bareTail = line.isBare ? bareTail + 1 : 0;
    knowsEnd ||= !line.isEnded;
    if (sign === " ") run = undefined;
    else if (run === undefined) runs.push((run = { at: old.length, count: 0, from: fresh.length, added: 0, own: [] }));
    for (const part of plainLines(isEscaped ? await withoutEscapes(text, pacer) : text)) {
      if (sign !== "+") old.push(part);
      if (sign !== "-") fresh.push(part);
      if (run !== undefined) run[sign === "-" ? "count" : "added"] += 1;
      if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
    if (sign === "+") run?.own.push(line.isEnded ? `${text}\n` : text);
    if (sign !== "+") [lastOld, oldMark] = [line, oldMark || isMarked];
    if (sign !== "-") [lastFresh, freshMark] = [line, freshMark || isMarked];
    if (old.length - bareTail > maxLines) break;
  }
  const changesMark = oldMark !== freshMark && file.operation === "update";
  const isEnded = knowsEnd ? { old: hasEnd(lastOld), fresh: hasEnd(lastFresh) } : undefined;
  return { ...hunk, number, old, fresh, runs, bareTail, changesMark, isEnded };
}

/** The lines of a hunk, with what "\ No newline at end of file" says of the line before it. */
function* hunkLines(patch: string, { start, end }: Hunk): Generator<HunkLine> {
  for (let line = lineAt(patch, start, end); line !== undefined; line = lineAt(patch, line.next, end)) {
    const { text, next } = line;
    if (text.startsWith("\\")) continue;
    const isBare = text === "" || text === "\r";
    const sign = text.startsWith("-") ? "-" : text.startsWith("+") ? "+" : " ";
    yield { sign, text: isBare ? text : text.slice(1), isBare, isEnded: next === end || patch[next] !== "\\" };
  }
}

/** A lone "\r" ends a line too. */
function hasEnd(line: HunkLine | undefined): boolean {
  return line === undefined || line.isEnded || line.text.endsWith("\r");
}

/** What a line of a patch is in a text where "\n" is the only line end. */
function plainLines(text: string): readonly string[] {
  if (!text.includes("\r") && !text.includes("\n")) return [text];
  return text.replace(/\r$/u, "").split(/\r\n?|\n/u);
}

/** A hunk without the empty lines at its end. */
export function withoutBareTail(text: HunkText): HunkText {
  const { old, fresh, bareTail } = text;
  if (bareTail === 0) return text;
  return { ...text, old: old.slice(0, -bareTail), fresh: fresh.slice(0, -bareTail), bareTail: 0 };
}

/** Some lines, each with this end, as one text, in slices that do not block the event loop. */
export async function joinedLines(
  lines: readonly string[],
  pacer: Pacer,
  { from = 0, to = lines.length, lineEnd = "\n" } = {},
): Promise<string> {
  const parts: string[] = [];
  for (let at = from; at < to; at += STEPS_PER_CLOCK) {
    parts.push(lines.slice(at, Math.min(to, at + STEPS_PER_CLOCK)).join(lineEnd) + lineEnd);
    if (pacer.due()) await pacer.rest();
  }
  return parts.join("");
}
