import { checkResponse, type Tool } from "@fstools/protocol";
import { connectToolset, type RemoteToolset } from "@fstools/remote";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { BEHAVIOURS, ENDLESS, hello, ONCE, writeEndlessly } from "../hostile-answers.js";
import { listen, scriptPath } from "../processes.ts";
import type { Tally } from "../tally.ts";

const SCRIPT = scriptPath("./hostile-server.js");
const ABORT_MS = 500;
const AT_ONCE = 4;
const PROMPTLY_MS = 15_000;
const MAX_GROWTH_MIB = 700;

export const servers: Attack = {
  name: "servers",
  what: "lets MCP servers answer with anything or nothing, or without end, over a child process and HTTP, to remote",
  minimum: { full: 100, short: 22 },
  run: async ({ tally, repeat }) => {
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 50);
    await repeat(AT_ONCE, (turn) => attempt(tally, turn));
    clearInterval(watch);
    const mib = most / 1024 ** 2;
    if (mib > MAX_GROWTH_MIB) tally.violation(`who called grew by ${mib.toFixed(0)} MiB`);
    tally.note("memory at most", `${mib.toFixed(0)} MiB more`);
  },
};

async function attempt(tally: Tally, turn: number): Promise<void> {
  const behaviour = BEHAVIOURS[Math.floor(turn / 2) % BEHAVIOURS.length] ?? "";
  if (turn % 2 === 0) {
    const remote = await connectToolset({ command: process.execPath, args: [SCRIPT, behaviour] });
    await use(remote, tally, `${behaviour} over a child process`);
  } else {
    const { url, close } = await listen((request, response) => void answer(request, response, behaviour));
    await use(await connectToolset({ url: `${url}/mcp`, token: "t" }), tally, `${behaviour} over HTTP`);
    close();
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

/** Says hello, and then does what the behaviour names; a silent one never answers a goodbye. */
async function answer(request: IncomingMessage, response: ServerResponse, behaviour: string): Promise<void> {
  const body = await text(request);
  if (body === "") {
    if (behaviour !== "silence") response.end();
    return;
  }
  const message = JSON.parse(body) as { id?: number; method: string };
  const result = hello(message);
  response.setHeader("content-type", "application/json");
  response.setHeader("mcp-session-id", "s");
  if (result !== undefined) response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
  else if (message.method === "notifications/initialized") response.writeHead(202).end();
  else if (message.id !== undefined) misbehave(response, behaviour, message.id);
}

function misbehave(response: ServerResponse, behaviour: string, id: number): void {
  const piece = ENDLESS[behaviour];
  if (behaviour === "exit") response.destroy();
  else if (behaviour in ONCE) response.end(ONCE[behaviour]?.(id));
  else if (piece !== undefined) {
    response.setHeader("content-type", "text/event-stream");
    const events = (turn: number) => piece(turn).replaceAll("\n", "\n\ndata: ");
    writeEndlessly(response, (turn) =>
      response.destroyed ? undefined : `${turn === 1 ? "data: " : ""}${events(turn)}`,
    );
  }
}
