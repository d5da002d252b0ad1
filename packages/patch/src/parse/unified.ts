import type { Pacer } from "@fstools/sandbox";
import { STEPS_PER_CLOCK } from "@fstools/text";
import { expectFew, lineAt, SIGNS, unreadable } from "./file-patch.ts";
import type { FileDraft, FilePatch, PatchLine } from "./file-patch.ts";
import { gitNames, nameIn, type Names, namesIn } from "./names.ts";

/** A file whose names are not settled yet; `from` is where git says that it was. */
interface Draft extends FileDraft {
  names?: Names;
  from?: string;
}

const NUMBERS = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/u;
const MODE = /^(old mode|new mode|new file mode|deleted file mode|index [\da-f]+\.\.[\da-f]+) (\d{6})$/u;
const BINARY = /^(?:GIT binary patch|Binary files .* differ)$/u;
// What tools write between the files of a diff.
const BETWEEN = /^(?:diff |Index: |Only in |From |commit |\*\*\* |=+$)|^\s*$/u;

/** Reads unified diffs, with or without git's headers; undefined if there is none. */
export async function parseUnified(patch: string, end: number, pacer: Pacer): Promise<FilePatch[] | undefined> {
  const files: FilePatch[] = [];
  let draft: Draft | undefined;
  let hunks = 0;
  let steps = 0;
  const finish = () => {
    if (draft !== undefined) files.push(finished(patch, draft));
    draft = undefined;
  };
  const begin = ({ start, text }: PatchLine, format: "git" | "unified"): Draft => {
    finish();
    return { start, format, hasReturns: text.endsWith("\r"), path: "", operation: "update", hunks: [] };
  };
  for (let line = lineAt(patch, 0, end); line !== undefined;) {
    expectFew(files.length, hunks);
    if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    const { text, start } = line;
    const following = text.startsWith("--- ") ? lineAt(patch, line.next, end) : undefined;
    let { next } = line;
    if (text.startsWith("diff --git ")) {
      draft = begin(line, "git");
      draft.names = gitNames(text.slice(11));
    } else if (following?.text.startsWith("+++ ") === true) {
      if (draft?.format !== "git" || draft.hunks.length > 0) draft = begin(line, "unified");
      draft.names = namesIn(text.slice(4), following.text.slice(4));
      if (draft.names.old === undefined) draft.operation = "create";
      if (draft.names.new === undefined) draft.operation = "delete";
      ({ next } = following);
      if (beginsHunk(lineAt(patch, next, end))) next = await addHunk(draft, next, null);
    } else if (draft !== undefined && /^@@(?!@)/u.test(text)) {
      next = await addHunk(draft, next, NUMBERS.exec(text));
    } else if (draft?.format === "git" && draft.hunks.length === 0) {
      readHeader(draft, text.replace(/\r$/u, ""));
    } else if (isMailEnd(patch, line, end) || /^(?:From|commit) /u.test(text)) {
      finish();
    } else if (draft !== undefined && /^[ +-]/u.test(text)) {
      throw unreadable(patch, start, "is not of a hunk", SIGNS);
    } else if (text.startsWith("@@@")) {
      throw unreadable(patch, start, "is of a combined diff", "Make a diff with one old file.");
    }
    line = lineAt(patch, next, end);
  }
  finish();
  expectFew(files.length, hunks);
  return files.length === 0 ? undefined : files;

  async function addHunk(to: Draft, start: number, numbers: RegExpExecArray | null): Promise<number> {
    const [, oldLine, oldCount = "1", newCount = "1"] = numbers ?? [];
    const counts = [Number(oldCount), Number(newCount)] as const;
    const counted = oldLine === undefined ? undefined : await hunkEnd(patch, { start, end }, counts, pacer);
    const stop = counted ?? (await hunkEnd(patch, { start, end }, undefined, pacer)) ?? start;
    const after = lineAt(patch, stop, end);
    const isEnd = after === undefined || BETWEEN.test(after.text) || isHeader(patch, after, end);
    if (stop === start || !isEnd) throw unreadable(patch, stop, "is not of a hunk", SIGNS);
    to.hunks.push({ start, end: stop, anchors: [], oldLine: oldLine === undefined ? undefined : Number(oldLine) });
    hunks += 1;
    return stop;
  }
}

