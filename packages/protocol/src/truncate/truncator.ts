import type { TruncatedData, Truncation } from "../data.ts";
import type { ToolResponse } from "../envelope.ts";
import { completedResponse, failedResponse, isTruncatorData } from "../envelope.ts";
import { isToolResponse, relativePathProblem, TRUNCATION_MARK } from "../envelope.ts";
import { isToolError } from "../error.ts";
import { recordOf, stringifySafely } from "../json.ts";
import { fromLegacy } from "../legacy.ts";
import { echo, escapeText, sizeOf, sliceOf, type TextSize, type TruncationLimits, utf8Length } from "../text.ts";
import { listBody } from "../view/list.ts";
import { notesOf, partsOf } from "../view/render.ts";

const MAX_PARAMS_BYTES = 4096;
const READ_PAGE_LINES = 500;

/** Where the truncator leaves the output that is too long for the context. */
export interface OutputStore {
  /** @returns its POSIX path relative to the project root @throws ToolError whose message may be shown to the model */
  save(tool: string, chunks: Iterable<Uint8Array>): Promise<string>;
}

/** What a truncator keeps, and where it leaves the rest. */
export interface TruncatorOptions {
  /** Without one, the full output is not kept. */
  readonly store?: OutputStore | undefined;
  /** @default 2000 */
  readonly maxLines?: number;
  /** In UTF-8. @default 51200 */
  readonly maxBytes?: number;
  /** Which end is kept. @default "head" */
  readonly direction?: "head" | "tail";
  /** What enters the model's context and is measured; what replaces it is no longer. @default the response as JSON */
  readonly render?: ((response: ToolResponse<object>) => string) | undefined;
  /** The tool with which the model opens the full output; false if it has no such tool. @default "Read" */
  readonly readTool?: "Read" | "read" | false | undefined;
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
  const { store, render, maxLines = 2000, maxBytes = 51_200, direction = "head", readTool = "Read" } = options;
  // A host without types may pass anything.
  if (!["head", "tail"].includes(direction)) throw new RangeError('direction must be "head" or "tail".');
  for (const [name, limit] of Object.entries({ maxLines, maxBytes })) {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`${name} must be a positive whole number.`);
  }
  const limits: TruncationLimits = { direction, maxLines, maxBytes };
  return async (tool, response) => {
    let made: string | undefined;
    const json = () => (made ??= stringifySafely(response, 2));
    const shown = shownText(response, render, json);
    if (shown === undefined) return response;
    const size = sizeOf(shown);
    if (size.lines <= maxLines && size.bytes <= maxBytes) return response;
    const whole = {
      tool,
      shown,
      hasView: render !== undefined,
      size,
      readTool,
      limits,
      response: isToolResponse(response) ? response : fromLegacy(response),
    };
    const excess = (cut: ToolResponse<object>) => (render === undefined ? 0 : utf8Length(render(cut)) - size.bytes);
    // A notice that is longer than what it stands for helps nobody.
    if (whole.hasView && excess(truncated(whole, "", { reason: "" })) > 0) return response;
    const spill = await spillTo(store, tool, json);
    for (let room = maxBytes; ;) {
      const preview = room < 1 ? "" : sliceOf(shown, { ...limits, maxBytes: room });
      const cut = truncated(whole, preview, spill);
      const tooMuch = excess(cut);
      if (tooMuch <= 0) return cut;
      if (preview === "") return response;
      room = utf8Length(preview) - tooMuch;
    }
  };
}

interface Whole {
  readonly tool: string;
  readonly response: ToolResponse;
  readonly shown: string;
  /** Whether that is more than JSON. */
  readonly hasView: boolean;
  readonly size: TextSize;
  readonly limits: TruncationLimits;
  readonly readTool: TruncatorOptions["readTool"];
}

type Spill = { readonly path: string } | { readonly reason: string };

/** What enters the context; undefined for what cannot be shown, and for what is left alone. */
function shownText(
  response: ToolResponse<object>,
  render: TruncatorOptions["render"],
  json: () => string | undefined,
): string | undefined {
  try {
    if (response.context.truncation_skip === true || isTruncatorData(response.data)) return undefined;
    if (render !== undefined) return render(response);
  } catch {
    // Not an envelope, but it may still be too long.
  }
  const text = json();
  return text === undefined ? undefined : withBreaks(text);
}

async function spillTo(store: OutputStore | undefined, tool: string, json: () => string | undefined): Promise<Spill> {
  if (store === undefined) return { reason: "no output store is set up." };
  try {
    const path = await store.save(tool, [new TextEncoder().encode(json())]);
    // A third-party store may name a place that the model must not see, or cannot read.
    return relativePathProblem(path) === undefined
      ? { path }
      : { reason: "the output store named no path below the project root." };
  } catch (error) {
    // Anything but a ToolError may name a path of the host.
    return { reason: isToolError(error) ? error.message : "the output store failed." };
  }
}

