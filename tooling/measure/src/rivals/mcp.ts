import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { folderOf, hostOf, type OpenHost } from "./host.ts";

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
export const open: OpenHost = async (...roots) => {
  const script = join(folderOf("mcp"), "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const directories = roots.filter((root) => root !== undefined);
  const server = spawn(process.execPath, [script, ...directories], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const request = async (method: string, params: object): Promise<unknown> => {
    const id = ++last;
    const reply = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await reply;
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const clientInfo = { name: "context", version: "0.0.0" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { tools } = (await request("tools/list", {})) as { tools: readonly ListedTool[] };
  return hostOf(
    tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      parameters: inputSchema,
      run: async (params) =>
        ((await request("tools/call", { name, arguments: params })) as { content: unknown }).content,
    })),
    () => server.kill(),
  );
};
