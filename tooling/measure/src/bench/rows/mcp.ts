import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { FIXTURES, flatDirectory, textFile } from "../fixtures.ts";
import { contender, faster, row, within, type Contender, type Row, type Target } from "../row.ts";

const RIVAL = "@modelcontextprotocol/server-filesystem";
const ENTRIES = 200;
const SMALL_BYTES = 2048;

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

function starting(server: Server, root: string): Contender {
  return contender({
    name: server.name,
    prepare: () => undefined,
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
const calling = (work: (client: Client, server: Server, root: string) => Promise<unknown>, place?: string) => {
  return (server: Server, root: string): Contender => {
    let connected: Promise<Client> | undefined;
    return contender({
      name: server.name,
      prepare: () => (connected ??= connect(server, place ?? root)),
      run: (client) => work(client, server, root),
      inProcess: false,
    });
  };
};

async function call(client: Client, request: ToolCall): Promise<void> {
  const { isError } = await client.callTool({ ...request });
  if (isError === true) throw new Error(`${request.name} failed.`);
}

function mcpRow(id: string, work: string, target: Target, of: (server: Server, root: string) => Contender): Row {
  return row(`mcp-${id}`, work, [target], () => [OURS, THEIRS].map((server) => of(server, flatDirectory(ENTRIES))));
}

const readSmall = (client: Client, server: Server) => call(client, server.read(textFile(SMALL_BYTES)));

const readInTurn = calling(async (client, server) => {
  for (let count = 0; count < 20; count += 1) await readSmall(client, server);
}, FIXTURES);

const readAtOnce = calling(
  (client, server) => Promise.all(Array.from({ length: 500 }, () => readSmall(client, server))),
  FIXTURES,
);

/** The same questions to two servers, over stdio, by the official client. */
export const mcpRows: readonly Row[] = [
  mcpRow("start", "MCP server: start to first tools/list", within(RIVAL, 0.9), starting),
  mcpRow("read", "MCP: read a small file, 20 times in a row", within(RIVAL, 1), readInTurn),
  mcpRow("read-500", "MCP: read a small file, 500 at once", faster(RIVAL, 1), readAtOnce),
  mcpRow(
    "ls-200",
    `MCP: list ${ENTRIES} entries`,
    within(RIVAL, 1),
    calling((client, server, root) => call(client, server.list(root))),
  ),
  mcpRow(
    "glob-200",
    `MCP: find files by name among ${ENTRIES}`,
    within(RIVAL, 0.1),
    calling((client, server, root) => call(client, server.search(root))),
  ),
];
