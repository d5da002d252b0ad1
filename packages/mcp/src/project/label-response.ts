import {
  echo,
  escapeText,
  isRecord,
  listedName,
  once,
  type ToolContext,
  type ToolResponse,
  withNotes,
} from "@fstools/protocol";
import { TOOL_NAMES, toolDefinitions } from "@fstools/toolset";
import { isAbsolute } from "./absolute.ts";
import type { GivenParameter } from "./path-parameter.ts";

/** How a call reached its root. */
export interface LabelledCall {
  readonly label: string;
  /** The path as the tool got it, relative to the root, if the call has one. */
  readonly passed: string | undefined;
  /** The path as the caller wrote it. */
  readonly given: string | undefined;
  /** The parameter that named the root, as the caller wrote it, if one did. */
  readonly replaced: GivenParameter | undefined;
  /** A line for the model about the choice of the root. */
  readonly note: string | undefined;
}

/** Names of parameters, which hints quote as they quote paths. */
const parameterNames = once(
  () => new Set(toolDefinitions(TOOL_NAMES).flatMap(({ jsonSchema }) => namesIn(jsonSchema))),
);

/** A line in which a quoted word is a parameter's name rather than a path's. */
const ABOUT_PARAMETERS = /^[[(]|^Note: |parameter|Pass '|Correct '/u;

/** A line in which no quoted word is a path. */
const NAMES_NO_PATH = /^\[Note: |^Note: '.*' was taken as '.*'\.$|^(?:Missing required|Unknown) parameter '/u;

/** What was searched for may hold quotes and look like a path; the path is what comes last. */
const SEARCHED = /^(?<before>(?:Found|No) .*(?:matching|for) '.*' in )'(?<path>.*)'$/u;

/** The first two lines of a diff, which name the file. */
const DIFF_PATHS = /(?<side>(?:^--- a|(?<=^--- \/dev\/null\n|^--- a.*\n)\+\+\+ b)\/)(?<path>.*)/gu;

/** Puts the root's label in front of every path of an answer, so that it opens the same file when it comes back. */
export function labelResponse(response: ToolResponse<object>, call: LabelledCall): ToolResponse<object> {
  const { label } = call;
  const prefix = (path: string): string => withLabel(label, path);
  const context = labelContext(response.context, call, prefix);
  const spell = speller(response, call, prefix);
  const data = labelData(response.data, prefix);
  const text = withNotes(labelText(response, spell, prefix), notesOn(response, call));
  if (response.status !== "error") return { ...response, data, text, context };
  const error = { ...response.error, message: spell(response.error.message) };
  return { ...response, data, text, error, context };
}

function notesOn({ error }: ToolResponse<object>, { note, given }: LabelledCall): string[] {
  // A call that was refused for its parameters, with no path among them, went to no root.
  const isAboutPaths = given !== undefined || error?.code !== "INVALID_PARAM";
  return note !== undefined && isAboutPaths ? [note] : [];
}

/** A path relative to a root, as it is printed. */
function withLabel(label: string, path: string): string {
  return path === "." ? label : `${label}/${path}`;
}

function labelContext(context: ToolContext, call: LabelledCall, prefix: (path: string) => string): ToolContext {
  const { path_resolved, suggestions, next_call } = context;
  return {
    ...context,
    cwd: prefix(context.cwd),
    params_input: asGiven(context.params_input, call),
    ...(path_resolved === undefined ? {} : { path_resolved: prefix(path_resolved) }),
    ...(suggestions === undefined ? {} : { suggestions: suggestions.map(prefix) }),
    ...(next_call === undefined ? {} : { next_call: { ...next_call, params: nextParams(next_call.params, call) } }),
  };
}

function asGiven(params: unknown, { replaced }: LabelledCall): unknown {
  return replaced === undefined || !isRecord(params) ? params : { ...params, [replaced.key]: replaced.value };
}

function nextParams(params: Readonly<Record<string, unknown>>, call: LabelledCall): Record<string, unknown> {
  const { passed, given, label } = call;
  const { pattern, ...others } = params;
  // In the order of the tools' parameters.
  if (given === undefined) return { ...(pattern === undefined ? {} : { pattern }), path: label, ...others };
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, isPathKey(key) && value === passed ? given : value]),
  );
}

function isPathKey(key: string): boolean {
  return key === "path" || key === "filePath";
}

