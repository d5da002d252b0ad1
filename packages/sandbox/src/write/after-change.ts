import type { OnInternalError } from "@fstools/protocol";
import { countNewlines, escapeLine, escapeText, orAborted, reportInternalError } from "@fstools/protocol";
import { structuredPatch } from "diff";
import { Buffer } from "node:buffer";
import type { Boundary } from "../disk/boundary.ts";
import { openFile } from "../disk/open.ts";
import { SandboxError } from "../error.ts";
import type { SafePath } from "../names/safe-path.ts";
import { isSameVersion, type FileVersions } from "../versions.ts";
import type { ChangeRecord, StepResult } from "./change-set.ts";
import { lineList, type LineRange } from "./change-words.ts";
import { difference, type FileDiff } from "./diff.ts";

/** A change that is on the disk. */
export interface MadeChange {
  readonly tool: string;
  readonly files: readonly MadeFileChange[];
  /** The whole change as a unified diff. */
  readonly diff: string;
}

/** What happened to one file. */
export interface MadeFileChange {
  /** Relative to the project root. */
  readonly path: string;
  readonly operation: "create" | "update" | "delete" | "move";
  /** Where it was before it moved. */
  readonly from?: string;
  readonly lines_added: number;
  readonly lines_removed: number;
}

/** Formats, lints or type-checks what was changed; its notes are shown to the model. */
export type AfterChange = (
  change: MadeChange,
  options: { readonly signal: AbortSignal },
) => AfterChangeAnswer | Promise<AfterChangeAnswer>;

/** What the model should know. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a host that only formats returns nothing
export type AfterChangeAnswer = { readonly notes?: readonly string[] } | undefined | void;

/** Who is told of a change, and what is known of its files. */
export interface AfterChangeOptions {
  readonly afterChange: AfterChange;
  readonly boundary: Boundary;
  readonly versions: FileVersions;
  readonly onInternalError: OnInternalError | undefined;
}

/** What happened to one file, as it was planned. */
export interface PlacedFile extends Pick<MadeFileChange, "operation"> {
  readonly file: SafePath;
  /** Where it was. */
  readonly from?: SafePath;
  /** Its whole new content, if that is known. */
  readonly bytes?: Uint8Array | undefined;
  /** How many lines the change adds and removes. */
  readonly lines?: Pick<FileDiff, "linesAdded" | "linesRemoved"> | undefined;
}

/** A change, and what writing it gave. */
export interface WrittenChange extends Pick<ChangeRecord, "settle"> {
  readonly tool: string;
  readonly placed: readonly PlacedFile[];
  readonly results: readonly StepResult[];
  readonly diff: () => Promise<string>;
}

const TIME_LIMIT_MS = 30_000;
const MAX_NOTES = 20;
const MAX_NOTE_CHARS = 500;
const MAX_SHOWN_LINES = 40;
// A search for the shortest diff of more takes too long.
const MAX_COMPARED_BYTES = 1024 * 1024;
const MAX_EDIT_LENGTH = 300;

/** Tells the host of a change; what it leaves of the files belongs to the change, and what it says to the answer. */
export async function afterwards(
  { tool, placed, results: written, settle, diff }: WrittenChange,
  options: AfterChangeOptions,
  signal: AbortSignal,
): Promise<readonly StepResult[]> {
  const notes: string[] = [];
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const made = { tool, files: placed.map(madeChange), diff: await diff() };
    const ask = async () => options.afterChange(made, { signal: limit });
    const answer = await orAborted(ask(), limit);
    notes.push(...shownNotes(answer?.notes ?? []));
  } catch (error) {
    if (!signal.aborted) void reportInternalError({ name: tool, onInternalError: options.onInternalError }, error);
    notes.push("Note: The check after the change failed.");
  }
  const results = written.map((result, index) => {
    const file = placed[index];
    const now = file === undefined ? result : resultNow(file, result, options);
    const all = [...(result.notes ?? []), ...(now === result ? [] : (now.notes ?? [])), ...(index === 0 ? notes : [])];
    return { ...now, ...(all.length > 0 && { notes: all }) };
  });
  const changed = placed.filter((_, index) => {
    const { isChangedAgain = false, version } = results[index] ?? {};
    return isChangedAgain || version !== written[index]?.version;
  });
  if (changed.length > 0) await settle(changed.map(({ file }) => file));
  return results;
}

