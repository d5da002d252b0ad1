import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { conflict, knownAs, lineNumbers, MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import {
  type ClosestLines,
  closestInWords,
  type EditableText,
  findClosest,
  findPassage,
  linesBetween,
  mayFit,
  readCall,
} from "@fstools/text";
import { type HunkText, joinedLines } from "./hunk-text.ts";
import type { FilePatch } from "./parse/file-patch.ts";
import type { Misfit, PlacedHunks } from "./place.ts";

/** One reason why a patch cannot be applied. */
export interface Problem {
  /** As the patch spells it. */
  readonly path: string;
  /** From 1. */
  readonly hunk?: number;
  readonly error: Pick<ToolError, "code" | "message" | "hint"> & Partial<Pick<ToolError, "suggestions" | "nextCall">>;
  /** Lines of the file, as they are shown. */
  readonly shown?: readonly string[];
}

/** The file that a problem is about. */
export interface Concerned {
  readonly file: FilePatch;
  readonly text: EditableText;
  readonly pacer: Pacer;
  readonly call: ToolCall;
}

/** How many problems are told, and explained with the closest lines: each of these costs a search through the file. */
export const MAX_PROBLEMS = 50;
const MAX_CHARS = 10_000;

/** A reason that has no code of its own. */
export function invalid(message: string, hint: string): ToolError {
  return new ToolError(ErrorCode.INVALID_PARAM, message, { hint });
}

/** All that is wrong with a patch in one error. */
export function patchError(problems: readonly Problem[]): ToolError {
  const [first] = problems;
  if (first === undefined) throw new TypeError("There is no problem.");
  const { code, message, hint, suggestions = [], nextCall } = first.error;
  const items = problems.map(({ path, hunk, error }) => ({ path, ...(hunk && { hunk }), message: error.message }));
  const report = { data: { failed_items: items }, text: () => inWords(problems) };
  return new ToolError(code, message, { hint, suggestions, nextCall, report });
}

function inWords(problems: readonly Problem[]): string {
  const parts: string[] = [];
  let chars = 0;
  for (const [index, { error, shown = [] }] of problems.entries()) {
    const hint = error.hint.replace(/^Nothing was \w+\. /u, "");
    const sentence = [error.message, ...(index === 0 ? ["Nothing was changed."] : []), hint].join(" ");
    const part = [sentence, ...(shown.length === 0 ? [] : ["", ...shown])].join("\n");
    chars += part.length;
    if (index === MAX_PROBLEMS || (index > 0 && chars > MAX_CHARS)) {
      return [...parts, `And ${problems.length - index} more problems.`].join("\n\n");
    }
    parts.push(part);
  }
  return parts.join("\n\n");
}

/** What is wrong with a hunk; `isExplained` if the lines that come closest are worth a search. */
export async function misfitProblem(about: Concerned, misfit: Misfit, isExplained: boolean): Promise<Problem> {
  const { path } = about.file;
  const { number } = misfit.hunk;
  const [what, hint, closest] = await misfitInWords(about, misfit, isExplained);
  const { sentence, shown } = closest === undefined ? { sentence: "", shown: [] } : closestInWords(closest);
  const message = `Hunk ${number} of '${echo(path)}' ${what}`;
  return {
    path,
    hunk: number,
    error: { code: ErrorCode.INVALID_PARAM, message, hint: `${hint} ${sentence}`.trim() },
    shown,
  };
}

async function misfitInWords(
  about: Concerned,
  { why, hunk, anchor = "", places = [], above }: Misfit,
  isExplained: boolean,
): Promise<[what: string, hint: string, closest?: ClosestLines | undefined]> {
  const { file, text, pacer, call } = about;
  switch (why) {
    case "mark":
      return ["would change the byte order mark of the file.", "Leave the mark as it is."];
    case "only_new":
      return ["has only new lines.", "Add unchanged lines around them."];
    case "anchor_in_several":
      return [`has an anchor ${where(places)}: '${echo(anchor)}'.`, "Add unchanged lines, or another '@@' above it."];
    case "in_several": {
      const orAnchor = file.format === "marked" ? ", or '@@' and a line above it" : "";
      return [`fits ${where(places)}.`, `Add unchanged lines around it${orAnchor}.`];
    }
    case "anchor_nowhere": {
      const closest = isExplained ? await findClosest(text, anchor, pacer) : undefined;
      const hint = "An anchor is a whole line, in the order of the file.";
      return [`has an anchor that was not found: '${echo(anchor)}'.`, hint, closest];
    }
    case "nowhere": {
      if (above !== undefined) {
        return ["was not found there.", `It fits at line ${above}, above what it comes after in the patch.`];
      }
      const what = "was not found.";
      const done = isExplained ? await findPassage(text, await joinedLines(hunk.fresh, pacer), pacer) : undefined;
      if (done !== undefined) return [what, `Its new lines are already there, at line ${done}.`];
      const closest = isExplained ? await closestTo(text, hunk, pacer) : undefined;
      if (closest !== undefined) return [what, "", closest];
      const reader = knownAs("Read", call);
      const look = reader === undefined ? "C" : `Run ${reader} on '${echo(file.path)}' and c`;
      return [what, `${look}opy its lines from the file.`];
    }
  }
}

function where(places: readonly number[]): string {
  const isMore = places.length > MAX_LISTED_PLACES;
  const ranges = places.map((line) => ({ first: line, last: line }));
  const count = isMore ? `more than ${MAX_LISTED_PLACES}` : places.length;
  return `in ${count} places (lines ${lineNumbers(ranges, isMore)})`;
}

async function closestTo(text: EditableText, { old }: HunkText, pacer: Pacer): Promise<ClosestLines | undefined> {
  const wanted = await joinedLines(old, pacer);
  return wanted !== "" && mayFit(text, wanted) ? findClosest(text, wanted, pacer) : undefined;
}

/** The file changed since the caller saw it; shows the lines that a hunk is about as they are now. */
export async function staleProblem(
  { file: { path }, text, pacer, call }: Concerned,
  { hunk, line }: NonNullable<PlacedHunks["doubtful"]>,
): Promise<Problem> {
  const first = Math.min(line ?? 1, text.lines.count);
  const now =
    line === undefined ? await closestTo(text, hunk, pacer) : linesBetween(text, first, first + hunk.old.length - 1);
  const { code, message, hint } = conflict({ path, reader: "Read" }, call, "modified");
  const { sentence, shown } =
    now === undefined || now.lines.length === 0 ? { sentence: "", shown: [] } : closestInWords(now);
  const error = { code, message, hint: `${hint} ${sentence}`.trimEnd(), nextCall: readCall(path, now, call) };
  return { path, hunk: hunk.number, error, shown };
}