function truncated(whole: Whole, preview: string, spill: Spill): ToolResponse<TruncatedData> {
  const { response, size, limits } = whole;
  const { direction, maxLines, maxBytes } = limits;
  const { stats, error } = response;
  const kept = sizeOf(preview);
  const next = direction === "head" ? continuationOf(whole, preview) : undefined;
  const truncation: Truncation = {
    direction,
    max_lines: maxLines,
    max_bytes: maxBytes,
    original_lines: size.lines,
    original_bytes: size.bytes,
    kept_lines: kept.lines,
    kept_bytes: kept.bytes,
    ...("path" in spill ? { full_output_path: spill.path } : {}),
  };
  const end = direction === "head" ? "first" : "last";
  const text = [
    `${TRUNCATION_MARK}: ${sizeInWords(size)}, of which the ${end} ${sizeInWords(kept)} are below.`,
    ...(error === undefined ? [] : [`The call failed with ${echo(error.code)}: ${echo(error.message)}`]),
    `First, repeat the call with a smaller 'limit' or a narrower 'path'${next === undefined ? "" : `, or ${next.advice}`}.`,
    "path" in spill ? whereItIs(spill.path, whole) : `The full output was not kept: ${spill.reason}`,
    ...lostNotes(response, preview, next !== undefined),
  ].join("\n");
  const context = { ...response.context };
  if (next === undefined) delete context.next_call;
  else context.next_call = next.call;
  const paramsBytes = utf8Length(stringifySafely(context.params_input) ?? "");
  if (paramsBytes > MAX_PARAMS_BYTES) context.params_input = { truncated: true, bytes: paramsBytes };
  const parts = { data: { truncated: true, truncation, preview } as const, text, stats, context };
  return error === undefined ? completedResponse(parts, true) : failedResponse(parts, error);
}

function sizeInWords({ lines, bytes }: TextSize): string {
  return `${lines} lines (${bytes} bytes)`;
}

const NOTE = /^(?:\[|\(|Note: )/u;
// What another offset takes the place of.
const CONTINUES = "[Truncated: ";
const MAX_NOTES = 10;
const MAX_NOTE_UNITS = 1000;

/** What the answer says about its list, where the preview does not hold it. */
function lostNotes({ text, data }: ToolResponse<object>, preview: string, isContinued: boolean): string[] {
  if (listOf(data) === undefined) return [];
  return notesOf(partsOf(text).lines)
    .filter((line) => NOTE.test(line) && line.length <= MAX_NOTE_UNITS && !preview.includes(line))
    .filter((line) => !isContinued || !line.startsWith(CONTINUES))
    .slice(0, MAX_NOTES);
}

function whereItIs(path: string, { readTool = "Read", response }: Whole): string {
  const place = `Full output: '${escapeText(path)}'.`;
  if (readTool === false) return place;
  const { cwd } = response.context;
  // opencode's read starts at the working directory.
  const fromCwd = cwd === "." ? path : "../".repeat(cwd.split("/").length) + path;
  const page = readTool === "Read" ? { path, start_line: 1 } : { filePath: fromCwd, offset: 1 };
  const call = { ...page, limit: READ_PAGE_LINES };
  return `${place} Open it with ${readTool} ${escapeText(JSON.stringify(call))}.`;
}

/** JSON with real line breaks in its strings: an escaped backslash is matched too, so that an "n" after it stays an "n". */
function withBreaks(json: string): string {
  return json.replace(/\\[\\n]/gu, (escape) => (escape === "\\n" ? "\n" : escape));
}

/** The call that goes on after the items that are shown whole; undefined if there is none, or if it isn't clear what the next call is. */
function continuationOf({ tool, response, shown, hasView }: Whole, preview: string) {
  const items = listOf(response.data);
  if (response.status === "error" || items === undefined) return undefined;
  const inView = hasView ? wholeInView(response, shown, preview) : undefined;
  const { next_call: next } = response.context;
  const start = next === undefined ? startOf(response) : Number(next.params.offset) - items.length;
  // What stands in a view may go on even where the tool had no more to say.
  if (!(start >= 0) || (next === undefined && inView === undefined)) return undefined;
  const whole = inView ?? wholeInJson(items, preview);
  if (whole === 0 || (next === undefined && whole === items.length)) return undefined;
  const offset = start + whole;
  const params = { ...(next?.params ?? recordOf(response.context.params_input)), offset };
  const skipped = items.length - whole;
  const warning = next === undefined || skipped === 0 ? "" : ` (offset=${start + items.length} would skip ${skipped})`;
  return {
    call: { tool: next?.tool ?? tool, params },
    advice: `use offset=${offset} to continue after the ${whole} items that are whole${warning}`,
  };
}

function listOf(data: object): readonly unknown[] | undefined {
  const { entries, paths, matches } = recordOf(data);
  const items = entries ?? paths ?? matches;
  return Array.isArray(items) ? items : undefined;
}

/** The first item's place in the whole list; NaN where the same call can't be made again with another offset. */
function startOf({ status, data, text, context }: ToolResponse<object>): number {
  const isCutShort = status === "partial" && (!("fallback" in data) || "aborted_reason" in data);
  const { offset = 0 } = recordOf(context.params_input);
  return isCutShort || text.includes("' was taken as '") ? NaN : Number(offset);
}

/** Undefined if what is shown is not the compact view of a list. */
function wholeInView(response: ToolResponse<object>, shown: string, preview: string): number | undefined {
  const body = listBody(response, partsOf(response.text).rest);
  if (body === undefined || !shown.endsWith(body.text)) return undefined;
  const end = preview.length === shown.length || shown[preview.length] === "\n" ? undefined : -1;
  const inBody = preview.slice(shown.length - body.text.length);
  return inBody === "" ? 0 : body.whole(inBody.split("\n").slice(0, end));
}

function wholeInJson(items: readonly unknown[], preview: string): number {
  let at = 0;
  for (const [count, item] of items.entries()) {
    const json = withBreaks((stringifySafely(item, 2) ?? "null").replaceAll("\n", "\n      "));
    const found = preview.indexOf(json, at);
    if (found === -1) return count;
    at = found + json.length;
  }
  return items.length;
}
