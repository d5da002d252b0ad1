import { parseArgs } from "node:util";
import { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, type ToolName } from "@fstools/toolset";
import type { ListenAddress } from "./http/http.ts";

/** What the command line asks for. */
export interface ServeCommand {
  readonly roots: readonly string[];
  readonly readRoots: readonly string[];
  readonly tools: readonly ToolName[];
  readonly deny: readonly string[];
  readonly protect: readonly string[];
  readonly defaultDeny: boolean;
  readonly gitignore: boolean;
  readonly media: boolean;
  readonly structured: boolean;
  /** Absent for stdio. */
  readonly http?: ListenAddress;
}

/** What `--write` adds. */
const WRITE_TOOLS: readonly ToolName[] = ["Edit", "Write", "Move", "Delete"];

/** How to call the command. */
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
  --http HOST:PORT   serve streamable HTTP on a loopback address instead of stdio, at /mcp; port 0 picks a free one.
                     Clients need the bearer token in FSTOOLS_MCP_TOKEN, or the one printed at the start.
  --help, --version`;

/** Reads the command line. @throws Error that says what is wrong with it */
export function parseArguments(args: readonly string[]): ServeCommand | "help" | "version" {
  const { values, positionals } = parseArgs({
    args: [...args],
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
      http: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
      version: { type: "boolean", short: "v", default: false },
    },
  });
  if (values.help) return "help";
  if (values.version) return "version";
  const tools = [...new Set([...parseTools(values.tools), ...(values.write ? WRITE_TOOLS : [])])];
  return {
    roots: [...values.root, ...positionals],
    readRoots: values["read-root"],
    tools,
    deny: values.deny,
    protect: values.protect,
    defaultDeny: !values["no-default-deny"],
    gitignore: values.gitignore,
    media: values.media,
    structured: values.structured,
    ...(values.http === undefined ? {} : { http: parseAddress(values.http) }),
  };
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
