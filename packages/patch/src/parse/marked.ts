import type { Pacer } from "@fstools/sandbox";
import { STEPS_PER_CLOCK } from "@fstools/text";
import { expectFew, type FileDraft, type FilePatch, lineAt, SIGNS, unreadable } from "./file-patch.ts";

const MARKER =
  /^\*\*\* (?:(Begin Patch|End Patch|End of File|Environment ID:.*)|(Add File|Delete File|Update File|Move to): (.+))$/u;
const OPERATIONS: ReadonlyMap<string | undefined, FilePatch["operation"]> = new Map([
  ["Add File", "create"],
  ["Delete File", "delete"],
  ["Update File", "update"],
]);
// "@@ -1,2 +1,2 @@ f()": numbers, which are not believed, and a line that may be anywhere above.
const NUMBERED = /^@@ -\d.*@@/u;

/** Whether a line begins the format with lines like "*** Update File: {path}". */
export function isMarked(line: string): boolean {
  return MARKER.test(line.trim());
}

/** Reads the format that models are trained on. */
export async function parseMarked(patch: string, end: number, pacer: Pacer): Promise<FilePatch[]> {
  const files: FileDraft[] = [];
  let file: FileDraft | undefined;
  // Undefined where a line would begin a new one.
  let hunk: FileDraft["hunks"][number] | undefined;
  let isFilled = false;
  let hunks = 0;
  let steps = 0;
  const begin = (start: number): NonNullable<typeof hunk> => {
    const begun = { start, end: start, anchors: [] };
    isFilled = false;
    hunks += 1;
    file?.hunks.push(begun);
    return begun;
  };
  for (let line = lineAt(patch, 0, end); line !== undefined; line = lineAt(patch, line.next, end)) {
    const { text, start, next } = line;
    expectFew(files.length, hunks);
    if (++steps % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
    const marker = MARKER.exec(markerText(text, file));
    const isBlank = text.trim() === "";
    if (marker !== null) {
      const [, mark = "", kind, path = ""] = marker;
      const operation = OPERATIONS.get(kind);
      if (operation !== undefined) {
        checkHunks(patch, file);
        file = { operation, path, hunks: [], format: "marked", hasReturns: text.endsWith("\r"), start };
        files.push(file);
      } else if (kind === "Move to") {
        if (file?.operation !== "update" || file.hunks.length > 0 || file.to !== undefined) {
          throw unreadable(patch, start, "is out of place", "It comes right after '*** Update File: {path}'.");
        }
        file.to = path;
      } else if (mark === "End of File") {
        if (hunk === undefined || hunk.end === hunk.start) {
          throw unreadable(patch, start, "is out of place", "It comes after the lines of a hunk.");
        }
        hunk.isAtEnd = true;
      } else {
        checkHunks(patch, file);
        file = undefined;
      }
      hunk = undefined;
    } else if (file === undefined || file.operation === "delete") {
      if (isBlank) continue;
      const hint = "Begin with '*** Add File: {path}', '*** Update File: {path}' or '*** Delete File: {path}'.";
      throw unreadable(patch, start, "belongs to no file", hint);
    } else if (file.operation === "create") {
      if (!isBlank && !text.startsWith("+")) {
        throw unreadable(patch, start, "has no '+'", "Each line of a new file begins with '+'.");
      }
      hunk ??= begin(start);
      hunk.end = next;
    } else if (text.startsWith("@@")) {
      if (hunk === undefined || isFilled) hunk = begin(next);
      const anchor = NUMBERED.test(text) ? "" : text.slice(2).trimEnd().replace(/^ /u, "");
      if (anchor !== "") hunk.anchors = [...hunk.anchors, anchor];
      hunk.start = hunk.end = next;
    } else if (isBlank || /^(?:[ +-]|\\ No newline)/u.test(text)) {
      if (hunk === undefined && isBlank) continue;
      hunk ??= begin(start);
      hunk.end = next;
      isFilled ||= !isBlank;
    } else {
      throw unreadable(patch, start, "is not of a hunk", SIGNS);
    }
  }
  checkHunks(patch, file);
  expectFew(files.length, hunks);
  return files;
}

/** In the lines of a file a blank is a sign, so a marker there has none in front of it. */
function markerText(text: string, file: FileDraft | undefined): string {
  if (file?.operation === "update" && file.hunks.length > 0) return text.startsWith("***") ? text.trimEnd() : "";
  return text.trimStart().startsWith("***") ? text.trim() : "";
}

function checkHunks(patch: string, file: FileDraft | undefined): void {
  if (file?.operation !== "update") return;
  const empty = file.hunks.find(({ start, end }) => start === end);
  if (empty !== undefined || (file.hunks.length === 0 && file.to === undefined)) {
    const start = empty === undefined ? file.start : patch.lastIndexOf("\n", empty.start - 2) + 1;
    throw unreadable(patch, start, "has no lines of a hunk below it", SIGNS);
  }
}
