import { echo, ErrorCode, isToolError, ToolError, type ToolCall } from "@fstools/protocol";
import {
  type ChangePlan,
  createDiff,
  createPacer,
  type CurrentFile,
  explainPathErrors,
  type FileChange,
  type FileDiff,
  joinDiffs,
  type Pacer,
  type SafePath,
  type TargetRequest,
  type Unusable,
} from "@fstools/sandbox";
import { type Draft, draftOf, type PatchRules } from "./draft.ts";
import { patchError, type Problem } from "./failures.ts";
import { type PatchedFile, patchPathWords } from "./format.ts";
import type { PatchParams } from "./params.ts";
import type { FilePatch } from "./parse/file-patch.ts";
import type { ParsedPatch } from "./parse/parse.ts";

/** The new files, and what to report about them. */
export interface PatchPlan extends ChangePlan {
  readonly files: readonly PatchedFile[];
  readonly whole: FileDiff;
}

// Closest lines cost a search through the file.
const MAX_EXPLAINED = 50;
// What is read of all files together, in files of the largest size.
const MAX_LARGE_FILES = 16;
const explainOld = explainPathErrors(patchPathWords);
const explainNew = explainPathErrors({
  ...patchPathWords,
  missing: (path) => `File '${path}' cannot be created there.`,
});

/** The paths of a patch: of each file its own, and then the one that it moves to. */
export function targetsOf(files: readonly FilePatch[], cwd: SafePath): TargetRequest[] {
  return files.flatMap(({ operation, path, to }, index) => {
    const isNew = operation === "create" || files.slice(0, index).some((other) => isSpelledAlike(other.to, path));
    const isItself = operation === "delete" || to !== undefined;
    const own = { path, creates: isNew, isItself, ...(isNew ? {} : { orFrom: cwd }) };
    return to === undefined ? [own] : [own, { path: to, creates: true }];
  });
}

function isSpelledAlike(one: string | undefined, other: string): boolean {
  const [left, right] = [one, other].map((path) => path?.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/"));
  return left === right;
}

/**
 * Works out what becomes of all files.
 * @throws ToolError with all that is wrong with all of them
 */
export async function planPatch(
  current: readonly (CurrentFile | Unusable)[],
  { params, parsed }: { readonly params: PatchParams; readonly parsed: ParsedPatch },
  rules: PatchRules,
  call: ToolCall,
): Promise<PatchPlan> {
  const pacer = createPacer(call.signal);
  const problems: Problem[] = [];
  const drafts = new Map<string, Draft>();
  const named = new Set<string>();
  const moved = new Set<string>();
  const rest = [...current];
  let bytes = 0;
  for (const file of parsed.files) {
    const { path, to, operation } = file;
    const [first, second] = rest.splice(0, to === undefined ? 1 : 2);
    try {
      if (file.problem !== undefined) throw inapplicable(path, file.problem);
      const source = usable(first, path, operation === "create" ? explainNew : explainOld, call);
      const target = to === undefined ? source : usable(second, to, explainNew, call);
      const name = source.path.relative;
      const follows = operation === "update" && to === undefined && moved.has(name);
      // What is wrong with the move is known already.
      if (follows && !drafts.has(name)) continue;
      if (!follows) expectUnnamed(named, source === target ? [source] : [source, target]);
      if (to !== undefined) moved.add(target.path.relative);
      bytes += source.file?.size ?? 0;
      if (bytes > MAX_LARGE_FILES * rules.maxFileBytes) throw tooMuch(MAX_LARGE_FILES * rules.maxFileBytes);
      const request = { patch: parsed.patch, file, source, target, before: follows ? drafts.get(name) : undefined };
      const result = await draftOf(request, rules, { call, pacer, explained: MAX_EXPLAINED - problems.length });
      if ("problems" in result) problems.push(...result.problems);
      else drafts.set(target.path.relative, result);
    } catch (error) {
      if (!isToolError(error)) throw error;
      problems.push({ path, error });
    }
  }
  if (problems.length > 0) throw patchError(problems, call);
  return planOf([...drafts.values()], params, pacer);
}

function inapplicable(path: string, why: string): ToolError {
  return new ToolError(ErrorCode.INVALID_PARAM, `'${echo(path)}' ${why}.`, { hint: "Leave it out of the patch." });
}

function usable(
  current: CurrentFile | Unusable | undefined,
  path: string,
  explain: typeof explainOld,
  call: ToolCall,
): CurrentFile {
  if (current === undefined || "error" in current) throw explain(current?.error, { path }, call);
  return current;
}

function expectUnnamed(named: Set<string>, files: readonly CurrentFile[]): void {
  for (const { path } of files) {
    if (named.has(path.relative)) {
      const message = `'${echo(path.relative)}' is in two sections of the patch.`;
      throw new ToolError(ErrorCode.INVALID_PARAM, message, { hint: "Put all that happens to a file into one." });
    }
    named.add(path.relative);
  }
}

function tooMuch(most: number): ToolError {
  return new ToolError(ErrorCode.INVALID_PARAM, `The files of the patch have more than ${most} bytes together.`, {
    hint: "Make several patches of it.",
  });
}

async function planOf(drafts: readonly Draft[], params: PatchParams, pacer: Pacer): Promise<PatchPlan> {
  const changes: FileChange[] = [];
  const files: PatchedFile[] = [];
  const diffs: FileDiff[] = [];
  for (const { operation, source, target, bytes, executable, content, ...report } of drafts) {
    const path = target.path.relative;
    const from = operation === "move" ? { from: source.path.relative } : {};
    const diff = await createDiff({ path, ...from, ...content, isOneOfSeveral: drafts.length > 1 }, pacer);
    const shared = { file: target, lines: diff, ...(executable === undefined ? {} : { executable }) };
    if (operation === "delete") changes.push({ kind: "delete", ...shared });
    else if (operation === "move") changes.push({ kind: "move", ...shared, from: source, ...(bytes && { bytes }) });
    else if (bytes !== undefined) changes.push({ kind: "write", ...shared, bytes });
    const { linesAdded: lines_added, linesRemoved: lines_removed } = diff;
    const { newDirectory } = target;
    files.push({
      path,
      operation,
      ...from,
      lines_added,
      lines_removed,
      newDirectory,
      ...report,
      size: bytes?.length ?? 0,
    });
    diffs.push(diff);
  }
  const whole = joinDiffs(diffs, pacer);
  return { operation: "patch", changes: params.dry_run ? [] : changes, diff: () => whole.whole(), files, whole };
}
