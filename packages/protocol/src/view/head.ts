import type { ToolResponse } from "../envelope.ts";
import { recordOf } from "../json.ts";

/** `text` up to its first blank line, and what follows that. */
export function partsOf(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const blank = text.indexOf("\n\n");
  const head = blank === -1 ? text : text.slice(0, blank);
  return { lines: head.split("\n"), rest: blank === -1 ? "" : text.slice(blank + 2) };
}

// Only whole lines of ours: a name in quotes may look like a time.
const TOOK = /^\(Took \d+ms\)$/u;
const COUNTED_IN = /^(\(\w+ \d+ \w+) in \d+ms\)$/u;
const TOTAL = /^\(Total: \d+ items - [\w ,]+\)$/u;

/** The lines without what changes from one run to the next. */
export function withoutTimes(lines: readonly string[]): string[] {
  return lines.filter((line) => !TOOK.test(line)).map((line) => line.replace(COUNTED_IN, "$1)"));
}

/** The lines after the first that say what an answer lacks or what to know about it: discounts and notes. */
export function notesOf([, ...lines]: readonly string[]): string[] {
  return lines.filter((line) => !TOOK.test(line) && !COUNTED_IN.test(line) && !TOTAL.test(line));
}

/** What is above a list or a file's lines: what these do not say by themselves. */
export function shortHead(summary: string, lines: readonly string[], { status }: ToolResponse<object>): string[] {
  const notes = notesOf(lines);
  if (status === "partial" && notes.some((line) => line.startsWith("["))) return notes;
  return summary === "" ? notes : [summary, ...notes];
}

// "Listed 3 entries in 'src'", "Found 2 files matching '*.ts' in '.'", "Found 5 matches in 2 files for 'x' in '.'".
const COUNTED =
  /^(?:Listed|Found) (\d+ (?:entries|files|matches))( in \d+ files)? (?:in|matching|with matches for|for) '/u;

/** How many items a list has, in place of its first line; undefined if that line says more than this view knows. */
export function listSummary([first = ""]: readonly string[]): string | undefined {
  const [, items, files = ""] = COUNTED.exec(first) ?? [];
  return items === undefined ? undefined : singular(items + files);
}

/** "1 file" for "1 files". */
export function singular(counts: string): string {
  const named = counts.replace(/\b1 entries/u, "1 entry").replace(/\b1 matches/u, "1 match");
  return named.replace(/\b1 (file|line)s/u, "1 $1");
}

const EDITED = /^Edited ('.*'): \d+ replacements? \(lines? (.*)\)\.$/u;

/** An edit of which nothing needs to be looked at: every old text was found as it stands, once, and there is no note. */
export function exactEdit(
  { status, data, context }: ToolResponse<object>,
  lines: readonly string[],
): string | undefined {
  const [, path, places] = EDITED.exec(lines[0] ?? "") ?? [];
  if (status !== "success" || path === undefined || places === undefined || notesOf(lines).length > 0) return undefined;
  const { replacements } = recordOf(data);
  const { edits } = recordOf(context.params_input);
  if (typeof replacements !== "number" || replacements > (Array.isArray(edits) ? edits.length : 1)) return undefined;
  return `Edited ${path}, ${/^\d+$/u.test(places) ? "line" : "lines"} ${places}.`;
}
