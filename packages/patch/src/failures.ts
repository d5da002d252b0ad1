import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import type { ToolCall, ToolErrorOptions } from "@fstools/protocol";
import { conflict, knownAs, lineNumbers, MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import { closestInWords, findClosest, findPassage, linesBetween, mayFit, readCall } from "@fstools/text";
import type { ClosestLines, EditableText } from "@fstools/text";
import { type HunkText, joinedLines } from "./hunk-text.ts";
import type { FilePatch } from "./parse/file-patch.ts";
import type { Misfit, PlacedHunks } from "./place.ts";

/** One reason why a patch cannot be applied. */
export interface Problem {
  /** As the patch spells it. */
  readonly path: string;
  /** From 1. */
  readonly hunk?: number;
  readonly error: ToolError;
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
const MAX_BYTES = 10_000;

/** A reason that has no code of its own. */
export function invalid(message: string, hint: string): ToolError {
  return new ToolError(ErrorCode.INVALID_PARAM, message, { hint });
}

/** All that is wrong with a patch in one error, which is the first of them. */
export function patchError(first: Problem, problems: readonly Problem[]): ToolError {
  const { code, message, hint, suggestions, nextCall } = first.error;
  const items = problems.map(({ path, hunk, error }) => ({ path, ...(hunk && { hunk }), message: error.message }));
  const report = { data: { failed_items: items }, text: () => inWords(problems) };
  return new ToolError(code, message, { hint, suggestions, nextCall, report });
}

function inWords(problems: readonly Problem[]): string {
  const parts: string[] = [];
  let bytes = 0;
  for (const [index, { error, shown = [] }] of problems.entries()) {
    const hint = error.hint.replace(/^Nothing was \w+\. /u, "");
    const sentence = `${error.message} ${index === 0 ? "Nothing was changed. " : ""}${hint}`;
    const part = [sentence, ...(shown.length === 0 ? [] : ["", ...shown])].join("\n");
    bytes += Buffer.byteLength(part) + 2;
    if (index === MAX_PROBLEMS || (index > 0 && bytes > MAX_BYTES)) {
      parts.push(`And ${problems.length - index} more problems.`);
      break;
    }
    parts.push(part);
  }
  return parts.join("\n\n");
}

/** What is wrong with a hunk; `isExplained` if the lines that come closest are worth a search. */
export async function misfitProblem(about: Concerned, misfit: Misfit, isExplained: boolean): Promise<Problem> {
  const { file, text, pacer, call } = about;
  const { why, hunk, anchor = "", places = [], above } = misfit;
  const problem = (what: string, hint: string, closest?: ClosestLines) => {
    const message = `Hunk ${hunk.number} of '${echo(file.path)}' ${what}`;
    return hunkProblem(about, hunk, { code: ErrorCode.INVALID_PARAM, message, hint }, closest);
  };
  switch (why) {
    case "mark":
      return problem("would change the byte order mark of the file.", "Leave the mark as it is.");
    case "only_new":
      return problem("has only new lines.", "Add unchanged lines around them.");
    case "anchor_in_several":
      return problem(
        `has an anchor ${where(places)}: '${echo(anchor)}'.`,
        "Add unchanged lines, or another '@@' above it.",
      );
    case "in_several": {
      const orAnchor = file.format === "marked" ? ", or '@@' and a line above it" : "";
      return problem(`fits ${where(places)}.`, `Add unchanged lines around it${orAnchor}.`);
    }
    case "anchor_nowhere": {
      const closest = isExplained ? await findClosest(text, anchor, pacer) : undefined;
      const hint = "An anchor is a whole line, in the order of the file.";
      return problem(`has an anchor that was not found: '${echo(anchor)}'.`, hint, closest);
    }
    case "nowhere": {
      if (above !== undefined) {
        return problem("was not found there.", `It fits at line ${above}, above what it comes after in the patch.`);
      }
      const what = "was not found.";
      const done = isExplained ? await findPassage(text, await joinedLines(hunk.fresh, pacer), pacer) : undefined;
      if (done !== undefined) return problem(what, `Its new lines are already there, at line ${done}.`);
      const closest = isExplained ? await closestTo(text, hunk, pacer) : undefined;
      if (closest !== undefined) return problem(what, "", closest);
      const reader = knownAs("Read", call);
      const look = reader === undefined ? "C" : `Run ${reader} on '${echo(file.path)}' and c`;
      return problem(what, `${look}opy its lines from the file.`);
    }
  }
}

/** The file changed since the caller saw it; shows the lines that a hunk is about as they are now. */
export async function staleProblem(
  about: Concerned,
  { hunk, line }: NonNullable<PlacedHunks["doubtful"]>,
): Promise<Problem> {
  const { file, text, pacer, call } = about;
  const first = Math.min(line ?? 1, text.lines.count);
  const now =
    line === undefined ? await closestTo(text, hunk, pacer) : linesBetween(text, first, first + hunk.old.length - 1);
  const { code, message, hint } = conflict(file.path, call, "modified");
  return hunkProblem(about, hunk, { code, message, hint, nextCall: readCall(file.path, now, call) }, now);
}

function hunkProblem(
  { file: { path } }: Concerned,
  { number }: HunkText,
  { code, message, hint, nextCall }: Pick<ToolError, "code" | "message"> & ToolErrorOptions,
  closest: ClosestLines | undefined,
): Problem {
  const { sentence, shown } =
    closest === undefined || closest.lines.length === 0 ? { sentence: "", shown: [] } : closestInWords(closest);
  return {
    path,
    hunk: number,
    error: new ToolError(code, message, { hint: `${hint} ${sentence}`.trim(), nextCall }),
    shown,
  };
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