function labelData(data: object, prefix: (path: string) => string): Record<string, unknown> {
  const labelled: Record<string, unknown> = { ...data };
  for (const [list, field] of [
    ["entries", "path"],
    ["matches", "file"],
  ] as const) {
    const items = labelled[list];
    if (Array.isArray(items)) labelled[list] = items.map((item: unknown) => prefixField(item, field, prefix));
  }
  const { paths, diff_preview: diff } = labelled;
  if (isString(diff))
    labelled.diff_preview = diff.replace(
      DIFF_PATHS,
      (_, side: string, path: string) => side + escapeText(prefix(path)),
    );
  if (Array.isArray(paths)) labelled.paths = paths.map((path: unknown) => (isString(path) ? prefix(path) : path));
  return labelled;
}

function prefixField(item: unknown, field: string, prefix: (path: string) => string): unknown {
  if (!isRecord(item)) return item;
  const path = item[field];
  return isString(path) ? { ...item, [field]: prefix(path) } : item;
}

/** Rewrites the paths of a text: those that are quoted, and those of the few lines that are about nothing else. */
function speller(
  { status, context, data }: ToolResponse<object>,
  call: LabelledCall,
  prefix: (path: string) => string,
): (text: string) => string {
  const { passed, given } = call;
  const known = [".", context.path_resolved, ...(context.suggestions ?? []), ...filesOf(data)].filter(isString);
  // An absolute path that no root holds has none.
  const ancestors = passed === undefined || isAbsolute(passed) ? [] : prefixes(passed);
  const spelled = new Map([...ancestors, ...known].map((path) => [echo(path), escapeText(prefix(path))]));
  // An error echoes what the caller wrote, any other answer what it led to.
  if (status === "error" && passed !== undefined && given !== undefined) spelled.set(echo(passed), echo(given));
  const quoted = quotedPattern([...spelled.keys()]);
  const line = (text: string): string => {
    const { before, path } = SEARCHED.exec(text)?.groups ?? {};
    if (before !== undefined && path !== undefined) return `${before}'${spelled.get(path) ?? path}'`;
    if (NAMES_NO_PATH.test(text)) return text;
    const isAboutParameters = ABOUT_PARAMETERS.test(text);
    const isList = text.startsWith("[Partial: Skipped ");
    return text
      .replace(
        /^(?<before>\((?:Created|Would create) directory: )(?<path>.*)(?<after>\))$/u,
        (_, before, path, after) => [before, escapeText(prefix(String(path))), after].join(""),
      )
      .replace(quoted, (whole, value: string) => {
        if (isAboutParameters && parameterNames().has(value)) return whole;
        const path = spelled.get(value) ?? (isList ? escapeText(prefix(value)) : undefined);
        return path === undefined ? whole : `'${path}'`;
      });
  };
  return (text) => text.split("\n").map(line).join("\n");
}

/** A value in quotes; one that is known may hold quotes itself. */
function quotedPattern(known: readonly string[]): RegExp {
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  const escaped = longestFirst.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&"));
  return new RegExp(`'(${[...escaped, "[^'\\n]*"].join("|")})'`, "gu");
}

/** The files in which something was found. */
function filesOf(data: object): unknown[] {
  const matches: unknown[] = "matches" in data && Array.isArray(data.matches) ? data.matches : [];
  return matches.map((match) => (isRecord(match) ? match.file : undefined));
}

function labelText(
  { data, text }: ToolResponse<object>,
  spell: (text: string) => string,
  prefix: (path: string) => string,
): string {
  const end = text.indexOf("\n\n");
  if (end < 0) return spell(text);
  const body = text.slice(end + 2);
  return `${spell(text.slice(0, end))}\n\n${labelBody(data, body, prefix)}`;
}

/** Only lines that show a path of the list are changed: below the path of a file may be lines of it. */
function labelBody(data: object, body: string, prefix: (path: string) => string): string {
  const listed = new Map(listedIn(data).map((path) => [listedName(path), listedName(prefix(path))]));
  const lines = body.split("\n").map((line) => {
    const [whole, name = "", tail = ""] = TAILED.exec(line) ?? [];
    return listed.get(line) ?? (whole === undefined ? line : (listed.get(name) ?? name) + tail);
  });
  return lines.join("\n");
}

/** A name and what a list puts after it: the sign of a directory or link, or a count. */
const TAILED = /^(?<name>\S.*?)(?<tail>[/@]|: \d+)$/u;

/** The paths of a list. */
function listedIn(data: object): string[] {
  const { entries, paths, matches }: Record<string, unknown> = { ...data };
  const items = [entries, paths, matches].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return items.map((item) => (isRecord(item) ? (item.path ?? item.file) : item)).filter(isString);
}

/** "a/b/c" → "a", "a/b", "a/b/c". */
function prefixes(path: string): string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

function namesIn(schema: object): string[] {
  return "properties" in schema && isRecord(schema.properties) ? Object.keys(schema.properties) : [];
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
