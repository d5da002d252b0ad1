import type { Pacer } from "@fstools/sandbox";
import { STEPS_PER_CLOCK, withoutEscapes } from "@fstools/text";
import { type FilePatch, type Hunk, type HunkLine, hunkLines } from "./parse/file-patch.ts";

/** A hunk as lines of the old and the new file, whatever their ends. */
export interface HunkText {
  readonly hunk: Hunk;
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

/** Lines that go, and those in their place. */
interface Run {
  /** The index of the first of them in `old`. */
  readonly at: number;
  /** How many go. */
  count: number;
  /** The index of the first new one in `fresh`. */
  readonly from: number;
  /** How many come. */
  added: number;
  /** These with their own ends, if they keep them. */
  readonly own: string[];
}

const MARK = "\ufeff";

/** How the lines of a patch are taken. */
export interface Reading {
  readonly patch: string;
  readonly file: FilePatch;
  /** More old lines than this fit nowhere. */
  readonly maxLines: number;
  /** Whether the file begins with a byte order mark, which is not of its text. */
  readonly hasMark: boolean;
  /** Whether new lines keep the ends that they have in the patch. */
  readonly keepsEnds: boolean;
  /**
   * Whether escapes stand for what they mean.
   * @default false
   */
  readonly isEscaped?: boolean;
}

/** Reads the hunks of a file; undefined stands for one that has too many lines. */
export async function readHunks(reading: Reading, pacer: Pacer): Promise<(HunkText | undefined)[]> {
  const all: (HunkText | undefined)[] = [];
  for (const [index, hunk] of reading.file.hunks.entries()) {
    all.push(await readHunk(reading, hunk, index + 1, pacer));
  }
  return all;
}

async function readHunk(
  { patch, file, maxLines, hasMark, keepsEnds, isEscaped = false }: Reading,
  hunk: Hunk,
  number: number,
  pacer: Pacer,
): Promise<HunkText | undefined> {
  const [old, fresh, runs]: [string[], string[], Run[]] = [[], [], []];
  const last: { old?: HunkLine; fresh?: HunkLine } = {};
  const marks = { old: false, fresh: false };
  let [bareTail, steps, saysEnd] = [0, 0, false];
  let run: Run | undefined;
  for (const line of hunkLines(patch, hunk)) {
    const { sign, isBare, isEnded } = line;
    const isMarked = hasMark && line.text.startsWith(MARK);
    const text = isMarked ? line.text.slice(MARK.length) : line.text;
    if (isMarked && sign !== "+") marks.old = true;
    if (isMarked && sign !== "-") marks.fresh = true;
    bareTail = isBare ? bareTail + 1 : 0;
    saysEnd ||= !isEnded;
    if (sign === " ") run = undefined;
    else if (run === undefined) runs.push((run = { at: old.length, count: 0, from: fresh.length, added: 0, own: [] }));
    for (const part of plainLines(isEscaped ? await withoutEscapes(text, pacer) : text)) {
      if (sign !== "+") old.push(part);
      if (sign !== "-") fresh.push(part);
      if (run !== undefined && sign === "-") run.count += 1;
      if (run !== undefined && sign === "+") run.added += 1;
      if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
    if (sign === "+" && keepsEnds) run?.own.push(isEnded ? `${text}\n` : text);
    if (sign !== "+") last.old = line;
    if (sign !== "-") last.fresh = line;
    if (old.length > maxLines + bareTail) return undefined;
  }
  const knowsEnd = saysEnd || file.format !== "marked";
  const isEnded = { old: hasEnd(last.old), fresh: hasEnd(last.fresh) };
  const changesMark = marks.old !== marks.fresh && file.operation === "update";
  return { hunk, number, old, fresh, runs, bareTail, changesMark, isEnded: knowsEnd ? isEnded : undefined };
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

/** Some lines with their ends as one text, in slices that do not block the event loop. */
export async function joinedLines(lines: readonly string[], from: number, to: number, pacer: Pacer): Promise<string> {
  const parts: string[] = [];
  for (let at = from; at < to; at += STEPS_PER_CLOCK) {
    parts.push(lines.slice(at, Math.min(to, at + STEPS_PER_CLOCK)).join("\n"));
    if (pacer.due()) await pacer.rest();
  }
  return to > from ? `${parts.join("\n")}\n` : "";
}
