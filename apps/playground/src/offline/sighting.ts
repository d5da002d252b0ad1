import { nextCall } from "../next-call.ts";
import { suggestionsIn } from "../suggestions.ts";
import type { Call } from "./investigation.ts";

/** A line of a file, as a Read showed it. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** What a tool's answer told, read from the words that a model gets and from nothing else. */
export type Sighting = Listing | Paths | Page | Clipped | Failure;

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

/** Some lines of a file. */
export interface Page {
  readonly kind: "page";
  readonly call: Call;
  readonly path: string;
  readonly lines: readonly Line[];
  /** How many lines the file has, where the answer tells. */
  readonly total: number | undefined;
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
  readonly reason: "missing" | "outside" | "directory" | "file" | "binary" | "past-end" | "other";
  readonly message: string;
  readonly suggestions: readonly string[];
  /** The last valid line, where the error names it. */
  readonly lastLine: number | undefined;
  /** An encoding that the error advises to pass. */
  readonly encoding: string | undefined;
}

/** Reads a sighting out of a tool's rendered answer. */
export function toSighting(call: Call, toolName: string, rendered: string): Sighting {
  if (rendered.startsWith("⚠️ 输出过大已截断")) return clipped(call, rendered);
  const [words, body] = splitOnce(rendered, "\n\n");
  if (toolName === "read" && body.startsWith("<path>")) return opencodeOutput(call, words, body);
  if (words.startsWith("Listed ")) return listing(call, words, body);
  if (/^(?:Found \d+|No) files? /u.test(words)) return paths(call, words, body);
  if (/^Read \d+ lines? from /u.test(words)) return page(call, words, body);
  return failure(call, rendered);
}

function listing(call: Call, words: string, body: string): Listing {
  const total = /^\(Total: (\d+) /mu.exec(words)?.[1];
  const entries = body === "" ? [] : body.split("\n");
  return {
    kind: "listing",
    call,
    path: quoted(words.split("\n", 1)[0] ?? "") ?? ".",
    entries,
    total: total === undefined ? entries.length : Number(total),
    next: followUp(call, "LS", words),
  };
}

function paths(call: Call, words: string, body: string): Paths {
  return {
    kind: "paths",
    call,
    paths: body === "" ? [] : body.split("\n"),
    more: words.includes("\n[Truncated:") || words.includes("\n[Partial:"),
    next: followUp(call, "Glob", words),
  };
}

function page(call: Call, words: string, body: string): Page {
  const lines = body.split("\n").flatMap((line) => numbered(/^ *(\d+) \| (.*)$/su, line));
  const stated = /^\[(?:Truncated: Showing .* of|End of file:) (\d+) lines\b/mu.exec(words)?.[1];
  const next = followUp(call, "Read", words);
  const last = lines.at(-1)?.number ?? 0;
  const known = stated === undefined ? undefined : Number(stated);
  return {
    kind: "page",
    call,
    path: quoted(words.split("\n", 1)[0] ?? "") ?? String(call.params.path),
    lines,
    total: known ?? (next ? undefined : last),
    next,
  };
}

/** The opencode flavour: a header in words, and below it the output between tags. */
function opencodeOutput(call: Call, words: string, output: string): Listing | Page {
  const path = quoted(words.split("\n", 1)[0] ?? "") ?? String(call.params.path);
  const next = followUp(call, "read", words);
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
  const total = /\(End of file - total (\d+) lines\)$/u.exec(content)?.[1] ?? / of (\d+)[. ]/u.exec(words)?.[1];
  return { kind: "page", call, path, lines, total: total === undefined ? undefined : Number(total), next };
}

function clipped(call: Call, rendered: string): Clipped {
  const words = splitOnce(rendered, "\n\n")[0];
  return { kind: "clipped", call, spill: /[\w./-]*tool_\d{8}_\d{6}_[\w-]+\.json/u.exec(words)?.[0] };
}

const REASONS: readonly (readonly [Failure["reason"], RegExp])[] = [
  ["missing", /does not exist|^File not found/u],
  ["outside", /^Access denied/u],
  ["directory", /is a directory/u],
  ["file", /is a file, not a directory|is not a directory/u],
  ["binary", /appears to be binary|^Cannot read binary/u],
  ["past-end", /exceeds file length|is out of range/u],
];

function failure(call: Call, text: string): Failure {
  const lastLine = /Valid range: 1 to (\d+)/u.exec(text)?.[1] ?? /\((\d+) lines\)/u.exec(text)?.[1];
  return {
    kind: "failure",
    call,
    reason: REASONS.find(([, wording]) => wording.test(text))?.[0] ?? "other",
    message: text,
    suggestions: suggestionsIn(text),
    lastLine: lastLine === undefined ? undefined : Number(lastLine),
    encoding: /\bpass encoding=([\w-]+) to read it/u.exec(text)?.[1],
  };
}

function followUp(call: Call, toolName: string, words: string): Call | undefined {
  if (toolName !== "read") {
    const params = nextCall(toolName, call.params, words);
    return params && { tool: call.tool, params };
  }
  const { start_line, ...rest } = call.params;
  const params = nextCall("read", { ...rest, offset: start_line }, words);
  if (!params) return undefined;
  const { offset, ...others } = params;
  return { tool: call.tool, params: { ...others, start_line: offset } };
}

function numbered(pattern: RegExp, line: string): Line[] {
  const [, number, text] = pattern.exec(line) ?? [];
  return number === undefined ? [] : [{ number: Number(number), text: text ?? "" }];
}

/** The text in the outermost single quotes of a line. */
function quoted(line: string): string | undefined {
  return /'(.*)'/u.exec(line)?.[1];
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}