function madeChange({ operation, file, from, lines }: PlacedFile): MadeFileChange {
  return {
    path: file.relative,
    operation,
    ...(from === undefined ? {} : { from: from.relative }),
    lines_added: lines?.linesAdded ?? 0,
    lines_removed: lines?.linesRemoved ?? 0,
  };
}

function shownNotes(notes: readonly string[]): string[] {
  const lines = notes.flatMap((note) => note.split(/\r?\n/u)).filter((line) => line.trim() !== "");
  const more = lines.length - MAX_NOTES;
  const shown = lines.slice(0, MAX_NOTES).map((line) => `Note: ${clipped(line)}`);
  return more > 0 ? [...shown, `Note: ${more} more lines are not shown.`] : shown;
}

function clipped(line: string): string {
  return escapeLine(line.length > MAX_NOTE_CHARS ? `${line.slice(0, MAX_NOTE_CHARS)}…` : line);
}

/** What is known of a file, and what the caller should know, if it is not as it was written. */
function resultNow(
  { file: path, from, bytes }: PlacedFile,
  result: StepResult,
  { boundary, versions }: AfterChangeOptions,
): StepResult {
  const known = versions.known(path);
  // Nothing is known of it; or another call has changed it since, and has told of that itself.
  if (result.version === undefined || (known === undefined && from === undefined)) return result;
  if (known !== undefined && !isSameVersion(known.version, result.version)) return result;
  const again = (lines: readonly string[] = [], where = "") => {
    const note = `Note: '${escapeText(path.relative)}' was changed again after the edit${where}.`;
    return { isChangedAgain: true, notes: [note, ...lines] };
  };
  try {
    const file = openFile(boundary, path);
    try {
      if (isSameVersion(file.version, result.version)) return result;
      versions.record(path, file.version, "written");
      const now = { ...result, version: file.version };
      if (bytes === undefined || Math.max(bytes.length, file.size) > MAX_COMPARED_BYTES) return { ...now, ...again() };
      const content = file.head(file.size);
      if (content.includes(0)) return { ...now, ...again() };
      const changed = changedLines(Buffer.from(bytes), content);
      if (changed.length === 0) return now;
      return { ...now, ...again(shownLines(content.toString(), changed), ` (${lineList(changed)})`) };
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    // It is gone, or is no longer a file: the caller has to look.
    versions.forget(path);
    return { ...result, ...again() };
  }
}

/** The lines that differ; where some are only gone, the one that stands there now. */
function changedLines(before: Buffer, after: Buffer): LineRange[] {
  const [change] = difference(before, after);
  if (change === undefined) return [];
  const options = { context: 0, maxEditLength: MAX_EDIT_LENGTH };
  const patch = structuredPatch("", "", before.toString(), after.toString(), undefined, undefined, options);
  if (patch !== undefined) {
    return patch.hunks.map(({ newStart, newLines }) => ({
      first: newStart,
      last: newStart + Math.max(newLines, 1) - 1,
    }));
  }
  const lineAt = (end: number) => 1 + countNewlines(after.toString("latin1", 0, end));
  const { start, newLength } = change;
  return [{ first: lineAt(start), last: lineAt(start + Math.max(newLength, 1) - 1) }];
}

/** The first of these lines, numbered as Read prints them. */
function shownLines(content: string, ranges: readonly LineRange[]): string[] {
  const lines = content.split("\n");
  const shown = ranges.flatMap(({ first, last }) => {
    return lines.slice(first - 1, Math.min(last, first + MAX_SHOWN_LINES)).map((line, index) => {
      return `${String(first + index).padStart(4)} | ${clipped(line)}`;
    });
  });
  return shown.slice(0, MAX_SHOWN_LINES);
}
