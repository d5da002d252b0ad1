import { echo, ErrorCode, escapeText, ToolError, z, type Discount, type ToolCall } from "@fstools/protocol";
import { wholeMilliseconds, type SandboxFile } from "../disk/open.ts";
import { knownAs } from "../shared/path-words.ts";
import type { FileVersion } from "../versions.ts";
import type { InPlaceReason, StepResult } from "./change-set.ts";
import type { DiffPreview } from "./diff.ts";

const mustBe = (name: string, type: string) => ({ error: `${name} must be ${type}.` });
const version = (name: string) => z.int(mustBe(name, "a whole number")).min(0, mustBe(name, "a whole number"));

/** The parameters that all tools that change a file share. */
export function changeParams() {
  return {
    dry_run: z.boolean(mustBe("dry_run", "a boolean")).default(false).describe("Only show the diff."),
    expected_mtime_ms: version("expected_mtime_ms").optional(),
    expected_size_bytes: version("expected_size_bytes").optional(),
  };
}

/** Those of them that are for hosts, not for models. */
export const HOST_PARAMS = ["expected_mtime_ms", "expected_size_bytes"] as const;

/** A version as the tools' answers show it. */
export interface FileState {
  readonly mtimeMs: number;
  readonly sizeBytes: number;
}

/**
 * The version that a caller named with `expected_mtime_ms` and `expected_size_bytes`, if any.
 * @throws ToolError INVALID_PARAM if only one of them is there.
 */
export function expectedVersion(params: {
  readonly expected_mtime_ms?: number | undefined;
  readonly expected_size_bytes?: number | undefined;
}): FileState | undefined {
  const { expected_mtime_ms: mtimeMs, expected_size_bytes: sizeBytes } = params;
  if (mtimeMs === undefined && sizeBytes === undefined) return undefined;
  if (mtimeMs !== undefined && sizeBytes !== undefined) return { mtimeMs, sizeBytes };
  throw new ToolError(
    ErrorCode.INVALID_PARAM,
    "expected_mtime_ms and expected_size_bytes must be given together, or neither.",
    { hint: "Pass both as the stats of an earlier answer name them (file_mtime_ms, file_size_bytes)." },
  );
}

/** Whether a file is in the state that the caller named. */
export function isInState(file: Pick<SandboxFile, "mtimeMs" | "size">, { mtimeMs, sizeBytes }: FileState): boolean {
  return file.mtimeMs === mtimeMs && file.size === sizeBytes;
}

/** A version as an answer shows it. */
export function stateOf({ mtimeNs, size }: FileVersion): FileState {
  return { mtimeMs: wholeMilliseconds(mtimeNs), sizeBytes: Number(size) };
}

/** The error for a change of a file that is not in the state that the caller knows; the next call is to read it. */
export function conflict(
  path: string,
  call: Pick<ToolCall, "has">,
  why: "modified" | "unread",
  reader = "Read",
): ToolError {
  const shown = `'${echo(path)}'`;
  const message =
    why === "modified" ? `${shown} has been modified since it was read.` : `${shown} exists and was not read.`;
  const known = knownAs(reader, call);
  const nextCall =
    known === undefined ? undefined : { tool: known, params: known === "read" ? { filePath: path } : { path } };
  const look = known === undefined ? "Look at the file as it is now" : `Run ${known} on ${shown}`;
  return new ToolError(ErrorCode.CONFLICT, message, {
    hint: `Nothing was written. ${look}, then repeat the change on what is there.`,
    nextCall,
  });
}

/** Lines of a file, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** As many places as a reader will look at. */
export const MAX_LISTED_PLACES = 10;

/** "40-44, 90": only the first {@link MAX_LISTED_PLACES}. */
export function lineNumbers(ranges: readonly LineRange[], hasMore = ranges.length > MAX_LISTED_PLACES): string {
  const spans = ranges
    .slice(0, MAX_LISTED_PLACES)
    .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
  return [...new Set(spans), ...(hasMore ? ["…"] : [])].join(", ");
}

/** "lines 40-44, 90", or "line 7". */
export function lineList(ranges: readonly LineRange[]): string {
  const list = lineNumbers(ranges);
  return `${/^\d+$/u.test(list) ? "line" : "lines"} ${list}`;
}

/** A change to report. */
export interface ToldChange {
  readonly isDryRun: boolean;
  readonly preview: DiffPreview;
  /** The call's parameters. */
  readonly given: object;
  /** The tool that shows a file, if the model has it. */
  readonly reader: string | undefined;
  /** @default 1 */
  readonly files?: number;
}

// A longer call is not worth repeating as data: the caller has it already.
const MAX_NEXT_CALL_CHARS = 4096;

const REASONS: Readonly<Record<InPlaceReason, string>> = {
  "hard links": "it has other hard links",
  "another owner": "it belongs to another user or group",
  "a mount point": "it is a mount point",
};

/** The discounts that all changes share: for a dry run, and for a diff that was cut. */
export function changeDiscounts(change: ToldChange): Discount[] {
  return [...(change.isDryRun ? [dryRun(change.given)] : []), ...(change.preview.isTruncated ? [cutDiff(change)] : [])];
}

/** Lines about how a file was written, and what came after it; `path` where there are several. */
export function changeNotes({ inPlace, notes = [] }: Partial<StepResult> = {}, path?: string): string[] {
  const what = path === undefined ? "Written" : `'${escapeText(path)}' was written`;
  return [...(inPlace === undefined ? [] : [`(${what} in place, since ${REASONS[inPlace]}.)`]), ...notes];
}

/** A line about each directory that is made. */
export function directoryNotes(paths: readonly (string | undefined)[], isDryRun: boolean): string[] {
  const made = Array.from(new Set(paths)).filter((path) => path !== undefined);
  return made.map((path) => `(${isDryRun ? "Would create" : "Created"} directory: ${escapeText(path)})`);
}

/** The discount of a dry run, which nothing else takes anything from. */
export function dryRun(given: object): Discount {
  const isShort = JSON.stringify(given).length <= MAX_NEXT_CALL_CHARS;
  return {
    label: "Dry Run",
    reason: "nothing was written.",
    next: "Repeat the call without dry_run to apply it.",
    ...(isShort ? { change: { dry_run: undefined } } : {}),
  };
}

function cutDiff({ preview, isDryRun, reader, files = 1 }: ToldChange): Discount {
  const [what, them] = files === 1 ? ["file was", "it"] : ["files were", "them"];
  const shown = `The diff shows its first ${preview.lines} lines`;
  if (isDryRun) return { label: "Truncated", reason: `${shown}.`, next: "Make smaller changes to see them whole." };
  return {
    label: "Truncated",
    reason: `${shown}; the ${what} written completely.`,
    next: reader === undefined ? `Look at what was changed to see ${them}.` : `Use ${reader} to see ${them}.`,
  };
}
