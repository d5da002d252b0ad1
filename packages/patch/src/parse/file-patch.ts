import { countNewlines, echo, ErrorCode, ToolError } from "@fstools/protocol";

/** What a patch does to one file. */
export interface FilePatch {
  readonly operation: "create" | "update" | "delete";
  readonly path: string;
  /** Its new path, if it moves. */
  readonly to?: string | undefined;
  /** Whether it may be run afterwards; undefined if the patch says nothing of that. */
  readonly executable?: boolean | undefined;
  readonly hunks: readonly Hunk[];
  readonly format: "marked" | "unified" | "git";
  /** Whether the lines above the hunks end with "\r\n", so that the whole patch does. */
  readonly hasReturns: boolean;
  /** Why it cannot be applied, whatever the file is. */
  readonly problem?: string | undefined;
}

/** Lines that change, and some around them. */
export interface Hunk {
  /** Where its lines begin and end in the patch. */
  readonly start: number;
  readonly end: number;
  /** Lines above it, in order. */
  readonly anchors: readonly string[];
  /** The number of its first line in the old file, as its header says. */
  readonly oldLine?: number | undefined;
  /** Whether it is at the end of the file. */
  readonly isAtEnd?: boolean;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A file while its lines are read; it begins at `start`. */
export type FileDraft = Mutable<Omit<FilePatch, "hunks">> & { readonly start: number; hunks: Mutable<Hunk>[] };

/** A line of a patch, and where the next one begins. */
export interface PatchLine {
  readonly text: string;
  readonly start: number;
  readonly next: number;
}

/** What to do about a line that cannot be read. */
export const SIGNS = "Each line of a hunk begins with ' ', '-' or '+'.";

const MAX_FILES = 200;
const MAX_HUNKS = 10_000;

/** The line that begins at a place; undefined at the end. */
export function lineAt(patch: string, start: number, end = patch.length): PatchLine | undefined {
  if (start >= end) return undefined;
  const newline = patch.indexOf("\n", start);
  const isLast = newline === -1 || newline >= end;
  return { text: patch.slice(start, isLast ? end : newline), start, next: isLast ? end : newline + 1 };
}

/** The error for a patch that cannot be read from this place on. */
export function unreadable(patch: string, at: number, problem: string, hint: string): ToolError {
  const number = countNewlines(patch.slice(0, at)) + 1;
  const shown = echo(lineAt(patch, at)?.text.trimEnd() ?? "");
  return new ToolError(ErrorCode.INVALID_PARAM, `Line ${number} of the patch ${problem}: '${shown}'.`, {
    hint: `Nothing was changed. ${hint}`,
  });
}

/** @throws ToolError if a patch has too many parts to be read on */
export function expectFew(files: number, hunks: number): void {
  if (files <= MAX_FILES && hunks <= MAX_HUNKS) return;
  const most = files > MAX_FILES ? `${MAX_FILES} files` : `${MAX_HUNKS} hunks`;
  throw new ToolError(ErrorCode.INVALID_PARAM, `The patch has more than ${most}.`, {
    hint: "Nothing was changed. Make several patches of it.",
  });
}
