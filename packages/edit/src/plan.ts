import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import { createDiff, createPacer, isInState, isSameVersion, stateOf } from "@fstools/sandbox";
import type { CurrentFile, FilePlan, FileState, FileVersions, Pacer, SandboxFile } from "@fstools/sandbox";
import {
  diffContent,
  editableEncoding,
  findClosest,
  findMatches,
  findPassage,
  findUnencodable,
  isMatch,
  linesBetween,
  mayFit,
  newLines,
  readEditable,
  splice,
  STEPS_PER_CLOCK,
  withPlainLineEnds,
} from "@fstools/text";
import type {
  ClosestLines,
  EditableText,
  EditRequest,
  Match,
  Mismatch,
  Replacement,
  TextEncoding,
} from "@fstools/text";
import { changed, editError, notFound, notUnique, overlapping, tooMany } from "./failures.ts";
import type { FailedEdit } from "./failures.ts";
import type { EditReport } from "./format.ts";
import type { EditParams } from "./params.ts";

/** What one call asks for. */
export interface EditCall {
  readonly params: EditParams;
  readonly edits: readonly EditRequest[];
  /** The version that the caller named. */
  readonly expected: FileState | undefined;
}

/** What the host demands. */
export interface EditRules {
  readonly versions: FileVersions;
  readonly requireRead: boolean;
  readonly maxFileBytes: number;
}

/** The new file, and what to report about it. */
export interface EditPlan extends FilePlan {
  readonly before: FileState;
  readonly report: Omit<EditReport, "written" | "state" | "given">;
}

/** Works out the new content of a file. @throws ToolError */
export async function planEdits(
  current: CurrentFile,
  request: EditCall,
  rules: EditRules,
  call: ToolCall,
): Promise<EditPlan> {
  const { params } = request;
  const { path } = params;
  const pacer = createPacer(call.signal);
  const file = current.file;
  if (file === undefined) throw new TypeError("Edit changes existing files only.");
  const stale = staleness(current, file, request, rules);
  if (file.size > rules.maxFileBytes) {
    throw tooLarge(`File '${echo(path)}' is too large to edit (${file.size} bytes, at most ${rules.maxFileBytes}).`);
  }
  const bytes = await current.read();
  const encoding = await editableEncoding(bytes, path, BINARY_HINT, params.encoding);
  const text = await readEditable(bytes, encoding, pacer);
  await checkTexts(encoding, params, request.edits, pacer);

  const isInsertion = params.insert_line !== undefined;
  const matches = isInsertion ? [] : await matchAll(text, request, stale, pacer, call);
  const replacements = isInsertion
    ? [await insertion(text, request, stale, pacer, call)]
    : await inOrder(text, matches, pacer);
  const spliced = await splice(text, replacements, rules.maxFileBytes, pacer);
  if (spliced === "too_large") {
    throw tooLarge(`The edit would make '${echo(path)}' larger than ${rules.maxFileBytes} bytes.`);
  }
  if (spliced === "inside_character") throw notFound({ path, index: undefined }, {}, { has: () => false });
  const diff = await createDiff({ path: current.path.relative, ...diffContent(text, spliced) }, pacer);
  return {
    operation: "edit",
    bytes: params.dry_run ? undefined : spliced.bytes,
    diff: () => diff.whole(),
    lines: diff,
    before: stateOf(file.version),
    report: {
      path: current.path.relative,
      replacements: replacements.length,
      lines: spliced.lines,
      diff,
      newLines: newLines(text, spliced.replacements),
      fallbacks: fallbacksOf(text, matches),
      hadNumbers: matches.some(({ hadNumbers }) => hadNumbers),
      wasStale: stale !== "current",
      bytesWritten: params.dry_run ? 0 : spliced.bytes.length,
    },
  };
}

// How much of a file has its replacements sorted at once.
const SORTED_CHARS = 16 * 1024;
const BINARY_HINT = "If it is text in another encoding, pass encoding=utf-16le.";

/** Whether the file is not what it was: when a tool last showed it, or when the caller learned the version that it names. */
type Staleness = "current" | "since seen" | "since named";