/** One of the lines between "diff --git" and the hunks. */
function readHeader(draft: Draft, text: string): void {
  const [, what, mode = ""] = MODE.exec(text.trimEnd()) ?? [];
  if (what === "new file mode") draft.operation = "create";
  if (what === "deleted file mode") draft.operation = "delete";
  if (mode.startsWith("12")) draft.problem = "is a link";
  if (mode.startsWith("16")) draft.problem = "is a submodule";
  if (what === "new mode" || what === "new file mode") draft.executable = mode === "100755";
  if (text.startsWith("rename from ")) draft.from = nameIn(text.slice(12));
  if (text.startsWith("rename to ")) draft.to = nameIn(text.slice(10));
  if (text.startsWith("copy to ")) {
    draft.from = nameIn(text.slice(8));
    draft.problem = "is a copy";
  }
  if (BINARY.test(text.trimEnd())) draft.problem = "is binary";
}

/** @throws ToolError if it has no name, or nothing happens to it */
function finished(patch: string, { names, from, to, ...file }: Draft): FilePatch {
  const { start, operation, executable, problem, hunks } = file;
  const path = from ?? (operation === "delete" ? names?.old : names?.new) ?? names?.old;
  if (path === undefined || path === "") {
    throw unreadable(patch, start, "names no file", "Write '--- a/{path}' and '+++ b/{path}' above the hunks.");
  }
  const isUpdate = operation === "update";
  if (isUpdate && hunks.length === 0 && (to ?? executable ?? problem) === undefined) {
    throw unreadable(patch, start, "has no hunks below it", "Write '@@' and the lines of a hunk.");
  }
  return { ...file, path, to: isUpdate && to !== path ? to : undefined };
}

/** Where a hunk ends: after as many lines as its header says, if that is so, else where its lines end by their looks. */
async function hunkEnd(
  patch: string,
  { start, end }: { readonly start: number; readonly end: number },
  counts: readonly [number, number] | undefined,
  pacer: Pacer,
): Promise<number | undefined> {
  let [oldLeft, newLeft] = counts ?? [Infinity, Infinity];
  let [at, steps] = [start, 0];
  for (let line = lineAt(patch, at, end); line !== undefined && (oldLeft > 0 || newLeft > 0);) {
    const { text, next } = line;
    const isOfHunk = /^(?:[ +\\-]|\r?$)/u.test(text) && (counts !== undefined || !isHeader(patch, line, end));
    if (!isOfHunk) break;
    if (!/^[+\\]/u.test(text)) oldLeft -= 1;
    if (!/^[-\\]/u.test(text)) newLeft -= 1;
    at = next;
    if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    line = lineAt(patch, at, end);
  }
  if (counts === undefined) return at;
  const mark = lineAt(patch, at, end);
  if (mark?.text.startsWith("\\") === true) at = mark.next;
  const after = lineAt(patch, at, end);
  const goesOn = after !== undefined && beginsHunk(after) && !isHeader(patch, after, end);
  return oldLeft !== 0 || newLeft !== 0 || goesOn ? undefined : at;
}

function beginsHunk(line: PatchLine | undefined): boolean {
  return line !== undefined && /^[ +-]/u.test(line.text) && !line.text.startsWith("--- ");
}

/** Whether a line begins a file or a hunk, or ends a mail. */
function isHeader(patch: string, line: PatchLine, end: number): boolean {
  const { text, next } = line;
  if (text.startsWith("@@") || text.startsWith("diff ") || isMailEnd(patch, line, end)) return true;
  return text.startsWith("--- ") && lineAt(patch, next, end)?.text.startsWith("+++ ") === true;
}

/** Whether git's version follows, as below a patch that it wrote for a mail. */
function isMailEnd(patch: string, { text, next }: PatchLine, end: number): boolean {
  return text === "-- " && /^\d+\.\d/u.test(lineAt(patch, next, end)?.text ?? "");
}
