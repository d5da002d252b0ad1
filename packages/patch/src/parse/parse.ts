import { ErrorCode, ToolError } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";
import { type FilePatch, lineAt, type PatchLine } from "./file-patch.ts";
import { isMarked, parseMarked } from "./marked.ts";
import { parseUnified } from "./unified.ts";

const HEREDOC = /<<-?\s*(["']?)(\w+)\1\s*(?:\|.*)?$/u;
const MAX_HEREDOC_CHARS = 1000;
const HINT =
  "Nothing was changed. Begin with '*** Begin Patch' and '*** Update File: {path}', or with '--- a/{path}' and '+++ b/{path}'.";

/** A patch that was read, and its text without what was around it. */
export interface ParsedPatch {
  readonly patch: string;
  readonly files: readonly FilePatch[];
}

/**
 * Reads a patch in either format.
 * @throws ToolError INVALID_PARAM
 */
export async function parsePatch(given: string, pacer: Pacer): Promise<ParsedPatch> {
  if (!given.isWellFormed()) {
    const message = "patch has half of a surrogate pair, which is not a character.";
    throw new ToolError(ErrorCode.INVALID_PARAM, message, { hint: "Leave it out." });
  }
  const patch = withoutHeredoc(given);
  const last = lastLine(patch);
  const parse = isMarked(firstLine(patch)?.text ?? "") ? parseMarked : parseUnified;
  const files = await parse(patch, last.text.trim() === "*** End Patch" ? last.start : patch.length, pacer);
  if (files !== undefined && files.length > 0) return { patch, files: withoutSecondSections(files) };
  const message = files === undefined ? "patch is in neither of the two formats." : "The patch is empty.";
  throw new ToolError(ErrorCode.INVALID_PARAM, message, { hint: HINT });
}

/** What is changed after it was moved is one with the move. */
function withoutSecondSections(files: readonly FilePatch[]): FilePatch[] {
  const result: FilePatch[] = [];
  for (const file of files) {
    const isUpdate = file.operation === "update" && file.to === undefined;
    const at = isUpdate ? result.findIndex(({ to }) => to !== undefined && plainPath(to) === plainPath(file.path)) : -1;
    const moved = result[at];
    if (moved === undefined) result.push(file);
    else result[at] = { ...moved, hunks: [...moved.hunks, ...file.hunks] };
  }
  return result;
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/+)+/u, "").replaceAll(/\/{2,}/gu, "/");
}

/** Without "<<'EOF'" and "EOF" around it. */
function withoutHeredoc(patch: string): string {
  const first = firstLine(patch);
  const head = first?.text.slice(-MAX_HEREDOC_CHARS) ?? "";
  const word = first === undefined || isMarked(head) ? undefined : HEREDOC.exec(head)?.[2];
  if (first === undefined || word === undefined) return patch;
  const last = lastLine(patch);
  return patch.slice(first.next, last.text.trim() === word ? last.start : undefined);
}

/** The first line that is not blank. */
function firstLine(patch: string): PatchLine | undefined {
  const start = patch.length - patch.trimStart().length;
  return lineAt(patch, patch.lastIndexOf("\n", start - 1) + 1);
}

/** The last one. */
function lastLine(patch: string): Pick<PatchLine, "text" | "start"> {
  const whole = patch.trimEnd();
  const start = whole.lastIndexOf("\n") + 1;
  return { text: whole.slice(start), start };
}