/** @throws ToolError INVALID_PARAM if the file's version must be known, but is not */
function staleness(
  { path: resolved }: CurrentFile,
  file: SandboxFile,
  { params, expected }: EditCall,
  { versions, requireRead }: EditRules,
): Staleness {
  if (expected !== undefined) return isInState(file, expected) ? "current" : "since named";
  const known = versions.known(resolved);
  if (known !== undefined) return isSameVersion(known.version, file.version) ? "current" : "since seen";
  if (!requireRead) return "current";
  throw new ToolError(ErrorCode.INVALID_PARAM, `Read the file before editing it: '${echo(params.path)}'.`, {
    hint: "Nothing was written. Repeat the call when you have seen the file.",
  });
}

/** Finds all edits; a file that changed may still be edited by a call that proves to know what is there. */
async function matchAll(
  text: EditableText,
  { params, edits }: EditCall,
  stale: Staleness,
  pacer: Pacer,
  call: ToolCall,
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  for (const [index, result] of (await findMatches(text, edits, pacer)).entries()) {
    const isProof = isMatch(result) && result.replacements.length === 1 && result.fallback === undefined;
    if (stale === "since named" || (stale === "since seen" && !isProof)) {
      throw changed(params.path, await linesMeant(text, result, pacer), call);
    }
    if (!isMatch(result)) {
      const isForAll = edits[index]?.isForAll === true;
      throw await explainMismatch(text, result, { ...failedEdit(params, index), isForAll }, pacer, call);
    }
    matches.push(result);
  }
  return matches;
}

async function explainMismatch(
  text: EditableText,
  { places, isMoreThanListed, passage: { oldText, newText } }: Mismatch,
  failed: FailedEdit & { readonly isForAll: boolean },
  pacer: Pacer,
  call: ToolCall,
): Promise<ToolError> {
  if (places.length > 0) return failed.isForAll ? tooMany(failed) : notUnique(failed, places, isMoreThanListed);
  if (!mayFit(text, oldText)) return notFound(failed, {}, call);
  const doneAtLine = await findPassage(text, newText, pacer);
  if (doneAtLine !== undefined) return notFound(failed, { doneAtLine }, call);
  return notFound(failed, { closest: await findClosest(text, oldText, pacer) }, call);
}

/** The lines of the file as it is now that a call is about. */
async function linesMeant(
  text: EditableText,
  result: Match | Mismatch,
  pacer: Pacer,
): Promise<ClosestLines | undefined> {
  if (isMatch(result)) {
    const [place = { start: 0, end: 0 }] = result.replacements;
    return linesBetween(text, text.lines.lineAt(place.start), text.lines.lineAt(Math.max(place.start, place.end - 1)));
  }
  const [first] = result.places;
  if (first !== undefined) return linesBetween(text, first, first);
  return mayFit(text, result.passage.oldText) ? findClosest(text, result.passage.oldText, pacer) : undefined;
}

/** Text that is put between two lines, as lines of its own. */
async function insertion(
  text: EditableText,
  { params }: EditCall,
  stale: Staleness,
  pacer: Pacer,
  call: ToolCall,
): Promise<Replacement> {
  const { path, insert_line: line = 0, new_string: given = "" } = params;
  const { lines, plain, encoding } = text;
  if (line > lines.count) {
    throw editError(
      failedEdit(params),
      `insert_line (${line}) exceeds file length (${lines.count} lines).`,
      `Valid range: 0 to ${lines.count}.`,
    );
  }
  if (stale !== "current") throw changed(path, linesBetween(text, Math.max(1, line), line + 1), call);
  await checkEncodable(encoding, given, failedEdit(params), pacer);
  const newText = await withPlainLineEnds(given, pacer);
  const start = lines.startOf(line + 1);
  if (start > 0 && plain[start - 1] !== "\n") return { start, end: start, newText: `\n${newText}` };
  return { start, end: start, newText: newText.endsWith("\n") ? newText : `${newText}\n` };
}

function tooLarge(message: string): ToolError {
  return new ToolError(ErrorCode.INVALID_PARAM, message, { hint: "Change it with another program, or ask the user." });
}

