import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { FIXTURES, flatDirectory, textFile } from "../fixtures.ts";
import { contender, faster, row, within, type Contender, type Row, type Target } from "../row.ts";

const RIVAL = "@modelcontextprotocol/server-filesystem";
const ENTRIES = 200;
const SMALL_BYTES = 2048;

type Call = readonly [name: string, params: Record<string, unknown>];

interface Server {
  readonly name: string;
  readonly args: (root: string) => string[];
  readonly read: (path: string) => Call;
  readonly list: (root: string) => Call;
  readonly search: (root: string) => Call;
}

const OURS: Server = {
  name: "@fstools/mcp",
  args: (root) => [programOf("@fstools/mcp", "bin/fstools-mcp.js"), "--root", root],
  read: (path) => ["Read", { path }],
  list: (path) => ["LS", { path, limit: ENTRIES }],
  search: (path) => ["Glob", { path, pattern: "**/*7*", limit: ENTRIES }],
};

const THEIRS: Server = {
  name: RIVAL,
  args: (root) => [programOf(RIVAL, "dist/index.js"), root],
  read: (path) => ["read_text_file", { path }],
  list: (path) => ["list_directory", { path }],
  search: (path) => ["search_files", { path, pattern: "**/*7*" }],
};

function programOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}

async function connectServer(args: string[]): Promise<Client> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

function starting(server: Server, root: string): Contender {
  return contender({
    name: server.name,
    prepare: () => undefined,
    run: async () => {
      const client = await connectServer(server.args(root));
      await client.listTools();
      return client;
    },
    cleanUp: (client) => void client.close(),
    inProcess: false,
  });
}

function calling(
  work: (call: (call: Call) => Promise<void>, server: Server, root: string) => Promise<unknown>,
  place?: string,
) {
  return (server: Server, root: string): Contender => {
    let connected: Promise<Client> | undefined;
    return contender({
      name: server.name,
      prepare: () => (connected ??= connectServer(server.args(place ?? root))),
      run: (client) => work(async (call) => ask(client, call), server, root),
      inProcess: false,
    });
  };
}

async function ask(client: Client, [name, params]: Call): Promise<void> {
  const { isError } = await client.callTool({ name, arguments: params });
  if (isError === true) throw new Error(`${name} failed.`);
}

function mcpRow(id: string, work: string, target: Target, of: (server: Server, root: string) => Contender): Row {
  return row(`mcp-${id}`, work, [target], () => [OURS, THEIRS].map((server) => of(server, flatDirectory(ENTRIES))));
}

const readInTurn = calling(async (call, server) => {
  for (let count = 0; count < 20; count += 1) await call(server.read(textFile(SMALL_BYTES)));
}, FIXTURES);
const readAtOnce = calling(async (call, server) => {
  await Promise.all(Array.from({ length: 500 }, () => call(server.read(textFile(SMALL_BYTES)))));
}, FIXTURES);
const list = calling((call, server, root) => call(server.list(root)));
const search = calling((call, server, root) => call(server.search(root)));

export const mcpRows: readonly Row[] = [
  mcpRow("start", "MCP server: start to first tools/list", within(RIVAL, 0.9), starting),
  mcpRow("read", "MCP: read a small file, 20 times in a row", within(RIVAL, 1), readInTurn),
  mcpRow("read-500", "MCP: read a small file, 500 at once", faster(RIVAL, 1), readAtOnce),
  mcpRow("ls-200", `MCP: list ${ENTRIES} entries`, within(RIVAL, 1), list),
  mcpRow("glob-200", `MCP: find files by name among ${ENTRIES}`, within(RIVAL, 0.1), search),
];
