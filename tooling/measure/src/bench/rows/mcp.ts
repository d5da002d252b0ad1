import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { FIXTURES, flatDirectory, textFile } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row, type Target } from "../row.ts";

const RIVAL = "@modelcontextprotocol/server-filesystem";
const ENTRIES = 200;
const SMALL_BYTES = 2048;
const CALLS_IN_A_ROW = 20;
const CALLS_AT_ONCE = 500;

/** A server that is started as a client starts it, and what it calls the work. */
interface Server {
  readonly name: string;
  readonly args: (root: string) => string[];
  readonly read: (path: string) => ToolCall;
  readonly list: (root: string) => ToolCall;
  readonly search: (root: string) => ToolCall;
}

interface ToolCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const OURS: Server = {
  name: "@fstools/mcp",
  args: (root) => [programOf("@fstools/mcp", "bin/fstools-mcp.js"), "--root", root],
  read: (path) => ({ name: "Read", arguments: { path } }),
  list: (path) => ({ name: "LS", arguments: { path, limit: ENTRIES } }),
  search: (path) => ({ name: "Glob", arguments: { path, pattern: "**/*7*", limit: ENTRIES } }),
};

const THEIRS: Server = {
  name: RIVAL,
  args: (root) => [programOf(RIVAL, "dist/index.js"), root],
  read: (path) => ({ name: "read_text_file", arguments: { path } }),
  list: (path) => ({ name: "list_directory", arguments: { path } }),
  search: (path) => ({ name: "search_files", arguments: { path, pattern: "**/*7*" } }),
};

function programOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}

async function connect(server: Server, root: string): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StdioClientTransport({ command: process.execPath, args: server.args(root), stderr: "ignore" });
  await client.connect(transport);
  return client;
}

function startContender(server: Server, root: string): Contender {
  return contender({
    name: server.name,
    prepare: nothing,
    run: async () => {
      const client = await connect(server, root);
      await client.listTools();
      return client;
    },
    cleanUp: (client) => void client.close(),
    inProcess: false,
  });
}

/** Each sample asks a server that is running already. */
function callContender(server: Server, root: string, work: (client: Client) => Promise<unknown>): Contender {
  let connected: Promise<Client> | undefined;
  return contender({
    name: server.name,
    prepare: async () => {
      connected ??= connect(server, root);
      return connected;
    },
    run: async (client) => work(client),
    inProcess: false,
  });
}

async function call(client: Client, request: ToolCall): Promise<void> {
  const { isError } = await client.callTool({ ...request });
  if (isError === true) throw new Error(`${request.name} failed.`);
}

function row(
  id: string,
  work: string,
  target: { readonly timesAtMost: number } | { readonly fasterAtLeast: number },
  of: (server: Server, root: string) => Contender,
): Row {
  const targets: Target[] = [{ rival: RIVAL, ...target }];
  return {
    id,
    work,
    mode: "quick",
    targets,
    contenders: () => {
      const root = flatDirectory(ENTRIES);
      return [of(OURS, root), of(THEIRS, root)];
    },
  };
}

/** The same questions to two servers, over stdio, by the official client. */
export const mcpRows: readonly Row[] = [
  row("mcp-start", "MCP server: start to first tools/list", { timesAtMost: 0.6 }, startContender),
  row("mcp-read", `MCP: read a small file, ${CALLS_IN_A_ROW} times in a row`, { timesAtMost: 0.9 }, (server) =>
    callContender(server, FIXTURES, async (client) => {
      for (let count = 0; count < CALLS_IN_A_ROW; count += 1) await call(client, server.read(textFile(SMALL_BYTES)));
    }),
  ),
  row("mcp-read-500", `MCP: read a small file, ${CALLS_AT_ONCE} at once`, { fasterAtLeast: 1.2 }, (server) =>
    callContender(server, FIXTURES, async (client) => {
      const calls = Array.from({ length: CALLS_AT_ONCE }, () => call(client, server.read(textFile(SMALL_BYTES))));
      await Promise.all(calls);
    }),
  ),
  row("mcp-ls-200", `MCP: list ${ENTRIES} entries`, { timesAtMost: 1 }, (server, root) =>
    callContender(server, root, (client) => call(client, server.list(root))),
  ),
  row("mcp-glob-200", `MCP: find files by name among ${ENTRIES}`, { timesAtMost: 0.1 }, (server, root) =>
    callContender(server, root, (client) => call(client, server.search(root))),
  ),
];
