import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { conflict, isSameVersion } from "@fstools/sandbox";
import type { CurrentFile, DiffRequest, FileVersions } from "@fstools/sandbox";
import { detectEncoding, diffContent, editableEncoding, HEAD_BYTES, isBinary } from "@fstools/text";
import { newLines, readEditable, splice } from "@fstools/text";
import { type Concerned, invalid, MAX_PROBLEMS, misfitProblem, type Problem, staleProblem } from "./failures.ts";
import type { PatchedFile } from "./format.ts";
import { joinedLines, readHunks } from "./hunk-text.ts";
import { placeHunks } from "./place.ts";

/** What the host demands. */
export interface PatchRules {
  readonly versions: FileVersions;
  readonly maxFileBytes: number;
}

/** A file as it will be. */
export interface Draft extends Pick<PatchedFile, "operation" | "lines" | "fallbacks" | "newLines" | "wasStale"> {
  /** Undefined if the content stays. */
  readonly bytes?: Buffer;
  readonly content: Pick<DiffRequest, "before" | "after" | "changes" | "decode">;
}

/** What a patch does to a file, and the file. */
export interface DraftRequest extends Omit<Concerned, "text"> {
  readonly patch: string;
  readonly source: CurrentFile;
  /** Where it will be. */
  readonly target: CurrentFile;
  readonly rules: PatchRules;
  /** All that was found to be wrong so far. */
  readonly problems: Problem[];
}

const NOTHING = { before: Buffer.alloc(0), after: Buffer.alloc(0) };
const NO_LINES = { lines: [], fallbacks: [], newLines: "", wasStale: false } as const;

/**
 * Works out what becomes of one file; undefined if what is wrong with its hunks was added to the problems.
 * @throws ToolError about the whole file
 */
export async function draftOf(request: DraftRequest): Promise<Draft | undefined> {
  const { file, source, target } = request;
  const { path, to, operation } = file;
  if (operation === "create") {
    if (source.file !== undefined) throw exists(path, "Change it as it is, or choose another name.");
    return created(request);
  }
  if (to !== undefined && target.file !== undefined) throw exists(to, "Choose another name.");
  return operation === "delete" ? deleted(request) : updated(request);
}

function exists(path: string, hint: string): ToolError {
  return new ToolError(ErrorCode.CONFLICT, `'${echo(path)}' exists already.`, { hint });
}

async function created({ patch, file, rules, pacer }: DraftRequest): Promise<Draft> {
  const { path } = file;
  const lines: string[] = [];
  for (const hunk of await readHunks({ patch, file, maxLines: 0 }, pacer)) {
    if (hunk.old.length > 0)
      throw invalid(`'${echo(path)}' is new, but has lines without '+'.`, "Begin each with '+'.");
    for (const { own } of hunk.runs) for (const line of own.slice(0, own.length - hunk.bareTail)) lines.push(line);
  }
  const bytes = Buffer.from(await joinedLines(lines, pacer, { lineEnd: "" }));
  if (bytes.length > rules.maxFileBytes) throw tooLarge(path, rules);
  return { ...NO_LINES, operation: "create", bytes, content: { before: undefined, after: bytes } };
}

async function deleted(request: DraftRequest): Promise<Draft | undefined> {
  const { file, source, rules, call } = request;
  const { path, hunks } = file;
  if (isStale(request)) throw conflict(path, call, "modified");
  const size = source.file?.size ?? 0;
  if (file.format !== "marked") {
    const rest = hunks.length === 0 ? undefined : await changedText(request);
    if (hunks.length > 0 && rest === undefined) return undefined;
    if ((rest?.bytes.length ?? size) > (rest?.text.encoding.markBytes ?? 0)) {
      throw invalid(`'${echo(path)}' has lines that the patch does not remove.`, "Remove all of its lines.");
    }
  }
  const isLarge = size > rules.maxFileBytes;
  const bytes = isLarge ? Buffer.alloc(0) : await source.read();
  const head = bytes.subarray(0, HEAD_BYTES);
  const draft = { ...NO_LINES, operation: "delete" } as const;
  if (isLarge || isBinary(head)) {
    const remark = `The old file (${size} bytes) is ${isLarge ? "too large to show" : "binary and not shown"}.`;
    return { ...draft, content: { before: { lines: 0, remark }, after: undefined } };
  }
  const { before, decode } = diffContent({ bytes, encoding: await detectEncoding(head) }, { bytes, changes: [] });
  return { ...draft, content: { before, after: undefined, ...(decode && { decode }) } };
}

async function updated(request: DraftRequest): Promise<Draft | undefined> {
  const { file, source, rules } = request;
  const { path, to, executable, hunks } = file;
  const draft = { ...NO_LINES, operation: to === undefined ? "update" : "move", content: NOTHING } as const;
  if (hunks.length === 0 && executable === undefined) return draft;
  const size = source.file?.size ?? 0;
  if (size > rules.maxFileBytes) {
    const message = `File '${echo(path)}' is too large to edit (${size} bytes, at most ${rules.maxFileBytes}).`;
    throw invalid(message, "Change it with another program, or ask the user.");
  }
  if (hunks.length === 0) return { ...draft, bytes: await source.read() };
  const result = await changedText(request);
  if (result === undefined) return undefined;
  const { text, placed, bytes, changes, replacements } = result;
  if (to === undefined && executable === undefined && bytes.equals(text.bytes)) {
    throw invalid(`The patch changes nothing in '${echo(path)}'.`, "Its old and new lines are the same.");
  }
  const { lines, fallbacks } = placed;
  const shown = fallbacks.length === 0 ? "" : newLines(text, replacements);
  const content = diffContent(text, { bytes, changes });
  return { ...draft, bytes, content, lines, fallbacks, newLines: shown, wasStale: isStale(request) };
}

function tooLarge(path: string, { maxFileBytes }: PatchRules): ToolError {
  const message = `The patch would make '${echo(path)}' larger than ${maxFileBytes} bytes.`;
  return invalid(message, "Change it with another program, or ask the user.");
}

/** Whether the file is not what a tool last showed. */
function isStale({ source: { path, file }, rules: { versions } }: DraftRequest): boolean {
  const known = versions.known(path);
  return known !== undefined && file !== undefined && !isSameVersion(known.version, file.version);
}

/** Puts the hunks of a file into its text; undefined if they do not all fit. */
async function changedText(request: DraftRequest) {
  const { patch, file, source, rules, pacer, problems } = request;
  const bytes = await source.read();
  const encoding = await editableEncoding(bytes, file.path, "Leave it out of the patch.");
  const text = await readEditable(bytes, encoding, pacer);
  const about = { ...request, text };
  const wasStale = isStale(request);
  const placed = await placeHunks(text, { patch, file, isStale: wasStale }, pacer);
  if (wasStale && placed.doubtful !== undefined) {
    problems.push(await staleProblem(about, placed.doubtful));
    return undefined;
  }
  for (const misfit of placed.misfits) {
    problems.push(await misfitProblem(about, misfit, problems.length < MAX_PROBLEMS));
    if (pacer.due()) await pacer.rest();
  }
  if (placed.misfits.length > 0) return undefined;
  const spliced = await splice(text, placed.replacements, rules.maxFileBytes, pacer);
  // Lines do not begin inside a character, so it is the size.
  if (typeof spliced === "string") throw tooLarge(file.path, rules);
  return { text, placed, ...spliced };
}
