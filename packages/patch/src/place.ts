import { type LineRange, MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import { createLineSearch, EQUIVALENCES, SAME_LINES } from "@fstools/text";
import type { EditableText, Equivalence, FittingLines, LineRule, LineSearch, Replacement } from "@fstools/text";
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
  readonly doubtful: { readonly hunk: HunkText; readonly line: number | undefined } | undefined;
}

/** Why a hunk cannot be placed. */
export interface Misfit {
  readonly why: "mark" | "only_new" | "anchor_nowhere" | "anchor_in_several" | "nowhere" | "in_several";
  readonly hunk: HunkText;
  readonly anchor?: string;
  /** Lines where it would fit. */
  readonly places?: readonly number[];
  /** Where it fits, above the place from which it was looked for. */
  readonly above?: number | undefined;
}

/** Lines that fit a hunk, or an anchor, in one way. */
interface Found {
  readonly kind: Equivalence | undefined;
  readonly places: readonly FittingLines[];
  /** The hunk as it was looked for. */
  readonly of: HunkText;
}

/** A hunk that has its place, and its lines as they were made to fit. */
interface Placed extends Pick<Found, "kind" | "of"> {
  readonly line: number;
  readonly fresh: readonly string[];
}

const ESCAPES: LineRule = { ...SAME_LINES, kind: "escapes" };

/** Finds the place of each hunk: below the one before it and its anchors, and nowhere else. */
export async function placeHunks(
  text: EditableText,
  { patch, file, isStale }: { readonly patch: string; readonly file: FilePatch; readonly isStale: boolean },
  pacer: Pacer,
): Promise<PlacedHunks> {
  const { count } = text.lines;
  const reading = { patch, file, maxLines: count, hasMark: text.encoding.markBytes > 0 };
  const hunks = await readHunks(reading, pacer);
  const find = createFinder(text, reading, hunks, pacer);
  const edits = createEdits(text, hasOwnLineEnds(text, patch, file), pacer);
  const misfits: Misfit[] = [];
  let doubtful: PlacedHunks["doubtful"];
  // Until one of them turns out to be wrong.
  let trustsLines = file.format === "git" && !isStale && hasOneLineEnd(text);
  // The first line that is below all hunks so far.
  let next = 1;
  for (const hunk of hunks) {
    const placed = await locate(hunk.old.length === hunk.bareTail ? withoutBareTail(hunk) : hunk);
    const isProof = !("why" in placed) && placed.kind === undefined && placed.of.old.length > 0;
    const line = "why" in placed ? placed.places?.[0] : placed.line;
    if (!isProof && text.plain !== "") doubtful ??= { hunk, line };
    if ("why" in placed) {
      misfits.push(placed);
      continue;
    }
    await edits.add(placed);
    trustsLines &&= placed.line === hunk.oldLine;
    next = placed.line + placed.of.old.length;
  }
  return { ...edits.all(), misfits, doubtful };

  async function locate(hunk: HunkText): Promise<Placed | Misfit> {
    const { old, anchors, oldLine = 0, isAtEnd = false } = hunk;
    if (hunk.changesMark) return { why: "mark", hunk };
    let from = next;
    let above: Found | undefined;
    for (const anchor of anchors) {
      above = await find.any(anchorText(anchor), from);
      if (above === undefined) return { why: "anchor_nowhere", hunk, anchor };
      from = (above.places[0]?.line ?? 0) + 1;
    }
    if (old.length === 0) {
      if (file.format !== "marked" && text.plain !== "") return { why: "only_new", hunk };
      const places = linesOf(above);
      if (places.length > 1) return { why: "anchor_in_several", hunk, anchor: anchors.at(-1) ?? "", places };
      const line = above === undefined || isAtEnd ? Math.max(count + 1, next) : from;
      return { kind: above?.kind, line, fresh: hunk.fresh, of: hunk };
    }
    const reachesEnd = oldLine + old.length > count;
    const isTrusted = trustsLines && oldLine >= from && (reachesEnd || !endsWithChange(hunk));
    const asGitSays = isTrusted ? await find.by(SAME_LINES, hunk, oldLine, 1) : undefined;
    const found = linesOf(asGitSays)[0] === oldLine ? asGitSays : await find.any(hunk, from);
    const [place] = found?.places ?? [];
    if (found === undefined || place === undefined) {
      // What is exactly at a later line was found.
      return { why: "nowhere", hunk, above: from > 1 ? linesOf(await find.by(SAME_LINES, hunk, 1, 1))[0] : undefined };
    }
    if (found.places.length > 1) return { why: "in_several", hunk, places: linesOf(found) };
    const fresh = found.kind === "indentation" ? place.newText.split("\n") : found.of.fresh;
    return { ...found, line: place.line, fresh };
  }
}

/** Whether no unchanged line follows: git writes such a hunk only for the end of a file. */
function endsWithChange({ runs, old }: HunkText): boolean {
  const last = runs.at(-1);
  return last !== undefined && last.at + last.count === old.length;
}

function linesOf(found: Found | undefined): readonly number[] {
  return found?.places.map(({ line }) => line) ?? [];
}

function anchorText(anchor: string): HunkText {
  const lines = { old: [anchor], fresh: [anchor], runs: [], anchors: [] };
  return { ...lines, number: 0, bareTail: 0, changesMark: false, isEnded: undefined };
}

