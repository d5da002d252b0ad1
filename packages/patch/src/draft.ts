import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import {
  type CurrentFile,
  type DiffRequest,
  type FileVersions,
  isSameVersion,
  type LineRange,
  type Pacer,
} from "@fstools/sandbox";
import {
  detectEncoding,
  diffContent,
  editableEncoding,
  type EditableText,
  findUnencodable,
  HEAD_BYTES,
  isBinary,
  newLines,
  readEditable,
  splice,
  SpliceError,
  type SplicedFile,
  STEPS_PER_CLOCK,
} from "@fstools/text";
import { misfitProblem, type Problem, problem, staleProblem } from "./failures.ts";
import { type FilePatch, hunkLines } from "./parse/file-patch.ts";
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
  readonly bytes?: Buffer | undefined;
  readonly executable?: boolean | undefined;
  readonly content: Omit<DiffRequest, "path" | "from" | "isOneOfSeveral">;
  /** The lines of the new file that were changed. */
  readonly lines: readonly LineRange[];
  readonly fallbacks: PlacedHunks["fallbacks"];
  readonly newLines: string;
  readonly wasStale: boolean;
}

/** What a patch does to a file, and the file. */
export interface DraftRequest {
  readonly patch: string;
  readonly file: FilePatch;
  readonly source: CurrentFile;
  readonly target: CurrentFile;
  /** What a section above has made of it. */
  readonly before: Draft | undefined;
}

interface Context {
  readonly call: ToolCall;
  readonly pacer: Pacer;
  /** For how many hunks that fit nowhere to look for the closest lines. */
  readonly explained: number;
}

type Result = Draft | { readonly problems: readonly Problem[] };

const UNCHANGED = { lines: [], fallbacks: [], newLines: "", wasStale: false } as const;

/**
 * Works out what becomes of one file.
 * @throws ToolError
 */
export async function draftOf(request: DraftRequest, rules: PatchRules, context: Context): Promise<Result> {
  const { file, source, target, before } = request;
  const { path, to, operation } = file;
  if (operation === "create") {
    if (source.file !== undefined)
      return failed(existsProblem(path, "Change it as '*** Update File', or delete it first."));
    return created(request, rules, context);
  }
  if (source.file === undefined && before === undefined) throw new TypeError("Only a new file may be missing.");
  if (operation === "delete") return deleted(request, rules, context);
  if (to !== undefined && target.file !== undefined) return failed(existsProblem(to, "Choose another name."));
  return updated(request, rules, context);
}

function failed(...problems: readonly Problem[]): Result {
  return { problems };
}

function existsProblem(path: string, hint: string): Problem {
  return problem(path, `'${echo(path)}' exists already.`, hint, ErrorCode.CONFLICT);
}

async function created(request: DraftRequest, { maxFileBytes }: PatchRules, { pacer }: Context): Promise<Result> {
  const { file, source, target } = request;
  const { path, executable } = file;
  const content = await newContent(request, pacer);
  if (content === undefined)
    return failed(problem(path, `'${echo(path)}' is new, but has lines without '+'.`, "Begin each with '+'."));
  if (content.length > maxFileBytes) throw tooLarge(path, maxFileBytes);
  const bytes = Buffer.from(content);
  if (bytes.length > maxFileBytes) throw tooLarge(path, maxFileBytes);
  const isRun = executable === true ? { executable } : {};
  return {
    ...UNCHANGED,
    operation: "create",
    source,
    target,
    bytes,
    ...isRun,
    content: { before: undefined, after: bytes },
  };
}

/** The text of a new file, with the line ends that it has in the patch; undefined if it is not all new. */
async function newContent({ patch, file }: DraftRequest, pacer: Pacer): Promise<string | undefined> {
  const blocks: string[] = [];
  let lines: string[] = [];
  let bare = "";
  for (const hunk of file.hunks) {
    for (const { sign, text, isBare, isEnded } of hunkLines(patch, hunk)) {
      if (sign !== "+" && !isBare) return undefined;
      const line = isEnded ? `${text}\n` : text;
      // Empty lines at the end are only between the files.
      if (isBare) bare += line;
      else lines.push(bare, line);
      if (!isBare) bare = "";
      if (lines.length < STEPS_PER_CLOCK) continue;
      blocks.push(lines.join(""));
      lines = [];
      if (pacer.due()) await pacer.rest();
    }
  }
  return [...blocks, ...lines].join("");
}

async function deleted(request: DraftRequest, rules: PatchRules, context: Context): Promise<Result> {
  const { file, source, target } = request;
  const { path, hunks, format } = file;
  const { maxFileBytes } = rules;
  if (isStale(source, rules)) return failed(await staleProblem(path, undefined, context.call));
  const size = source.file?.size ?? 0;
  const draft = { ...UNCHANGED, operation: "delete", source, target } as const;
  if (format !== "marked") {
    const all = hunks.length === 0 ? undefined : await changedText(request, await source.read(), rules, context);
    if (all !== undefined && "problems" in all) return all;
    if (all === undefined ? size > 0 : all.spliced.bytes.length > all.text.encoding.markBytes) {
      const message = `'${echo(path)}' has lines that the patch does not remove.`;
      return failed(problem(path, message, "Remove all of them, or use '*** Delete File: {path}'."));
    }
  }
  const hidden = (why: string) => ({ lines: 0, remark: `The old file (${size} bytes) is ${why}.` });
  if (size > maxFileBytes) return { ...draft, content: { before: hidden("too large to show"), after: undefined } };
  const bytes = await source.read();
  const head = bytes.subarray(0, HEAD_BYTES);
  if (isBinary(head)) return { ...draft, content: { before: hidden("binary and not shown"), after: undefined } };
  const { before, decode } = diffContent({ bytes, encoding: await detectEncoding(head) }, { bytes, changes: [] });
  return { ...draft, content: { before, after: undefined, ...(decode && { decode }) } };
}

