import type { LineRange, Pacer } from "@fstools/sandbox";
import {
  createLineSearch,
  type EditableText,
  EQUIVALENCES,
  type Equivalence,
  type FittingLines,
  type LineRule,
  type LineSearch,
  MAX_LISTED_PLACES,
  type Replacement,
  SAME_LINES,
} from "@fstools/text";
import { type HunkText, joinedLines, type Reading, readHunks, withoutBareTail } from "./hunk-text.ts";
import type { FilePatch } from "./parse/file-patch.ts";

/** What the hunks of one file come to. */
export interface PlacedHunks {
  /** In the order of the file. */
  readonly replacements: readonly Replacement[];
  /** The lines of the new file that they left. */
  readonly lines: readonly LineRange[];
  /** For hunks that were not found exactly: which kind of difference, and where in the old file. */
  readonly fallbacks: readonly { readonly kind: Equivalence; readonly lines: LineRange }[];
  /** Those that fit nowhere, or not in one place only. */
  readonly misfits: readonly Misfit[];
  /** The first that does not prove to know the file: it was not found exactly, or not once. */
  readonly doubtful: Doubtful | undefined;
}

/** Why a hunk cannot be placed. */
export interface Misfit {
  readonly number: number;
  readonly why:
    "too_long" | "no_change" | "mark" | "only_new" | "anchor_nowhere" | "anchor_in_several" | "nowhere" | "in_several";
  readonly anchor?: string;
  /** Lines where it would fit. */
  readonly places?: readonly number[];
  /** The old and the new lines that were looked for. */
  readonly text?: HunkText;
  /** Where it fits, above the place from which it was looked for. */
  readonly above?: number | undefined;
}

/** A hunk of a file that has changed meanwhile, and the lines that it may be about. */
export interface Doubtful {
  readonly number: number;
  readonly lines: LineRange | undefined;
  readonly text: HunkText | undefined;
}

interface Found {
  readonly kind: Equivalence | undefined;
  readonly places: readonly FittingLines[];
  /** The hunk as it was looked for. */
  readonly of: HunkText;
}

/** Finds the place of each hunk: below the one before it and its anchors, and nowhere else. */
export async function placeHunks(
  text: EditableText,
  { patch, file, isStale }: { readonly patch: string; readonly file: FilePatch; readonly isStale: boolean },
  pacer: Pacer,
): Promise<PlacedHunks> {
  const reading = {
    patch,
    file,
    maxLines: text.lines.count,
    hasMark: text.encoding.markBytes > 0,
    keepsEnds: hasOwnLineEnds(text, patch, file),
  };
  const hunks = await readHunks(reading, pacer);
  const find = createFinder(text, reading, hunks, pacer);
  const edits = createEdits(text, reading, pacer);
  // Until one of them turns out to be wrong.
  let trustsLines = file.format === "git" && !isStale && hasOneLineEnd(text);
  const misfits: Misfit[] = [];
  let doubtful: Doubtful | undefined;
  // The first line that is below all hunks so far.
  let next = 1;
  for (const [index, given] of hunks.entries()) {
    const number = index + 1;
    const doubt = (lines?: LineRange) => (doubtful ??= { number, lines, text: given });
    const fail = (misfit: Omit<Misfit, "number">, lines?: LineRange) => {
      doubt(lines);
      misfits.push({ number, ...misfit });
    };
    if (given === undefined) {
      fail({ why: "too_long" });
      continue;
    }
    const isInsertion = given.old.length === given.bareTail;
    const hunk = isInsertion ? withoutBareTail(given) : given;
    if (hunk.runs.length === 0) {
      fail({ why: "no_change", text: hunk });
      continue;
    }
    if (hunk.changesMark) {
      fail({ why: "mark" });
      continue;
    }
    let from = next;
    let above: { readonly anchor: string; readonly found: Found } | undefined;
    let lost: string | undefined;
    for (const anchor of hunk.hunk.anchors) {
      const found = await find.anchor(anchor, from);
      const [first] = found?.places ?? [];
      if (found === undefined || first === undefined) lost ??= anchor;
      else above = { anchor, found };
      from = first === undefined ? from : first.line + 1;
    }
    if (lost !== undefined) {
      fail({ why: "anchor_nowhere", anchor: lost });
    } else if (isInsertion) {
      const last = above?.found.places.length ?? 1;
      if (file.format !== "marked" && text.plain !== "") fail({ why: "only_new" });
      else if (last > 1) fail({ why: "anchor_in_several", anchor: above?.anchor ?? "", places: linesOf(above?.found) });
      else {
        const line = above === undefined || hunk.hunk.isAtEnd === true ? Math.max(text.lines.count + 1, next) : from;
        if (text.plain !== "") doubt({ first: line, last: line });
        await edits.add({ kind: above?.found.kind, places: [], of: hunk }, line, hunk.fresh);
        next = line;
      }
    } else {
      const { oldLine = 0 } = hunk.hunk;
      const isAtEnd = oldLine + hunk.old.length > text.lines.count;
      const isTrusted = trustsLines && oldLine >= from && (isAtEnd || !endsWithChange(hunk));
      const found = (isTrusted ? await find.exactlyAt(hunk, oldLine) : undefined) ?? (await find.any(hunk, from));
      const [place] = found?.places ?? [];
      const lines = place && { first: place.line, last: place.line + hunk.old.length - 1 };
      if (found === undefined || place === undefined) {
        fail({ why: "nowhere", text: hunk, above: from > 1 ? await find.above(hunk, from) : undefined });
      } else if (found.places.length > 1) {
        fail({ why: "in_several", places: linesOf(found) }, lines);
      } else {
        if (found.kind !== undefined) doubt(lines);
        const fresh = found.kind === "indentation" ? place.newText.split("\n") : found.of.fresh;
        await edits.add(found, place.line, fresh);
        next = place.line + found.of.old.length;
        trustsLines &&= place.line === oldLine;
      }
    }
  }
  return { ...edits.all(), misfits, doubtful };
}