function wantedLines({ old, isEnded }: HunkText, newText = "") {
  return { lines: old, isEnded: isEnded?.old ?? false, newText };
}

/** Looks for hunks; what compares lines in one way is prepared once for all of them. */
function createFinder(text: EditableText, reading: Reading, hunks: readonly HunkText[], pacer: Pacer) {
  const given = [...hunks, ...hunks.flatMap(({ anchors }) => anchors.map(anchorText))];
  let unescaped: readonly HunkText[] = [];
  const searches = new Map<LineRule, LineSearch>();

  async function prepared(rule: LineRule): Promise<LineSearch> {
    const sought = (rule === ESCAPES ? unescaped : given).map((hunk) => wantedLines(hunk));
    const search = await createLineSearch(text, rule, sought, pacer);
    searches.set(rule, search);
    return search;
  }

  async function by(rule: LineRule, of: HunkText, from: number, most: number): Promise<Found | undefined> {
    const { kind } = rule;
    const { old, isEnded } = of;
    const isUnended = isEnded?.old === false;
    // Bytes that are not text are shown alike, so whoever writes what stands for them does not know them.
    const isLost = !text.isFlawless && old.some((line) => line.includes("\ufffd"));
    if (old.length === 0 || isLost || (isUnended && text.plain.endsWith("\n"))) return undefined;
    const search = searches.get(rule) ?? (await prepared(rule));
    const newText = kind === "indentation" ? await joinedLines(of.fresh, pacer) : "";
    const isAtEnd = of.isAtEnd === true || isUnended || isEnded?.fresh === false;
    const least = isAtEnd ? Math.max(from, text.lines.count - old.length + 1) : from;
    const places = await search(wantedLines(of, newText), { from: least, most }, pacer);
    return places.length === 0 ? undefined : { kind, places, of };
  }

  async function any(hunk: HunkText, from: number): Promise<Found | undefined> {
    const most = MAX_LISTED_PLACES + 1;
    const exact = await by(SAME_LINES, hunk, from, most);
    if (exact !== undefined || hunk.old.every((line) => line.trim() === "")) return exact;
    for (const rule of EQUIVALENCES) {
      for (const of of rule.kind === "trailing_space" ? new Set([hunk, withoutBareTail(hunk)]) : [hunk]) {
        const found = await by(rule, of, from, most);
        if (found !== undefined) return found;
      }
    }
    if (!hunk.old.some((line) => line.includes("\\"))) return undefined;
    if (unescaped.length === 0) unescaped = await readHunks({ ...reading, isEscaped: true }, pacer);
    const of = unescaped[hunk.number - 1];
    return of && by(ESCAPES, of, from, most);
  }

  return { any, by };
}

/** Collects the replacements of hunks, which come in the order of the file. */
function createEdits(text: EditableText, keepsEnds: boolean, pacer: Pacer) {
  const { plain, lines } = text;
  const isFileEnded = plain === "" || plain.endsWith("\n");
  const replacements: Replacement[] = [];
  const changed: LineRange[] = [];
  const fallbacks: { kind: Equivalence; lines: LineRange }[] = [];
  let shift = 0;

  async function add({ kind, line, of, fresh }: Placed): Promise<void> {
    const { old, runs, isEnded } = of;
    // Lines that were made to fit are no longer those of the patch.
    const hasOwnLineEnds = keepsEnds && kind !== "indentation" && kind !== "escapes";
    const isEndWanted = isEnded === undefined ? isFileEnded : isEnded.fresh && (isFileEnded || !isEnded.old);
    for (const { at, count, from, added, own } of runs) {
      const first = line + at;
      const [start, end] = [lines.startOf(first), lines.startOf(first + count)];
      const fitted = () => joinedLines(fresh, pacer, { from, to: from + added });
      const whole = await (hasOwnLineEnds ? joinedLines(own, pacer, { lineEnd: "" }) : fitted());
      const newText = end === plain.length && !isEndWanted ? whole.replace(/\r?\n$/u, "") : whole;
      replacements.push({ ...placeOf({ start, end, newText }, hasOwnLineEnds), hasOwnLineEnds });
      const newFirst = first + shift;
      changed.push({ first: newFirst, last: newFirst + Math.max(added - 1, 0) });
      shift += added - count;
    }
    if (kind !== undefined) fallbacks.push({ kind, lines: { first: line, last: line + Math.max(old.length - 1, 0) } });
  }

  /** New lines that replace no line end get the end of the line before them. */
  function placeOf({ start, end, newText }: Replacement, hasOwnLineEnds: boolean): Replacement {
    const before = replacements.at(-1);
    const isAfterOther = before?.end === start;
    const endOfOther = before?.newText === "" ? plain[before.start - 1] : before?.newText.at(-1);
    const isAtLineStart = start === 0 || (isAfterOther ? (endOfOther ?? "\n") : plain[start - 1]) === "\n";
    const hasEnds = hasOwnLineEnds || text.raw === plain || plain.slice(start, end).includes("\n");
    const takesEnd = !hasEnds && start > 0 && !isAfterOther && newText.includes("\n");
    if (isAtLineStart && !takesEnd) return { start, end, newText };
    return { start: isAtLineStart ? start - 1 : start, end, newText: `\n${newText}` };
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
