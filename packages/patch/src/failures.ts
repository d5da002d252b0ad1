import { echo, ErrorCode, type NextCall, ToolError, type ToolCall } from "@fstools/protocol";
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
import { joinedLines } from "./hunk-text.ts";
import type { FilePatch } from "./parse/file-patch.ts";
import type { Doubtful, Misfit } from "./place.ts";

/** One reason why a patch cannot be applied. */
export interface Problem {
  /** As the patch spells it. */
  readonly path: string;
  /** From 1. */
  readonly hunk?: number;
  readonly error: Pick<ToolError, "code" | "message" | "hint"> & Partial<Pick<ToolError, "suggestions">>;
  /** Lines of the file, as they are shown. */
  readonly shown?: readonly string[];
  readonly nextCall?: NextCall | undefined;
}

const MAX_PROBLEMS = 50;
const MAX_CHARS = 10_000;
const NOTHING = "Nothing was changed.";

/** A problem of one file, or of one of its hunks. */
export function problem(
  path: string,
  message: string,
  hint: string,
  code: ErrorCode = ErrorCode.INVALID_PARAM,
): Problem {
  return { path, error: { code, message, hint } };
}

/** All that is wrong with a patch in one error. */
export function patchError(problems: readonly Problem[], call: ToolCall): ToolError {
  const [first] = problems;
  if (first === undefined) throw new TypeError("There is no problem.");
  const { code, message, hint, suggestions = [] } = first.error;
  const next = problems.find(({ nextCall }) => nextCall !== undefined)?.nextCall;
  if (next !== undefined) call.note({ next_call: next });
  const items = problems.map(({ path, hunk, error }) => {
    return { path, ...(hunk === undefined ? {} : { hunk }), message: error.message };
  });
  const report = { data: { failed_items: items }, text: () => inWords(problems) };
  return new ToolError(code, message, { hint, suggestions, report });
}

function inWords(problems: readonly Problem[]): string {
  const parts: string[] = [];
  let chars = 0;
  for (const [index, { error, shown = [] }] of problems.entries()) {
    const hint = error.hint.replace(/^Nothing was \w+\. /u, "");
    const sentence = [error.message, ...(index === 0 ? [NOTHING] : []), hint].join(" ");
    const part = [sentence, ...(shown.length === 0 ? [] : ["", ...shown])].join("\n");
    chars += part.length;
    if (index === MAX_PROBLEMS || (index > 0 && chars > MAX_CHARS)) {
      parts.push(`And ${problems.length - index} more problems.`);
      break;
    }
    parts.push(part);
  }
  return parts.join("\n\n");
}

interface MisfitRequest {
  readonly file: FilePatch;
  readonly text: EditableText;
  readonly pacer: Pacer;
  readonly call: Pick<ToolCall, "has">;
}

/** What is wrong with a hunk; `isShown` if the lines that come closest are worth a search. */
export async function misfitProblem(
  { file: { path, format }, text, pacer, call }: MisfitRequest,
  misfit: Misfit,
  isShown: boolean,
): Promise<Problem> {
  const { number, why, anchor = "", places = [], above } = misfit;
  const name = `Hunk ${number} of '${echo(path)}'`;
  const of = (message: string, hint: string, shown: readonly string[] = []): Problem => {
    return { ...problem(path, `${name} ${message}`, hint), hunk: number, shown };
  };
  const where = () => {
    const isMore = places.length > MAX_LISTED_PLACES;
    const count = isMore ? `more than ${MAX_LISTED_PLACES}` : places.length;
    return `in ${count} places (lines ${lineNumbers(
      places.map((line) => ({ first: line, last: line })),
      isMore,
    )})`;
  };
  switch (why) {
    case "too_long":
      return of("has more lines than the file.", lookHint(path, call));
    case "no_change":
      return of("changes nothing.", "Mark lines that go with '-', lines that come with '+'.");
    case "mark":
      return of("would change the byte order mark of the file.", "Leave the mark as it is.");
    case "only_new":
      return of("has only new lines.", "Add unchanged lines around them.");
    case "anchor_in_several":
      return of(`has an anchor ${where()}: '${echo(anchor)}'.`, "Add another '@@' line above it, or unchanged lines.");
    case "in_several":
      return of(
        `fits ${where()}.`,
        `Add unchanged lines around it${format === "marked" ? ", or '@@' and a line above it" : ""}.`,
      );
    case "anchor_nowhere": {
      const closest = isShown ? await findClosest(text, anchor, pacer) : undefined;
      const { sentence, shown } = closest === undefined ? { sentence: "", shown: [] } : closestInWords(closest);
      const hint = ["An anchor is a whole line, in the order of the file.", sentence].join(" ").trimEnd();
      return of(`has an anchor that was not found: '${echo(anchor)}'.`, hint, shown);
    }
    case "nowhere": {
      if (above !== undefined) {
        return of("was not found there.", `It fits at line ${above}, above what it comes after in the patch.`);
      }
      const { old = [], fresh = [] } = misfit.text ?? {};
      const oldText = await joinedLines(old, 0, old.length, pacer);
      if (!isShown || !mayFit(text, oldText)) return of("was not found.", lookHint(path, call));
      const done = await findPassage(text, await joinedLines(fresh, 0, fresh.length, pacer), pacer);
      if (done !== undefined) return of("was not found.", `Its new lines are already there, at line ${done}.`);
      const closest = await findClosest(text, oldText, pacer);
      if (closest === undefined) return of("was not found.", lookHint(path, call));
      const { sentence, shown } = closestInWords(closest);
      return of("was not found.", sentence, shown);
    }
  }
}

function lookHint(path: string, call: Pick<ToolCall, "has">): string {
  const reader = knownAs("Read", call);
  return reader === undefined
    ? "Copy its lines from the file."
    : `Run ${reader} on '${echo(path)}' and copy its lines from it.`;
}

/** The file changed since the caller saw it; shows the lines that a hunk is about as they are now. */
export async function staleProblem(
  path: string,
  about: { readonly text: EditableText; readonly doubtful: Doubtful; readonly pacer: Pacer } | undefined,
  call: ToolCall,
): Promise<Problem> {
  const { code, message, hint, suggestions } = conflict({ path, reader: "Read" }, call, "modified");
  if (about === undefined) {
    return { path, error: { code, message, hint, suggestions }, nextCall: readCall(path, undefined, call) };
  }
  const { text, doubtful, pacer } = about;
  const now = await linesMeant(text, doubtful, pacer);
  const { sentence, shown } =
    now === undefined || now.lines.length === 0 ? { sentence: "", shown: [] } : closestInWords(now);
  const error = { code, message, hint: `${hint} ${sentence}`.trimEnd(), suggestions };
  return { path, hunk: doubtful.number, error, shown, nextCall: readCall(path, now, call) };
}

async function linesMeant(
  text: EditableText,
  { lines, text: hunk }: Doubtful,
  pacer: Pacer,
): Promise<ClosestLines | undefined> {
  if (lines !== undefined) return linesBetween(text, Math.min(lines.first, text.lines.count), lines.last);
  const old = await joinedLines(hunk?.old ?? [], 0, hunk?.old.length ?? 0, pacer);
  return old !== "" && mayFit(text, old) ? findClosest(text, old, pacer) : undefined;
}
