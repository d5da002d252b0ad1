import type { ToolResponse } from "../envelope.ts";
import type { NextCall } from "../error.ts";
import { recordOf, stringifySafely } from "../json.ts";
import { listBody } from "../view/body.ts";
import { partsOf } from "../view/head.ts";

/** The response as indented JSON, with real line breaks in its strings; undefined for what JSON cannot hold at all. */
export function documentText(response: unknown): string | undefined {
  const json = stringifySafely(response, 2);
  return json === undefined ? undefined : withBreaks(json);
}

// An escaped backslash is matched too, so that an "n" after it stays an "n".
function withBreaks(json: string): string {
  return json.replace(/\\[\\n]/gu, (escape) => (escape === "\\n" ? "\n" : escape));
}

/** The call that goes on after the part of a list that is shown whole. */
export interface Continuation {
  readonly call: NextCall;
  /** The same as advice: "use offset=37 to continue …". */
  readonly advice: string;
}

/** Undefined if no item is shown whole, or if it isn't clear what the next call is. */
export function continuationOf(
  tool: string,
  response: ToolResponse<object>,
  shown: string,
  preview: string,
): Continuation | undefined {
  const items = listOf(response.data);
  if (response.status === "error" || items === undefined) return undefined;
  const inView = wholeInView(response, shown, preview);
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

/** The items of an answer that is a list. */
export function listOf(data: object): readonly unknown[] | undefined {
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
