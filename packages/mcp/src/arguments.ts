import { parseArgs } from "node:util";
import { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, type ToolName } from "@fstools/toolset";
import type { ListenAddress } from "./http/http.ts";
import type { McpServerOptions, ProjectOptions } from "./service.ts";

/** What the command line asks for; without `http`, over stdio. */
export interface ServeCommand extends Omit<McpServerOptions, "tools" | "history"> {
  readonly tools: readonly ToolName[];
  /** Where changes are kept. */
  readonly history: string | undefined;
  readonly http: ListenAddress | undefined;
}

/** What people ask of a history: without `undo`, the list of changes. */
export interface HistoryCommand extends ProjectOptions {
  readonly history: string;
  readonly undo?: string | { readonly since: string };
  readonly path?: string | undefined;
  readonly limit?: number | undefined;
}

const WRITE_TOOLS: readonly ToolName[] = ["Edit", "Write", "Move", "Delete"];

export const USAGE = `Usage: fstools-mcp [DIR]... [options]

An MCP server that lets a model look at a project's files; read-only, unless --write is given.

  --root DIR         a directory that the tools may look into, as DIR alone; may be given more than once.
                     Without one, the roots that the client offers are used.
  --read-root DIR    one in which nothing is changed, also with --write; may be given more than once
  --tools A,B        the tools to offer, of ${TOOL_NAMES.join(", ")} (default: ${DEFAULT_TOOL_NAMES.join(",")})
  --write            adds ${WRITE_TOOLS.join(", ")}, which change files
  --gitignore        what git ignores counts as ignored
  --media            Read shows pictures, and the text of PDF files
  --deny GLOB        paths to keep from the model, such as '*.sqlite' or 'private/**'; may be given more than once
  --no-default-deny  show secrets too: .env files, private keys and the like, which are hidden otherwise
  --protect GLOB     paths that may be read but not changed, besides .git; may be given more than once
  --structured       adds the whole envelope to each answer, for programs
  --history DIR      keep in DIR, outside the roots, what is changed, for:
                       fstools-mcp history [PATH] --history DIR [--root DIR] [--limit N]
                       fstools-mcp undo ID        --history DIR [--root DIR]
                       fstools-mcp undo --since ID (that change and all later ones) …
                     A directory of such a name is ./history.
  --http HOST:PORT   serve streamable HTTP on a loopback address instead of stdio, at /mcp; port 0 picks a free one.
                     Clients need the bearer token in FSTOOLS_MCP_TOKEN, or the one printed at the start.
  --help, --version`;

/** Reads the command line. @throws Error that says what is wrong with it */
export function parseArguments(args: readonly string[]): ServeCommand | HistoryCommand | "help" | "version" {
  const [verb = ""] = args;
  const isForPeople = verb === "history" || verb === "undo";
  const { values, positionals } = parseArgs({
    args: args.slice(isForPeople ? 1 : 0),
    allowPositionals: true,
    options: {
      root: { type: "string", multiple: true, default: [] },
      "read-root": { type: "string", multiple: true, default: [] },
      tools: { type: "string", default: DEFAULT_TOOL_NAMES.join(",") },
      write: { type: "boolean", default: false },
      gitignore: { type: "boolean", default: false },
      media: { type: "boolean", default: false },
      deny: { type: "string", multiple: true, default: [] },
      protect: { type: "string", multiple: true, default: [] },
      "no-default-deny": { type: "boolean", default: false },
      structured: { type: "boolean", default: false },
      history: { type: "string" },
      since: { type: "string" },
      limit: { type: "string" },
      http: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", short: "v", default: false },
    },
  });
  if (values.help) return "help";
  if (values.version) return "version";
  const { history, since, limit, root: roots, "read-root": readRoots, deny, protect, gitignore } = values;
  const rules = { readRoots, deny, protect, gitignore, defaultDeny: !values["no-default-deny"] };
  if (isForPeople) {
    if (history === undefined) throw new Error(`${verb}: --history DIR is missing.`);
    const [first, ...others] = positionals;
    if (others.length > 0) throw new Error(`${verb}: expected one argument, got ${positionals.length}.`);
    const project = { ...rules, roots: roots.length + readRoots.length > 0 ? roots : ["."], history };
    return verb === "undo"
      ? { ...project, undo: parseUndo(first, since) }
      : { ...project, path: first, limit: parseLimit(limit) };
  }
  if ((since ?? limit) !== undefined) throw new Error("--since and --limit are for history and undo.");
  return {
    ...rules,
    roots: [...roots, ...positionals],
    tools: [...new Set([...parseTools(values.tools), ...(values.write ? WRITE_TOOLS : [])])],
    media: values.media,
    structured: values.structured,
    history,
    http: values.http === undefined ? undefined : parseAddress(values.http),
  };
}

function parseUndo(id: string | undefined, since: string | undefined): NonNullable<HistoryCommand["undo"]> {
  const undo = since === undefined ? id : { since };
  if (undo === undefined || (since !== undefined && id !== undefined)) {
    throw new Error("undo: expected the ID of a change, or --since ID.");
  }
  return undo;
}

function parseLimit(limit: string | undefined): number | undefined {
  if (limit !== undefined && !/^[1-9]\d{0,5}$/u.test(limit)) throw new Error(`--limit: '${limit}' is not a number.`);
  return limit === undefined ? undefined : Number(limit);
}

function parseTools(list: string): ToolName[] {
  return list.split(",").map((entry) => {
    const name = entry.trim();
    if (isToolName(name)) return name;
    throw new Error(`--tools: there is no tool '${name}'. Choose from ${TOOL_NAMES.join(", ")}.`);
  });
}

function parseAddress(address: string): ListenAddress {
  const { host = "", port = "" } = /^(?<host>.*):(?<port>\d{1,5})$/u.exec(address)?.groups ?? {};
  const bare = host.replace(/^\[(?<inner>.*)\]$/u, "$<inner>");
  if (port === "" || Number(port) > 65_535) {
    throw new Error(`--http: expected HOST:PORT, such as 127.0.0.1:3333, got '${address}'.`);
  }
  return { host: bare, port: Number(port) };
}
