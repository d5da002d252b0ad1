import { checkResponse, type Tool } from "@fstools/protocol";
import { connectToolset, type RemoteToolset } from "@fstools/remote";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Arena, Attack, Tally } from "../attack.ts";

const SCRIPT = fileURLToPath(new URL("../hostile-server.js", import.meta.url));
const BEHAVIOURS = [
  "pings",
  "questions",
  "strangers",
  "line",
  "garbage",
  "nested",
  "wide",
  "malformed",
  "silence",
  "exit",
];
const ABORT_MS = 500;
const AT_ONCE = 4;
/** For a machine that is busy with other things. */
const PROMPTLY_MS = 15_000;
/** A few answers of 24 MiB, as bytes, as text and as values. */
const MAX_GROWTH_MIB = 700;

/** Servers that were taken over: who calls them is answered, stays small, and gets away. */
export const servers: Attack = {
  name: "servers",
  what: "MCP servers that ask without end, answer with anything or nothing, over a child process and HTTP, against remote",
  minimum: { full: 100, short: 22 },
  run: async (arena) => {
    const { tally, goOn } = arena;
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 50);
    let begun = 0;
    const worker = async () => {
      while (goOn()) await attempt(arena, begun++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    clearInterval(watch);
    const mib = most / 1024 ** 2;
    if (mib > MAX_GROWTH_MIB) tally.violation(`who called grew by ${mib.toFixed(0)} MiB`);
    tally.note("memory at most", `${mib.toFixed(0)} MiB more`);
  },
};

async function attempt({ tally }: Arena, turn: number): Promise<void> {
  const behaviour = BEHAVIOURS[Math.floor(turn / 2) % BEHAVIOURS.length] ?? "";
  if (turn % 2 === 0) {
    const remote = await connectToolset({ command: process.execPath, args: [SCRIPT, behaviour] });
    await use(remote, tally, `${behaviour} over a child process`);
  } else {
    const { server, url } = await listen(behaviour);
    await use(await connectToolset({ url, token: "t" }), tally, `${behaviour} over HTTP`);
    server.closeAllConnections();
    server.close();
  }
  tally.attempt();
}

async function use(remote: RemoteToolset, tally: Tally, what: string): Promise<void> {
  const callIt = async (tool: Tool): Promise<void> => {
    const signal = AbortSignal.timeout(ABORT_MS);
    const answer = await promptly(tool.run({ path: "a", content: "b" }, { signal }));
    if (answer === undefined) tally.violation(`${tool.name} was not answered: ${what}`);
    else if (answer.status !== "error" || checkResponse(answer).length > 0) {
      tally.violation(`${tool.name} answered '${answer.text}': ${what}`);
    }
  };
  await Promise.all(remote.tools.map(callIt));
  if ((await promptly(remote.close().then(() => true))) !== true) tally.violation(`close() did not end: ${what}`);
}

function promptly<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return Promise.race([work, sleep(PROMPTLY_MS, undefined, { ref: false })]);
}

/** A server that says hello, and then does what the behaviour names; a silent one never answers a goodbye. */
async function listen(behaviour: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => void answer(request, response, behaviour));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}/mcp` };
}

async function answer(request: IncomingMessage, response: ServerResponse, behaviour: string): Promise<void> {
  const body = await text(request);
  if (body === "") {
    if (behaviour !== "silence") response.end();
    return;
  }
  const { id, method, params } = JSON.parse(body) as {
    id?: number;
    method: string;
    params?: { protocolVersion?: string };
  };
  const say = (result: unknown) => response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  response.setHeader("content-type", "application/json");
  response.setHeader("mcp-session-id", "s");
  const hello = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "x", version: "1" } };
  if (method === "initialize") say(hello);
  else if (method === "tools/list") say({ tools: [{ name: "LS" }, { name: "Write" }] });
  else if (method === "notifications/initialized") response.writeHead(202).end();
  else if (id !== undefined) misbehave(response, behaviour, id);
}

function misbehave(response: ServerResponse, behaviour: string, id: number): void {
  const once: Record<string, () => unknown> = {
    nested: () => response.end(`{"jsonrpc":"2.0","id":${id},"result":${"[".repeat(5e5)}${"]".repeat(5e5)}}`),
    wide: () => response.end(`{"jsonrpc":"2.0","id":${id},"result":{"structuredContent":[${"0,".repeat(3e5)}0]}}`),
    malformed: () => response.end(`{"jsonrpc":"2.0","id":${id},"result":[1]}`),
    silence: () => undefined,
    exit: () => response.destroy(),
  };
  const endless: Record<string, string> = {
    pings: `data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n`.repeat(1000),
    questions: `data: {"jsonrpc":"2.0","id":"${"q".repeat(60_000)}","method":"roots/list"}\n\n`,
    strangers: `data: {"jsonrpc":"2.0","id":987,"result":{"x":"${"x".repeat(60_000)}"}}\n\n`,
    line: "data: ".repeat(200),
    garbage: "data: {[\u0000\n\n".repeat(20_000),
  };
  const piece = endless[behaviour];
  if (piece === undefined) {
    once[behaviour]?.();
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const go = (): void => {
    if (response.destroyed) return;
    if (response.write(piece)) setImmediate(go);
    else response.once("drain", go);
  };
  go();
}
