import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError, type ToolCall } from "@fstools/protocol";
import {
  type ChangePlan,
  conflict,
  createDiff,
  createPacer,
  type CurrentFile,
  type FileState,
  type FileVersions,
  isInState,
  isSameVersion,
  type Pacer,
  type SandboxFile,
  stateOf,
} from "@fstools/sandbox";
import {
  canEncode,
  detectEncoding,
  encodingNamed,
  fileKind,
  HEAD_BYTES,
  isBinary,
  type TextEncoding,
} from "@fstools/text";
import { findClosest } from "./closest.ts";
import { editError, type EditReport, type FailedEdit, notFound, notUnique, overlapping, tooMany } from "./format.ts";
import { type EditRequest, findMatch, type Match, MAX_REPLACEMENTS, type Mismatch } from "./match.ts";
import type { EditParams } from "./params.ts";
import {
  changedLines,
  createLineCounter,
  firstLines,
  regionsOf,
  splice,
  type Spliced,
  STEPS_PER_CLOCK,
} from "./splice.ts";
import type { Replacement } from "./places.ts";
import { createUnits, type Units, withPlainLineEnds } from "./units.ts";

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
export interface EditPlan extends ChangePlan {
  readonly before: FileState;
  readonly report: Omit<EditReport, "written" | "state" | "given">;
}

const SHOWN_AROUND = 2;
const SHOWN_LINES = 40;
const LONE_SURROGATE = /\p{Surrogate}/u;
const ARE_IDENTICAL = "old_string and new_string are identical.";

/**
 * The replacements that a call asks for, checked as far as that needs no file.
 * @throws ToolError INVALID_PARAM
 */
export function editsOf({ path, old_string, new_string, replace_all, edits }: EditParams): readonly EditRequest[] {
  const given = edits ?? [{ old_string: old_string ?? "", new_string: new_string ?? "", replace_all }];
  const all = given.map((edit) => ({ ...edit, replace_all: edit.replace_all ?? replace_all }));
  for (const [index, edit] of all.entries()) checkEdit(edit, { path, index: edits === undefined ? undefined : index });
  return all;
}

function checkEdit(edit: EditRequest, failed: FailedEdit): void {
  const { old_string: oldString, new_string: newString } = edit;
  if (oldString === "") throw editError(failed, "old_string cannot be empty.", "Pass the text that is to be replaced.");
  for (const [name, text] of Object.entries({ old_string: oldString, new_string: newString })) {
    if (!LONE_SURROGATE.test(text)) continue;
    throw editError(failed, `${name} has half of a surrogate pair, which is not a character.`, "Leave it out.");
  }
  if (oldString === newString) throw editError(failed, ARE_IDENTICAL, "Pass the text that is to be there instead.");
  if (withPlainLineEnds(oldString) === withPlainLineEnds(newString)) {
    throw editError(failed, ARE_IDENTICAL, "They differ in line ends only, which Edit keeps as the file has them.");
  }
}

/**
 * Works out the new content of a file.
 * @throws ToolError
 */
export async function planEdits(
  current: CurrentFile,
  request: EditCall,
  rules: EditRules,
  call: ToolCall,
): Promise<EditPlan> {
  const { params, edits } = request;
  const { path } = params;
  const pacer = createPacer(call.signal);
  const file = current.file;
  if (file === undefined) throw new TypeError("Edit changes existing files only.");
  const isStale = isStaleVersion(current, file, request, rules, call);
  if (file.size > rules.maxFileBytes) throw tooLarge(path, file.size, rules.maxFileBytes);
  const bytes = await current.read();
  const encoding = encodingOf(bytes, params, edits);
  const units = await createUnits(bytes, encoding, pacer);

  const matches: Match[] = [];
  for (const [index, edit] of edits.entries()) {
    const match = await findMatch(units, edit, pacer);
    const failed = { path, index: params.edits === undefined ? undefined : index };
    // A file that changed may still be edited if the call proves that the caller knows what is there.
    const isProof = "ranges" in match && match.ranges.length === 1 && match.fallback === undefined;
    if (isStale && !isProof) throw conflict({ path, reader: "Read" }, call, "modified");
    if (!("ranges" in match)) throw await explainMismatch(units, match, failed, edit.replace_all, pacer, call);
    matches.push(match);
  }
  const replacements = await inOrder(matches, pacer);
  const spliced = await splice(units, replacements, pacer);
  const newBytes = spliced.bytes;
  const diff = await createDiff({ path: current.path.relative, ...comparable(units, spliced) }, pacer);
  const shown = firstLines(units.text, replacements, SHOWN_LINES);
  return {
    operation: "edit",
    bytes: params.dry_run ? undefined : newBytes,
    diff: () => diff.whole(),
    before: stateOf(file.version),
    report: {
      path: current.path.relative,
      isDryRun: params.dry_run,
      lines: await changedLines(units, replacements, pacer),
      diff,
      regions: await regionsOf(units, shown, SHOWN_AROUND, pacer),
      fallbacks: fallbacksOf(units, matches),
      hadNumbers: matches.some(({ hadNumbers }) => hadNumbers),
      wasStale: isStale,
      bytesWritten: params.dry_run ? 0 : newBytes.length,
    },
  };
}

