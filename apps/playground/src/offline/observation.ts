import { z } from "zod";
import type { Envelope } from "../envelope.ts";
import type { Params } from "../params.ts";
import type { Call } from "./investigation.ts";

/** A line of a file, as a tool showed it. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** What a tool's answer told: read from its envelope, after the truncator, and from nothing else. */
export type Observation = Listing | Paths | Matches | Page | Change | Clipped | Failure;

/** A directory's entries; directories end in "/", links in "@". */
export interface Listing {
  readonly kind: "listing";
  readonly call: Call;
  readonly path: string;
  readonly entries: readonly string[];
  readonly total: number;
  readonly next: Call | undefined;
}

/** Files that match a pattern. */
export interface Paths {
  readonly kind: "paths";
  readonly call: Call;
  readonly paths: readonly string[];
  /** True if the answer says that there are more. */
  readonly more: boolean;
  readonly next: Call | undefined;
}

/** Lines that match a pattern, or the files that have them. */
export interface Matches {
  readonly kind: "matches";
  readonly call: Call;
  readonly matches: readonly Match[];
  /** How many files were searched, as far as the answer tells. */
  readonly searched: number;
  /** True if the answer says that there are more. */
  readonly more: boolean;
  readonly next: Call | undefined;
}

/** A line that matches, with the lines around it; `count` is how many the file has, where that was asked for. */
export interface Match {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Where the text begins in its line, if the line is too long to be shown whole. */
  readonly column?: number | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly count: number;
}

/** A file that was changed or made. */
interface Change {
  readonly kind: "change";
  readonly call: Call;
  readonly path: string;
  readonly applied: boolean;
  readonly replacements: number;
  readonly diff: string;
}

/** Some lines of a file. */
export interface Page {
  readonly kind: "page";
  readonly call: Call;
  readonly path: string;
  readonly lines: readonly Line[];
  /** How many lines the file has, where the answer tells. */
  readonly total: number | undefined;
  /** How many bytes the file has, where the answer tells. */
  readonly bytes: number | undefined;
  readonly next: Call | undefined;
}

/** An answer that the truncator cut. */
export interface Clipped {
  readonly kind: "clipped";
  readonly call: Call;
  /** Where the whole answer is, if it could be saved. */
  readonly spill: string | undefined;
}

/** An error, and what it advises. */
export interface Failure {
  readonly kind: "failure";
  readonly call: Call;
  readonly reason: "missing" | "outside" | "declined" | "directory" | "file" | "past-end" | "other";
  readonly message: string;
  readonly suggestions: readonly string[];
  /** The last valid line, where the error names it. */
  readonly lastLine: number | undefined;
}

const listingData = z.object({
  entries: z.array(z.object({ path: z.string(), type: z.enum(["dir", "file", "link"]) })),
});
const pathsData = z.object({ paths: z.array(z.string()) });
const matchesData = z.object({
  matches: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      text: z.string(),
      column: z.number().optional(),
      before: z.array(z.string()).default([]),
      after: z.array(z.string()).default([]),
      count: z.number().default(1),
    }),
  ),
});
const changeData = z.object({
  applied: z.boolean(),
  replacements: z.number().default(0),
  diff_preview: z.string(),
});
const cutData = z.object({ preview: z.string(), truncation: z.object({ full_output_path: z.string().optional() }) });
const pageData = z.object({ content: z.string() });

/** What a call's envelope tells. */
export function observe(call: Call, response: Envelope): Observation {
  const { data } = response;
  const cut = cutData.safeParse(data);
  if (cut.success) return { kind: "clipped", call, spill: cut.data.truncation.full_output_path };
  if (response.status === "error") return failure(call, response);
  const listing = listingData.safeParse(data);
  if (listing.success) return toListing(call, response, listing.data.entries.map(marked));
  const paths = pathsData.safeParse(data);
  if (paths.success) return toPaths(call, response, paths.data.paths);
  const found = matchesData.safeParse(data);
  if (found.success) return toMatches(call, response, found.data.matches);
  const change = changeData.safeParse(data);
  if (change.success) return toChange(call, response, change.data);
  const page = pageData.safeParse(data);
  if (page.success) return toPage(call, response, page.data.content);
  return failure(call, response);
}

const MARKS = { dir: "/", file: "", link: "@" } as const;

function marked({ path, type }: { path: string; type: keyof typeof MARKS }): string {
  return path + MARKS[type];
}

function toListing(call: Call, response: Envelope, entries: readonly string[]): Listing {
  const total = Number(response.stats.total_entries ?? entries.length);
  return { kind: "listing", call, path: pathOf(response), entries, total, next: followUp(call, response) };
}

