import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import {
  conflict,
  type CurrentFile,
  type DiffRequest,
  type FileVersions,
  isSameVersion,
  type LineRange,
} from "@fstools/sandbox";
import {
  detectEncoding,
  diffContent,
  editableEncoding,
  HEAD_BYTES,
  isBinary,
  newLines,
  readEditable,
  splice,
  SpliceError,
} from "@fstools/text";
import { type Concerned, invalid, MAX_PROBLEMS, misfitProblem, type Problem, staleProblem } from "./failures.ts";
import { joinedLines, readHunks } from "./hunk-text.ts";
import { type PlacedHunks, placeHunks } from "./place.ts";

/** What the host demands. */
export interface PatchRules {
  readonly versions: FileVersions;
  readonly maxFileBytes: number;
}

/** A file as it will be. */
export interface Draft {
  readonly operation: "create" | "update" | "delete" | "move";
  readonly source: CurrentFile;
  /** Where it will be. */
  readonly target: CurrentFile;
  /** Undefined if the content stays. */
  readonly bytes?: Buffer;
  readonly content: Omit<DiffRequest, "path" | "from" | "isOneOfSeveral">;
  /** The lines of the new file that were changed. */
  readonly lines: readonly LineRange[];
  readonly fallbacks: PlacedHunks["fallbacks"];
  readonly newLines: string;
  readonly wasStale: boolean;
}

/** What a patch does to a file, and the file. */
export interface DraftRequest extends Omit<Concerned, "text"> {
  readonly patch: string;
  readonly source: CurrentFile;
  readonly target: CurrentFile;
  readonly rules: PatchRules;
  /** All that was found to be wrong so far. */
  readonly problems: Problem[];
}

const NOTHING = Buffer.alloc(0);
const SAME_LINES = { lines: [], fallbacks: [], newLines: "", wasStale: false } as const;

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

async function created({ patch, file, source, target, rules, pacer }: DraftRequest): Promise<Draft> {
  const { path } = file;
  const lines: string[] = [];
  for (const hunk of await readHunks({ patch, file, maxLines: 0 }, pacer)) {
    if (hunk.old.length > 0)
      throw invalid(`'${echo(path)}' is new, but has lines without '+'.`, "Begin each with '+'.");
    for (const { own } of hunk.runs) for (const line of own.slice(0, own.length - hunk.bareTail)) lines.push(line);
  }
  const content = await joinedLines(lines, pacer, { lineEnd: "" });
  if (content.length > rules.maxFileBytes) throw tooLarge(path, rules);
  const bytes = Buffer.from(content);
  if (bytes.length > rules.maxFileBytes) throw tooLarge(path, rules);
  return { ...SAME_LINES, operation: "create", source, target, bytes, content: { before: undefined, after: bytes } };
}

async function deleted(request: DraftRequest): Promise<Draft | undefined> {
  const { file, source, target, rules, call } = request;
  const { path, hunks } = file;
  if (isStale(request)) throw conflict({ path, reader: "Read" }, call, "modified");
  const size = source.file?.size ?? 0;
  if (file.format !== "marked") {
    const rest = hunks.length === 0 ? undefined : await changedText(request, await source.read());
    if (hunks.length > 0 && rest === undefined) return undefined;
    if ((rest?.bytes.length ?? size) > (rest?.text.encoding.markBytes ?? 0)) {
      throw invalid(`'${echo(path)}' has lines that the patch does not remove.`, "Remove all of its lines.");
    }
  }
  const draft = { ...SAME_LINES, operation: "delete", source, target } as const;
  const isLarge = size > rules.maxFileBytes;
  const bytes = isLarge ? Buffer.alloc(0) : await source.read();
  const head = bytes.subarray(0, HEAD_BYTES);
  if (isLarge || isBinary(head)) {
    const remark = `The old file (${size} bytes) is ${isLarge ? "too large to show" : "binary and not shown"}.`;
    return { ...draft, content: { before: { lines: 0, remark }, after: undefined } };
  }
  const { before, decode } = diffContent({ bytes, encoding: await detectEncoding(head) }, { bytes, changes: [] });
  return { ...draft, content: { before, after: undefined, ...(decode && { decode }) } };
}

async function updated(request: DraftRequest): Promise<Draft | undefined> {
  const { file, source, target, rules } = request;
  const { path, to, executable, hunks } = file;
  const draft = { ...SAME_LINES, operation: to === undefined ? "update" : "move", source, target } as const;
  if (hunks.length === 0 && executable === undefined) return { ...draft, content: { before: NOTHING, after: NOTHING } };
  const size = source.file?.size ?? 0;
  if (size > rules.maxFileBytes) {
    const message = `File '${echo(path)}' is too large to edit (${size} bytes, at most ${rules.maxFileBytes}).`;
    throw invalid(message, "Change it with another program, or ask the user.");
  }
  const old = await source.read();
  if (hunks.length === 0) return { ...draft, bytes: old, content: { before: NOTHING, after: NOTHING } };
  const result = await changedText(request, old);
  if (result === undefined) return undefined;
  const { text, placed, bytes, changes, replacements } = result;
  if (to === undefined && executable === undefined && bytes.equals(old)) {
    throw invalid(`The patch changes nothing in '${echo(path)}'.`, "Its old and new lines are the same.");
  }
  return {
    ...draft,
    bytes,
    content: diffContent(text, { bytes, changes }),
    lines: placed.lines,
    fallbacks: placed.fallbacks,
    newLines: placed.fallbacks.length === 0 ? "" : newLines(text, replacements),
    wasStale: isStale(request),
  };
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
async function changedText(request: DraftRequest, old: Buffer) {
  const { patch, file, rules, pacer, problems } = request;
  const { path } = file;
  const encoding = await editableEncoding(old, path, "Leave it out of the patch.");
  const text = await readEditable(old, encoding, pacer);
  const placed = await placeHunks(text, { patch, file, isStale: isStale(request) }, pacer);
  const about = { ...request, text };
  if (isStale(request) && placed.doubtful !== undefined) {
    problems.push(await staleProblem(about, placed.doubtful));
    return undefined;
  }
  for (const misfit of placed.misfits) {
    problems.push(await misfitProblem(about, misfit, problems.length < MAX_PROBLEMS));
    if (pacer.due()) await pacer.rest();
  }
  if (placed.misfits.length > 0) return undefined;
  try {
    return { text, placed, ...(await splice(text, placed.replacements, rules.maxFileBytes, pacer)) };
  } catch (error) {
    // Lines do not begin inside a character, so it is the size.
    throw error instanceof SpliceError ? tooLarge(path, rules) : error;
  }
}
