import { echo, isToolError, type ToolCall } from "@fstools/protocol";
import { createDiff, createPacer, explainPathErrors, joinDiffs } from "@fstools/sandbox";
import type { ChangePlan, CurrentFile, DiffRequest, FileChange, FileDiff, Pacer, SafePath } from "@fstools/sandbox";
import type { TargetRequest, Unusable } from "@fstools/sandbox";
import { type Draft, draftOf, type DraftRequest, type PatchRules } from "./draft.ts";
import { invalid, patchError, type Problem } from "./failures.ts";
import { type PatchedFile, patchPathWords, type PatchReport } from "./format.ts";
import type { FilePatch } from "./parse/file-patch.ts";
import type { ParsedPatch } from "./parse/parse.ts";

/** The new files, and what to report about them. */
export interface PatchPlan extends ChangePlan, Pick<PatchReport, "files" | "whole"> {}

type Planned = Draft & Pick<DraftRequest, "source" | "target"> & Pick<FilePatch, "executable">;

// What is read of all files together, in files of the largest size.
const MAX_LARGE_FILES = 16;
const explainOld = explainPathErrors(patchPathWords);
const explainNew = explainPathErrors({
  ...patchPathWords,
  missing: (path) => `File '${path}' cannot be created there.`,
});

/** The paths of a patch: of each file its own, and then the one that it moves to. */
export function targetsOf(files: readonly FilePatch[], cwd: SafePath): TargetRequest[] {
  return files.flatMap(({ operation, path, to }) => {
    const isItself = operation === "delete" || to !== undefined;
    const own = operation === "create" ? { path, creates: true } : { path, creates: false, isItself, orFrom: cwd };
    return to === undefined ? [own] : [own, { path: to, creates: true }];
  });
}

/**
 * Works out what becomes of all files.
 * @throws ToolError with all that is wrong with all of them
 */
export async function planPatch(
  current: readonly (CurrentFile | Unusable)[],
  { patch, files, isDryRun }: ParsedPatch & { readonly isDryRun: boolean },
  rules: PatchRules,
  call: ToolCall,
): Promise<PatchPlan> {
  const pacer = createPacer(call.signal);
  const problems: Problem[] = [];
  const planned: Planned[] = [];
  const named = new Set<string>();
  const rest = [...current];
  let bytes = 0;
  for (const file of files) {
    const { path, to, operation, executable } = file;
    const [first, second] = rest.splice(0, to === undefined ? 1 : 2);
    try {
      if (file.problem !== undefined) throw invalid(`'${echo(path)}' ${file.problem}.`, "Leave it out of the patch.");
      const source = usable(first, path, operation === "create" ? explainNew : explainOld, call);
      const target = to === undefined ? source : usable(second, to, explainNew, call);
      for (const name of new Set([source.path.relative, target.path.relative])) {
        if (named.has(name)) throw invalid(`'${echo(name)}' is in two sections of the patch.`, "Make one of them.");
        named.add(name);
      }
      bytes += source.file?.size ?? 0;
      const most = MAX_LARGE_FILES * rules.maxFileBytes;
      if (bytes > most)
        throw invalid(`The files have more than ${most} bytes together.`, "Make several patches of it.");
      const draft = await draftOf({ patch, file, source, target, rules, call, pacer, problems });
      if (draft !== undefined) planned.push({ ...draft, source, target, executable });
    } catch (error) {
      if (!isToolError(error)) throw error;
      problems.push({ path, error });
    }
  }
  const [problem] = problems;
  if (problem !== undefined) throw patchError(problem, problems);
  return planOf(planned, isDryRun, pacer);
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

async function planOf(planned: readonly Planned[], isDryRun: boolean, pacer: Pacer): Promise<PatchPlan> {
  const changes: FileChange[] = [];
  const files: PatchedFile[] = [];
  const diffs: FileDiff[] = [];
  for (const { operation, source, target, executable, bytes, content, ...report } of planned) {
    const path = target.path.relative;
    const from = operation === "move" ? { from: source.path.relative } : {};
    const modes = operation === "delete" ? undefined : modesOf(source, executable);
    const diff = await createDiff({ path, ...from, ...content, modes, isOneOfSeveral: planned.length > 1 }, pacer);
    const change = { operation, file: target, bytes, lines: diff, executable };
    if (operation === "move") changes.push({ ...change, from: source });
    else if (operation === "delete" || bytes !== undefined) changes.push(change);
    const counts = { lines_added: diff.linesAdded, lines_removed: diff.linesRemoved, size: bytes?.length ?? 0 };
    files.push({ path, operation, ...from, ...counts, newDirectory: target.newDirectory, ...report });
    diffs.push(diff);
  }
  const whole = joinDiffs(diffs, pacer);
  return { operation: "patch", changes: isDryRun ? [] : changes, diff: () => whole.whole(), files, whole };
}

/** The modes that a diff shows: undefined if they stay, or are those of any new file. */
function modesOf({ file }: CurrentFile, executable: boolean | undefined): DiffRequest["modes"] {
  const isRun = file !== undefined && (file.mode & 0o100) !== 0;
  if (executable === undefined || executable === isRun) return undefined;
  const [oldMode, newMode] = executable ? ["100644", "100755"] : ["100755", "100644"];
  return file === undefined ? { newMode } : { oldMode, newMode };
}
