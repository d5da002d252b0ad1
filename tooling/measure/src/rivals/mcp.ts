import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { folderOf, textOf, type Definition, type OpenHost } from "./host.ts";

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The reference server over stdio, as any client starts it; what it lists of its tools beside their schemas is left out. */
export const open: OpenHost = async (root) => {
  const script = join(folderOf("mcp"), "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const server = spawn(process.execPath, [script, root], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const request = async (method: string, params: object): Promise<Reply> => {
    const id = ++last;
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return reply;
  };
  const clientInfo = { name: "context", version: "0.0.0" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { tools } = (await request("tools/list", {})).result as { tools: readonly ListedTool[] };
  return {
    definitions: tools.map(({ name, description, inputSchema }): Definition => ({
      name,
      description,
      parameters: inputSchema,
    })),
    call: async (name, params) => {
      const { result, error } = await request("tools/call", { name, arguments: params });
      return error?.message ?? textOf((result as { content: unknown }).content);
    },
    close: () => server.kill(),
  };
};