/** Whether no unchanged line follows: git writes such a hunk only for the end of a file. */
function endsWithChange({ runs, old }: HunkText): boolean {
  const last = runs.at(-1);
  return last !== undefined && last.at + last.count === old.length;
}

function linesOf(found: Found | undefined): readonly number[] {
  return found?.places.map(({ line }) => line) ?? [];
}

/** Looks for hunks; what compares lines in one way is prepared once for all of them. */
function createFinder(text: EditableText, reading: Reading, hunks: readonly (HunkText | undefined)[], pacer: Pacer) {
  const anchors = reading.file.hunks.flatMap((hunk) => hunk.anchors).map((anchor) => wanted([anchor]));
  const all = [...hunks.flatMap((hunk) => (hunk === undefined ? [] : wanted(hunk.old))), ...anchors];
  const searches = new Map<LineRule, Promise<LineSearch>>();
  const searchBy = (rule: LineRule) => {
    const search = searches.get(rule) ?? createLineSearch(text, rule, all, pacer);
    searches.set(rule, search);
    return search;
  };
  let unescaped: Promise<{ search: LineSearch; hunks: (HunkText | undefined)[] }> | undefined;
  const readUnescaped = async () => {
    const read = await readHunks({ ...reading, isEscaped: true }, pacer);
    const all = read.flatMap((hunk) => (hunk === undefined ? [] : wanted(hunk.old)));
    return { search: await createLineSearch(text, SAME_LINES, all, pacer), hunks: read };
  };

  /** The places of a hunk by one rule. */
  async function places(
    search: LineSearch,
    of: HunkText,
    from: number,
    { most = MAX_LISTED_PLACES + 1, fits = "" } = {},
  ) {
    const { old, isEnded, hunk } = of;
    const { count } = text.lines;
    const isUnended = isEnded?.old === false;
    const isAtEnd = hunk.isAtEnd === true || isUnended || isEnded?.fresh === false;
    if (old.length === 0 || hasLostBytes(old)) return [];
    const least = isAtEnd ? Math.max(from, count - old.length + 1) : from;
    if (isUnended && text.plain.endsWith("\n")) return [];
    return search(wanted(old, isEnded?.old ?? false, fits), { from: least, most }, pacer);
  }

  /** Whether lines have what also stands for bytes that are not text; whoever writes it does not know them. */
  function hasLostBytes(lines: readonly string[]): boolean {
    return !text.isFlawless && lines.some((line) => line.includes("\ufffd"));
  }

  async function any(hunk: HunkText, from: number): Promise<Found | undefined> {
    const exact = await places(await searchBy(SAME_LINES), hunk, from);
    if (exact.length > 0) return { kind: undefined, places: exact, of: hunk };
    if (hunk.old.every((line) => line.trim() === "")) return undefined;
    for (const rule of EQUIVALENCES) {
      const fits = rule.kind === "indentation" ? await joinedLines(hunk.fresh, 0, hunk.fresh.length, pacer) : "";
      const found = await places(await searchBy(rule), hunk, from, { fits });
      if (found.length > 0) return { kind: rule.kind, places: found, of: hunk };
      if (rule.kind !== "trailing_space" || hunk.bareTail === 0) continue;
      const cut = withoutBareTail(hunk);
      const shorter = await places(await searchBy(rule), cut, from);
      if (shorter.length > 0) return { kind: rule.kind, places: shorter, of: cut };
    }
    if (!hunk.old.some((line) => line.includes("\\"))) return undefined;
    unescaped ??= readUnescaped();
    const { search, hunks: variants } = await unescaped;
    const of = variants[hunk.number - 1];
    const found = of === undefined ? [] : await places(search, of, from);
    return of === undefined || found.length === 0 ? undefined : { kind: "escapes", places: found, of };
  }

  return {
    any,
    /** Only if it is exactly at this line. */
    exactlyAt: async (hunk: HunkText, line: number): Promise<Found | undefined> => {
      const found = await places(await searchBy(SAME_LINES), hunk, line, { most: 1 });
      return found[0]?.line === line ? { kind: undefined, places: found.slice(0, 1), of: hunk } : undefined;
    },
    /** The first line where it is exactly, if that is above another one. */
    above: async (hunk: HunkText, line: number): Promise<number | undefined> => {
      const [found] = await places(await searchBy(SAME_LINES), hunk, 1, { most: 1 });
      return found !== undefined && found.line < line ? found.line : undefined;
    },
    anchor: async (anchor: string, from: number): Promise<Found | undefined> => {
      const of = {
        old: [anchor],
        fresh: [anchor],
        runs: [],
        bareTail: 0,
        changesMark: false,
        isEnded: undefined,
        number: 0,
      };
      const hunk = { start: 0, end: 0, anchors: [] };
      for (const rule of [SAME_LINES, ...EQUIVALENCES]) {
        const found = await places(await searchBy(rule), { ...of, hunk }, from, { fits: anchor });
        if (found.length > 0) return { kind: rule.kind, places: found, of: { ...of, hunk } };
      }
      return undefined;
    },
  };
}

