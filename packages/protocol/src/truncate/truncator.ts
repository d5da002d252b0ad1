import { relativePathProblem } from "../check/check-path.ts";
import { isTruncatorData, type ToolResponse } from "../envelope.ts";
import { completedResponse, failedResponse } from "../outcome.ts";
import { isToolError } from "../error.ts";
import { stringifySafely } from "../json-copy.ts";
import { jsonPieces, jsonText } from "./json-text.ts";
import { fromLegacy } from "../legacy.ts";
import { echo, escapeText } from "../text.ts";
import {
  fits,
  measureLines,
  measureText,
  previewOf,
  surelyFits,
  type TextSize,
  type TruncationLimits,
} from "./preview.ts";
import { utf8Length, utf8Stream } from "../utf8.ts";

/** How the text of every truncated answer begins. */
export const TRUNCATION_MARK = "⚠️ 输出过大已截断";
const MAX_PARAMS_BYTES = 4096;
const READ_PAGE_LINES = 500;
const DIRECTIONS: ReadonlySet<string> = new Set(["head", "tail"]);

/** Where the truncator leaves the output that is too long for the context. */
export interface OutputStore {
  /**
   * Saves the chunks, in order, as one file.
   * @returns its POSIX path relative to the project root
   * @throws ToolError whose message may be shown to the model
   */
  save(tool: string, chunks: Iterable<Uint8Array>): Promise<string>;
}

/** What a truncator keeps, and where it leaves the rest. */
export interface TruncatorOptions {
  /** Without one, the full output is not kept. */
  readonly store?: OutputStore | undefined;
  /** @default 2000 */
  readonly maxLines?: number;
  /**
   * In UTF-8.
   * @default 51200
   */
  readonly maxBytes?: number;
  /**
   * Which end is kept.
   * @default "head"
   */
  readonly direction?: "head" | "tail";
  /**
   * The tool with which the model opens the full output; false if it has no such tool.
   * @default "Read"
   */
  readonly readTool?: ReadTool | undefined;
}

/** A tool that can open the full output, or none. */
type ReadTool = "Read" | "read" | false;

/** How an answer was cut. */
export interface Truncation {
  readonly direction: "head" | "tail";
  readonly max_lines: number;
  readonly max_bytes: number;
  readonly original_lines: number;
  readonly original_bytes: number;
  readonly kept_lines: number;
  readonly kept_bytes: number;
  readonly full_output_path?: string;
}

/** The `data` of an answer that was cut. */
export interface TruncatedData {
  readonly truncated: true;
  readonly truncation: Truncation;
  readonly preview: string;
}

/** Returns the same answer if it fits, else a short one with a preview; never rejects. */
export type Truncator = <Data extends object>(
  tool: string,
  response: ToolResponse<Data>,
) => Promise<ToolResponse<Data | TruncatedData>>;

/**
 * Makes a function that keeps long answers out of the model's context.
 * @throws RangeError if a limit is not a positive whole number, or the direction not one of the two
 */
export function createTruncator(options: TruncatorOptions = {}): Truncator {
  const { store, maxLines = 2000, maxBytes = 51_200, direction = "head", readTool = "Read" } = options;
  // A host without types may pass anything.
  if (!DIRECTIONS.has(direction)) throw new RangeError('direction must be "head" or "tail".');
  const limits: TruncationLimits = {
    direction,
    maxLines: positive("maxLines", maxLines),
    maxBytes: positive("maxBytes", maxBytes),
  };
  return async (tool, response) => {
    if (isExempt(response) || surelyFits(response, limits)) return response;
    const json = jsonText(response);
    if (json === undefined) return response;
    const measured = measureLines(json);
    if (fits(json, measured, limits)) return response;
    const preview = previewOf(json, limits);
    const stream = utf8Stream(() => jsonPieces(json));
    const spill = await spillTo(store, tool, stream.chunks);
    const original = { lines: measured.lines, bytes: stream.totalBytes() - measured.escapedBreaks };
    const cut = { tool, limits, original, kept: measureText(preview), spill, readTool };
    return truncated(fromLegacy(response), cut, preview);
  };
}

