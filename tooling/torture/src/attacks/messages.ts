import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Arena, Attack } from "../attack.ts";
import { programArguments } from "../processes.ts";
import type { Random } from "../random.ts";

const BIN = join(dirname(fileURLToPath(import.meta.resolve("@fstools/mcp/package.json"))), "src/bin.ts");
/** A message of 90 MB as bytes, as text and as a value, what parsing two million brackets takes, and what was there before. */
const MAX_MIB = 1000;
const PATIENCE_MS = 60_000;
const HANDSHAKE = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "torture", version: "1" } },
};

export const messages: Attack = {
  name: "messages",
  what: "nested, huge, broken and endless messages to the MCP server over stdio, and answers that nobody reads",
  minimum: { full: 150, short: 12 },
  run: async (arena) => {
    const { random, root, tally, goOn } = arena;
    writeFileSync(join(root, "a.txt"), "a line of some length\n".repeat(5000));
    const server = await start(root, tally.violation);
    for (let turn = 0; goOn() && server.isAlive(); turn++) {
      const line = MESSAGES[turn % MESSAGES.length]?.(random);
      if (line === undefined) await flood(arena, server);
      else server.write(line);
      await server.ask({ method: "ping" });
      server.look(line?.slice(0, 100) ?? "a flood");
      tally.attempt();
    }
    await server.stop();
    tally.note("memory at most", `${server.peakMib().toFixed(0)} MiB`);
  },
};

/** So few requests fit into what the system holds between two processes. */
const FEW = 10_000;
const READS_ON_MS = 4000;

const MESSAGES: readonly (((random: Random) => string) | undefined)[] = [
  (random) => nested(random.pick([8000, 200_000, 2_000_000])),
  undefined,
  (random) => call(`{"path":${nested(random.pick([40, 8000, 1_000_000]))}}`),
  (random) => `{"jsonrpc":"2.0","id":${nested(random.integer(1, 30_000))},"method":"ping"}`,
  (random) => `{"jsonrpc":"2.0","id":1,"result":{"x":${nested(random.integer(1, 30_000))}}}`,
  undefined,
  (random) => `[${Array(random.integer(1, 300_000)).fill('{"jsonrpc":"2.0","id":1,"method":"ping"}').join()}]`,
  (random) => call(`{"path":"${"x".repeat(random.pick([1e6, 14e6, 60e6, 90e6]))}"}`),
  (random) => call(`{${Array.from({ length: random.pick([10, 2e5]) }, (_, key) => `"k${key}":1`).join()}}`),
  (random) => random.pick(["{", "7", "null", '""', "{}", '{"jsonrpc":"1.0"}', "\u0000", '{"id":1,"method":7}', "]["]),
  (random) => random.bytes(random.integer(1, 100_000)).toString("latin1").replaceAll("\n", ""),
];

const FLOODS = [
  ['"method":"ping"', 40_000],
  ['"method":"no/such/method"', 30_000],
  ['"method":"tools/list"', 5000],
  ['"method":"tools/call","params":{"name":"LS","arguments":{}}', 5000],
  ['"method":"tools/call","params":{"name":"Read","arguments":{"path":"a.txt"}}', 5000],
] as const;

async function flood({ random, tally }: Arena, server: Server): Promise<void> {
  const [request, count] = random.pick(FLOODS);
  server.output.pause();
  for (let sent = 0; sent < count; sent += 1000) {
    server.write(Array.from({ length: 1000 }, () => `{"jsonrpc":"2.0","id":1,${request}}`).join("\n"));
  }
  await sleep(READS_ON_MS);
  server.look("answers that nobody reads");
  if (count > FEW && server.hasReadAll()) tally.violation("the server reads on while nobody reads its answers");
  server.output.resume();
}

type Server = Awaited<ReturnType<typeof start>>;

async function start(root: string, complain: (what: string) => void) {
  const child = spawn(process.execPath, [...programArguments(BIN), "--root", root, "--structured"], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  let [asked, peakMib, tail, answered] = [0, 0, "", (): void => undefined];
  const write = (line: string) => void child.stdin.write(`${line}\n`, "latin1");
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (chunk: Buffer) => {
    tail = (tail + chunk.toString("latin1")).slice(-70_000);
    if (tail.includes(`question-${asked}.`)) answered();
  });
  const ask = async (request: object) => {
    const hears = new Promise<unknown>((resolve) => {
      answered = () => resolve(undefined);
    });
    write(JSON.stringify({ jsonrpc: "2.0", id: `question-${++asked}.`, ...request }));
    const late = sleep(PATIENCE_MS, "late", { ref: false });
    if ((await Promise.race([hears, ended, late])) === "late") complain("a question was not answered");
  };
  await ask(HANDSHAKE);
  return {
    write,
    ask,
    output: child.stdout,
    look: (after: string) => {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) complain(`the server ended (${end}) after ${after}`);
      const mib = child.pid === undefined ? 0 : residentMib(child.pid);
      peakMib = Math.max(peakMib, mib);
      if (mib > MAX_MIB) complain(`the server takes ${mib.toFixed(0)} MiB after ${after}`);
    },
    hasReadAll: () => child.stdin.writableLength === 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    peakMib: () => peakMib,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function residentMib(pid: number): number {
  try {
    const { kib } = /^VmRSS:\s+(?<kib>\d+)/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.groups ?? {};
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function call(input: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Read","arguments":${input}}}`;
}