function toPaths(call: Call, response: Envelope, paths: readonly string[]): Paths {
  return { kind: "paths", call, paths, more: response.status === "partial", next: followUp(call, response) };
}

function toMatches(call: Call, response: Envelope, matches: readonly Match[]): Matches {
  const searched = Number(response.stats.files_searched ?? 0);
  const more = response.status === "partial" && !("fallback" in response.data);
  return { kind: "matches", call, matches, searched, more, next: followUp(call, response) };
}

function toChange(call: Call, response: Envelope, data: z.infer<typeof changeData>): Change {
  const { applied, replacements, diff_preview: diff } = data;
  return { kind: "change", call, path: pathOf(response), applied, replacements, diff };
}

function toPage(call: Call, response: Envelope, content: string): Page | Listing {
  if (content.startsWith("<path>")) return opencodeOutput(call, response, content);
  const lines = content.split("\n").flatMap((line) => numbered(/^ *(\d+) \| (.*)$/su, line));
  return {
    kind: "page",
    call,
    path: pathOf(response),
    lines,
    total: numberOf(response.stats.total_lines),
    bytes: numberOf(response.stats.file_size_bytes),
    next: followUp(call, response),
  };
}

/** The opencode flavour keeps its output, tags and all, in `data.content`. */
function opencodeOutput(call: Call, response: Envelope, output: string): Listing | Page {
  const path = pathOf(response);
  const next = followUp(call, response);
  const entries = /<entries>\n([^]*)\n<\/entries>\s*$/u.exec(output)?.[1];
  if (entries !== undefined) {
    const names = entries.split("\n\n", 1)[0]?.split("\n") ?? [];
    const prefix = path === "." ? "" : `${path}/`;
    const total = /\((?:Showing \d+ of )?(\d+) entries/u.exec(entries)?.[1];
    const listed = names.filter((name) => name !== "").map((name) => prefix + name);
    return { kind: "listing", call, path, entries: listed, total: Number(total ?? listed.length), next };
  }
  const content = /<content>\n([^]*)\n<\/content>\s*$/u.exec(output)?.[1] ?? "";
  const lines = content.split("\n").flatMap((line) => numbered(/^(\d+): (.*)$/su, line));
  const total = /\(End of file - total (\d+) lines\)$/u.exec(content)?.[1] ?? / of (\d+)[. ]/u.exec(content)?.[1];
  const bytes = numberOf(response.stats.file_size_bytes);
  return { kind: "page", call, path, lines, total: numberOf(total), bytes, next };
}

function numberOf(stat: unknown): number | undefined {
  return stat === undefined ? undefined : Number(stat);
}

function numbered(pattern: RegExp, line: string): Line[] {
  const [, number, text] = pattern.exec(line) ?? [];
  return number === undefined ? [] : [{ number: Number(number), text: text ?? "" }];
}

const REASONS: Readonly<Record<string, Failure["reason"]>> = {
  NOT_FOUND: "missing",
  ACCESS_DENIED: "outside",
  IS_DIRECTORY: "directory",
};

function failure(call: Call, response: Envelope): Failure {
  const message = response.error?.message ?? response.text;
  const lastLine = /Valid range: 1 to (\d+)|\((\d+) lines\)$/u.exec(message)?.slice(1).find(Boolean);
  return {
    kind: "failure",
    call,
    reason: reasonOf(response.error?.code ?? "", message, lastLine),
    message,
    suggestions: response.context.suggestions ?? [],
    lastLine: lastLine === undefined ? undefined : Number(lastLine),
  };
}

/** Errors that share a code are recognised by their sentence. */
function reasonOf(code: string, message: string, lastLine: string | undefined): Failure["reason"] {
  if (message.startsWith("The user declined")) return "declined";
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (/is a file, not a directory|is not a directory/u.test(message)) return "file";
  return lastLine === undefined ? "other" : "past-end";
}

/** The next call that an answer asks for, in the planner's own form. */
function followUp({ tool }: Call, { context }: Envelope): Call | undefined {
  const params = context.next_call?.params;
  return params && { tool, params: toOwnParams(context.next_call.tool, params) };
}

/** The opencode flavour of Read has other names for the same. */
export function toOwnParams(toolName: string, params: Params): Params {
  if (toolName !== "read") return params;
  const { filePath, offset, ...rest } = params;
  return { path: filePath, ...(offset === undefined ? {} : { start_line: offset }), ...rest };
}

function pathOf({ context }: Envelope): string {
  return context.path_resolved ?? ".";
}