interface Cut {
  readonly tool: string;
  readonly limits: TruncationLimits;
  readonly original: TextSize;
  readonly kept: TextSize;
  readonly spill: Spill;
  readonly readTool: ReadTool;
}

/** Where the full output is, or why it is nowhere. */
type Spill = { readonly path: string } | { readonly reason: string };

function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be a positive whole number.`);
  return value;
}

function isExempt(response: ToolResponse<object>): boolean {
  try {
    return response.context.truncation_skip === true || isTruncatorData(response.data);
  } catch {
    // Not an envelope, but it may still be too long.
    return false;
  }
}

async function spillTo(store: OutputStore | undefined, tool: string, chunks: Iterable<Uint8Array>): Promise<Spill> {
  if (store === undefined) return { reason: "no output store is set up." };
  try {
    const path = await store.save(tool, chunks);
    // A third-party store may name a place that the model must not see, or cannot read.
    return relativePathProblem(path) === undefined
      ? { path }
      : { reason: "the output store named no path below the project root." };
  } catch (error) {
    // Anything but a ToolError may name a path of the host.
    return { reason: isToolError(error) ? error.message : "the output store failed." };
  }
}

function truncated(response: ToolResponse<object>, cut: Cut, preview: string): ToolResponse<TruncatedData> {
  const data = { truncated: true, truncation: truncation(cut), preview } as const;
  const text = truncationText(response, cut);
  const { stats } = response;
  const context = { ...response.context, params_input: shortParams(response.context.params_input) };
  // It would continue an answer that the model has not seen in full.
  Reflect.deleteProperty(context, "next_call");
  const parts = { data, text, stats, context };
  return response.status === "error" ? failedResponse(parts, response.error) : completedResponse(parts, true);
}

function truncation({ limits, original, kept, spill }: Cut): Truncation {
  return {
    direction: limits.direction,
    max_lines: limits.maxLines,
    max_bytes: limits.maxBytes,
    original_lines: original.lines,
    original_bytes: original.bytes,
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
    ...("path" in spill ? { full_output_path: spill.path } : {}),
  };
}

function truncationText(
  response: ToolResponse<object>,
  { tool, limits, original, kept, spill, readTool }: Cut,
): string {
  const { direction, maxLines, maxBytes } = limits;
  const end = direction === "head" ? "first" : "last";
  return [
    `${TRUNCATION_MARK}. The output of ${echo(tool)} is ${size(original)}; at most ${maxLines} lines and ${maxBytes} bytes fit. The preview holds the ${end} ${size(kept)}.`,
    ...(response.status === "error"
      ? [`The call failed with ${echo(response.error.code)}: ${echo(response.error.message)}`]
      : []),
    "First, repeat the call with a smaller 'limit' or a narrower 'path'.",
    "path" in spill
      ? whereItIs(spill.path, readTool, response.context.cwd)
      : `The full output was not kept: ${spill.reason}`,
  ].join("\n");
}

function whereItIs(path: string, readTool: ReadTool, cwd: string): string {
  const place = `Full output: '${escapeText(path)}'.`;
  if (readTool === false) return place;
  const call =
    readTool === "Read"
      ? { path, start_line: 1, limit: READ_PAGE_LINES }
      : { filePath: fromDirectory(cwd, path), offset: 1, limit: READ_PAGE_LINES };
  return `${place} Open it with ${readTool} ${escapeText(JSON.stringify(call))}.`;
}

// opencode's read starts at the working directory.
function fromDirectory(cwd: string, path: string): string {
  return cwd === "." ? path : "../".repeat(cwd.split("/").length) + path;
}

function size({ lines, bytes }: TextSize): string {
  return `${lines} lines (${bytes} bytes)`;
}

function shortParams(params: unknown): unknown {
  const bytes = utf8Length(stringifySafely(params) ?? "");
  return bytes > MAX_PARAMS_BYTES ? { truncated: true, bytes } : params;
}