/**
 * Whether the file is not what it was when a tool last showed it.
 * @throws ToolError CONFLICT if it is not what the caller named; INVALID_PARAM if it must be known, but is not
 */
function isStaleVersion(
  { path: resolved }: CurrentFile,
  file: SandboxFile,
  { params, expected }: EditCall,
  { versions, requireRead }: EditRules,
  call: ToolCall,
): boolean {
  if (expected !== undefined) {
    if (isInState(file, expected)) return false;
    throw conflict({ path: params.path, reader: "Read" }, call, "modified");
  }
  const known = versions.known(resolved);
  if (known !== undefined) return !isSameVersion(known.version, file.version);
  if (!requireRead) return false;
  throw new ToolError(ErrorCode.INVALID_PARAM, `Read the file before editing it: '${echo(params.path)}'.`, {
    hint: "Nothing was written. Repeat the call when you have seen the file.",
  });
}

function tooLarge(path: string, size: number, most: number): ToolError {
  return new ToolError(
    ErrorCode.INVALID_PARAM,
    `File '${echo(path)}' is too large to edit (${size} bytes, at most ${most}).`,
    { hint: "Change it with another program, or ask the user." },
  );
}

function encodingOf(bytes: Buffer, params: EditParams, edits: readonly EditRequest[]): TextEncoding {
  const { path } = params;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (params.encoding === undefined && isBinary(head)) {
    const kind = fileKind(head);
    throw new ToolError(ErrorCode.BINARY_FILE, `File '${echo(path)}' appears to be binary.`, {
      hint: kind === undefined ? "If it is text in another encoding, pass encoding=utf-16le." : `It is ${kind}.`,
    });
  }
  const encoding = params.encoding === undefined ? detectEncoding(head) : encodingNamed(params.encoding, head);
  if (!encoding.isEditable) {
    throw new ToolError(ErrorCode.INVALID_PARAM, `Files in ${echo(encoding.name)} cannot be edited.`, {
      hint: "In this encoding a byte means something else after a change before it. Replace the whole file instead.",
    });
  }
  for (const [index, { new_string: text }] of edits.entries()) {
    if (canEncode(encoding, text)) continue;
    const failed = { path, index: params.edits === undefined ? undefined : index };
    const strange = Array.from(text).find((character) => !canEncode(encoding, character)) ?? "";
    throw editError(
      failed,
      `new_string has a character that ${echo(encoding.name)} cannot hold: '${echo(strange)}'.`,
      "Write it in another way.",
    );
  }
  return encoding;
}

async function explainMismatch(
  units: Units,
  { count, places, wanted, replacement }: Mismatch,
  failed: FailedEdit,
  isForAll: boolean,
  pacer: Pacer,
  call: ToolCall,
): Promise<ToolError> {
  const lineAt = createLineCounter(units.text);
  if (count > MAX_REPLACEMENTS && isForAll) return tooMany(failed, count);
  if (count > 0) return notUnique(failed, places.map(lineAt), count);
  const at = replacement.trim() === "" ? -1 : units.find(replacement);
  if (at !== -1) return notFound(failed, undefined, lineAt(at), call);
  return notFound(failed, await findClosest(units, wanted, pacer), undefined, call);
}

/** The old and the new file for a diff, which compares lines that end with the byte 10. */
function comparable({ bytes, encoding }: Units, { bytes: newBytes, changes }: Spliced) {
  const isWide = encoding.encode("\n").length > 1;
  if (!isWide)
    return { before: bytes, after: newBytes, changes: changes(), decode: (part: Buffer) => encoding.decode(part) };
  const toUtf8 = (content: Buffer) => Buffer.from(encoding.decode(content));
  return { before: toUtf8(bytes), after: toUtf8(newBytes) };
}

/** All replacements in the order of the file. */
async function inOrder(matches: readonly Match[], pacer: Pacer): Promise<readonly Replacement[]> {
  // The places of one edit are in order, and do not overlap.
  const [only, ...others] = matches;
  if (only !== undefined && others.length === 0) return only.ranges;
  const all: (Replacement & { readonly edit: number })[] = [];
  for (const [edit, { ranges }] of matches.entries()) {
    for (const range of ranges) {
      all.push({ ...range, edit });
      if (all.length % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    }
  }
  all.sort((one, other) => one.start - other.start || one.end - other.end);
  for (const [index, { start, edit }] of all.entries()) {
    const before = all[index - 1];
    if (before !== undefined && start < before.end) throw overlapping(before.edit, edit);
  }
  return all;
}

/** Where text was replaced that is not exactly what was asked for, in lines of the old file. */
function fallbacksOf(units: Units, matches: readonly Match[]): EditReport["fallbacks"] {
  const lineAt = (index: number) => createLineCounter(units.text)(index);
  return matches.flatMap(({ fallback: kind, ranges: [range] }) => {
    if (kind === undefined || range === undefined) return [];
    return [{ kind, lines: { first: lineAt(range.start), last: lineAt(Math.max(range.start, range.end - 1)) } }];
  });
}