/** All replacements in the order of the file, which do not overlap; each edit has its own in order. */
async function inOrder(
  { plain }: EditableText,
  matches: readonly Match[],
  pacer: Pacer,
): Promise<readonly Replacement[]> {
  const [first, second] = matches;
  if (first !== undefined && second === undefined) return first.replacements;
  const blockCount = Math.ceil(plain.length / SORTED_CHARS);
  const blocks = Array.from({ length: blockCount }, (): { one: Replacement; edit: number }[] => []);
  let steps = 0;
  for (const [edit, { replacements }] of matches.entries()) {
    for (const one of replacements) {
      blocks[Math.floor(one.start / SORTED_CHARS)]?.push({ one, edit });
      if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
  }
  const all: Replacement[] = [];
  let before = { end: 0, edit: 0 };
  for (const block of blocks) {
    // So many that do not overlap have room in a block.
    const sorted = block.slice(0, SORTED_CHARS + 1).sort((left, right) => left.one.start - right.one.start);
    for (const { one, edit } of sorted) {
      if (one.start < before.end) throw overlapping(before.edit, edit);
      all.push(one);
      before = { end: one.end, edit };
    }
    if (pacer.due()) await pacer.rest();
  }
  return all;
}

/** Where text was replaced that is not exactly what was asked for, in lines of the old file. */
function fallbacksOf({ lines }: EditableText, matches: readonly Match[]): EditReport["fallbacks"] {
  return matches.flatMap(({ fallback: kind, replacements: [place] }) => {
    if (kind === undefined || place === undefined) return [];
    const last = lines.lineAt(Math.max(place.start, place.end - 1));
    return [{ kind, lines: { first: lines.lineAt(place.start), last } }];
  });
}

const ARE_IDENTICAL = "old_string and new_string are identical.";

/** The replacements that a call asks for, checked as far as that needs no file. @throws ToolError INVALID_PARAM */
export function editsOf(params: EditParams): readonly EditRequest[] {
  const { old_string, new_string = "", replace_all, edits, insert_line } = params;
  if (insert_line !== undefined) {
    checkCharacters({ new_string }, failedEdit(params));
    return [];
  }
  const given = edits ?? [{ old_string: old_string ?? "", new_string, replace_all }];
  return given.map((edit, index) => {
    const request = {
      oldText: edit.old_string,
      newText: edit.new_string,
      isForAll: edit.replace_all ?? replace_all,
    };
    checkEdit(request, failedEdit(params, index));
    return request;
  });
}

/** How an error names an edit: by its index if there are several. */
function failedEdit({ path, edits }: EditParams, index?: number): FailedEdit {
  return { path, index: edits === undefined ? undefined : index };
}

function checkEdit({ oldText, newText }: EditRequest, failed: FailedEdit): void {
  if (oldText === "") throw editError(failed, "old_string cannot be empty.", "Pass the text that is to be replaced.");
  checkCharacters({ old_string: oldText, new_string: newText }, failed);
  if (oldText === newText) throw editError(failed, ARE_IDENTICAL, "Pass the text that is to be there instead.");
}

function checkCharacters(texts: Readonly<Record<string, string>>, failed: FailedEdit): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text.isWellFormed()) continue;
    throw editError(failed, `${name} has half of a surrogate pair, which is not a character.`, "Leave it out.");
  }
}

/**
 * Checks what can be said only when the file's encoding is known, or takes too long for one turn of the event loop.
 * @throws ToolError INVALID_PARAM
 */
async function checkTexts(
  encoding: TextEncoding,
  params: EditParams,
  edits: readonly EditRequest[],
  pacer: Pacer,
): Promise<void> {
  for (const [index, { oldText, newText }] of edits.entries()) {
    const failed = failedEdit(params, index);
    await checkEncodable(encoding, newText, failed, pacer);
    if (!oldText.includes("\r") && !newText.includes("\r")) continue;
    if ((await withPlainLineEnds(oldText, pacer)) !== (await withPlainLineEnds(newText, pacer))) continue;
    throw editError(failed, ARE_IDENTICAL, "They differ in line ends only, which Edit keeps as the file has them.");
  }
}

/** @throws ToolError INVALID_PARAM if the encoding has no bytes for a character */
async function checkEncodable(
  encoding: TextEncoding,
  newText: string,
  failed: FailedEdit,
  pacer: Pacer,
): Promise<void> {
  const strange = await findUnencodable(encoding, newText, pacer);
  if (strange === undefined) return;
  const message = `new_string has a character that ${echo(encoding.name)} cannot hold: '${echo(strange)}'.`;
  throw editError(failed, message, "Write it in another way.");
}