function wanted(lines: readonly string[], isEnded = false, newText = "") {
  return { lines, isEnded, newText };
}

/** Collects the replacements of hunks, which come in the order of the file. */
function createEdits(text: EditableText, { keepsEnds }: Reading, pacer: Pacer) {
  const { plain, lines } = text;
  const isFileEnded = plain === "" || plain.endsWith("\n");
  const replacements: Replacement[] = [];
  const changed: LineRange[] = [];
  const fallbacks: { kind: Equivalence; lines: LineRange }[] = [];
  let shift = 0;

  async function add({ kind, of }: Found, line: number, fresh: readonly string[]): Promise<void> {
    // Lines that were made to fit are no longer those of the patch.
    const hasOwnLineEnds = keepsEnds && kind !== "indentation" && kind !== "escapes";
    for (const { at, count, from, added, own } of of.runs) {
      const first = line + at;
      const [start, end] = [lines.startOf(first), lines.startOf(first + count)];
      const whole = hasOwnLineEnds ? own.join("") : await joinedLines(fresh, from, from + added, pacer);
      const { isEnded } = of;
      const isEndWanted = isEnded === undefined ? isFileEnded : isEnded.fresh && (isFileEnded || !isEnded.old);
      const newText = end === plain.length && !isEndWanted ? whole.replace(/\r?\n$/u, "") : whole;
      const place = count === 0 ? insertion(start, newText, hasOwnLineEnds) : { start, end, newText };
      replacements.push({ ...place, hasOwnLineEnds });
      const newFirst = first + shift;
      changed.push({ first: newFirst, last: Math.max(newFirst, newFirst + added - 1) });
      shift += added - count;
    }
    const last = Math.max(line, line + of.old.length - 1);
    if (kind !== undefined) fallbacks.push({ kind, lines: { first: line, last } });
  }

  function insertion(at: number, newText: string, hasOwnLineEnds: boolean): Replacement {
    const before = replacements.at(-1);
    const isAfterOther = before?.end === at;
    const endOfOther = before?.newText === "" ? plain[before.start - 1] : before?.newText.at(-1);
    const isAtLineStart = at === 0 || (isAfterOther ? (endOfOther ?? "\n") : plain[at - 1]) === "\n";
    if (!isAtLineStart) return { start: at, end: at, newText: `\n${newText}` };
    // New lines get the end of the line before them.
    const takesEnd = !hasOwnLineEnds && at > 0 && !isAfterOther && text.raw !== plain;
    return takesEnd ? { start: at - 1, end: at, newText: `\n${newText}` } : { start: at, end: at, newText };
  }

  return { add, all: () => ({ replacements, lines: changed, fallbacks }) };
}

/** Whether the patch says which line ends it means: it has "\r\n", and not only since it was sent that way. */
function hasOwnLineEnds(text: EditableText, patch: string, { hunks, hasReturns }: FilePatch): boolean {
  const hasReturn = hunks.some(({ start, end }) => patch.slice(start, end).includes("\r"));
  return hasReturn && (!hasReturns || text.raw.includes("\r"));
}

/** Whether all lines of a file end alike; else lines that look the same may not be, and git's numbers not ours. */
function hasOneLineEnd({ raw, plain, lines }: EditableText): boolean {
  const ends = plain === "" || plain.endsWith("\n") ? lines.count : lines.count - 1;
  return raw === plain || (raw.length - plain.length === ends && !/\r(?!\n)/u.test(raw));
}