async function updated(request: DraftRequest, rules: PatchRules, context: Context): Promise<Result> {
  const { file, source, target, before } = request;
  const { path, to, executable, hunks } = file;
  const operation = to === undefined ? (before?.operation ?? "update") : "move";
  const draft = {
    ...UNCHANGED,
    operation,
    source: before?.source ?? source,
    target: before?.target ?? target,
    executable,
  };
  const old = before?.content.before;
  const bytes =
    before?.bytes ?? (before === undefined ? await wholeFile(source, path, rules) : await before.source.read());
  if (hunks.length === 0) {
    // A file that moves as it is needs no copy, but a new mode does.
    const content = { before: old ?? bytes, after: bytes, changes: [] };
    return { ...draft, bytes: executable === undefined ? before?.bytes : bytes, content };
  }
  const result = await changedText(request, bytes, rules, context);
  if ("problems" in result) return result;
  const { text, spliced, placed, wasStale } = result;
  if (to === undefined && executable === undefined && spliced.bytes.equals(bytes)) {
    return failed(
      problem(path, `The patch changes nothing in '${echo(path)}'.`, "Its old and new lines are the same."),
    );
  }
  const content = before === undefined ? diffContent(text, spliced) : { before: old, after: spliced.bytes };
  return {
    ...draft,
    bytes: spliced.bytes,
    content,
    lines: placed.lines,
    fallbacks: [...(before?.fallbacks ?? []), ...placed.fallbacks],
    newLines: placed.fallbacks.length === 0 ? "" : newLines(text, spliced.replacements),
    wasStale: wasStale || before?.wasStale === true,
  };
}

async function wholeFile(current: CurrentFile, path: string, { maxFileBytes }: PatchRules): Promise<Buffer> {
  const { size = 0 } = current.file ?? {};
  if (size > maxFileBytes) {
    const message = `File '${echo(path)}' is too large to edit (${size} bytes, at most ${maxFileBytes}).`;
    throw new ToolError(ErrorCode.INVALID_PARAM, message, { hint: "Change it with another program, or ask the user." });
  }
  return current.read();
}

function tooLarge(path: string, maxFileBytes: number): ToolError {
  const message = `The patch would make '${echo(path)}' larger than ${maxFileBytes} bytes.`;
  return new ToolError(ErrorCode.INVALID_PARAM, message, { hint: "Change it with another program, or ask the user." });
}

/** Whether the file is not what a tool last showed. */
function isStale({ path, file }: CurrentFile, { versions }: PatchRules): boolean {
  const known = versions.known(path);
  return known !== undefined && file !== undefined && !isSameVersion(known.version, file.version);
}

interface ChangedText {
  readonly text: EditableText;
  readonly placed: PlacedHunks;
  readonly spliced: SplicedFile;
  readonly wasStale: boolean;
}

/** Puts the hunks of a file into its text. */
async function changedText(
  { patch, file, source, before }: DraftRequest,
  bytes: Buffer,
  rules: PatchRules,
  { call, pacer, explained }: Context,
): Promise<ChangedText | { readonly problems: readonly Problem[] }> {
  const { path } = file;
  const encoding = await editableEncoding(bytes, path, "Leave it out of the patch.");
  const text = await readEditable(bytes, encoding, pacer);
  const wasStale = before === undefined && isStale(source, rules);
  const placed = await placeHunks(text, { patch, file, isStale: wasStale }, pacer);
  const { misfits, doubtful, replacements } = placed;
  if (wasStale && doubtful !== undefined) {
    return { problems: [await staleProblem(path, { text, doubtful, pacer }, call)] };
  }
  const problems: Problem[] = [];
  for (const misfit of misfits) {
    problems.push(await misfitProblem({ file, text, pacer, call }, misfit, problems.length < explained));
    if (pacer.due()) await pacer.rest();
  }
  if (problems.length > 0) return { problems };
  for (const { newText } of replacements) {
    const strange = await findUnencodable(encoding, newText, pacer);
    if (strange === undefined) continue;
    const message = `The patch has a character that ${echo(encoding.name)} of '${echo(path)}' cannot hold: '${echo(strange)}'.`;
    return { problems: [problem(path, message, "Write it in another way.")] };
  }
  try {
    const spliced = await splice(text, replacements, rules.maxFileBytes, pacer);
    return { text, placed, spliced, wasStale };
  } catch (error) {
    if (!(error instanceof SpliceError)) throw error;
    if (error.reason === "too_large") throw tooLarge(path, rules.maxFileBytes);
    return {
      problems: [
        problem(path, `A hunk of '${echo(path)}' begins inside a character.`, "Add unchanged lines around it."),
      ],
    };
  }
}
