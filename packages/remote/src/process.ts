import type { Transport } from "@modelcontextprotocol/client";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { CallFailure, readLines, readMessage } from "./message.ts";

/** A program that speaks MCP over its standard input and output. */
export interface Command {
  /** Such as "ssh", "docker" or "npx". */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default the working directory of this process */
  readonly cwd?: string;
}

export interface ProcessTransport extends Transport {
  readonly reason: string | undefined;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const STDERR_KEPT = 500;
const STDERR_LINES_SHOWN = 3;
const GRACE_MS = 2000;
const EXIT_MS = 500;

/** Starts the program, and bounds what it can make this process hold, which the SDK's own transport does not. */
export function startProcess({ command, args = [], env, cwd }: Command): ProcessTransport {
  const child: Child = spawn(command, [...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  let reason: string | undefined;
  let said = "";

  const end = (why: string): void => {
    if (reason !== undefined) return;
    const lines = said.trim().split(/\s*\n\s*/u);
    const last = lines.slice(-STDERR_LINES_SHOWN).join(" ");
    reason = last === "" ? why : `${why} It said: ${last}`;
    void stop(child);
    transport.onclose?.();
  };
  // What a program says by its exit code and its last words comes a moment after it closed its input or ended.
  const endSoon = (why: string) =>
    setTimeout(() => {
      end(hasExited(child) ? exitOf(child) : why);
    }, EXIT_MS);

  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-STDERR_KEPT);
  });
  child.on("error", (error) => {
    end(`The command '${command}' cannot be run (${"code" in error ? String(error.code) : error.name}).`);
  });
  child.on("close", () => {
    end(exitOf(child));
  });
  // A program of its own may keep its output open.
  child.on("exit", () => endSoon("The server's process ended."));
  child.stdin.on("error", () => endSoon("The server no longer reads what is sent to it."));

  const takeMessages = async (): Promise<void> => {
    for await (const line of readLines(child.stdout)) {
      const message = readMessage(line);
      if (message !== undefined) transport.onmessage?.(message);
    }
  };

  const transport: ProcessTransport = {
    get reason() {
      return reason;
    },
    start: async () => {
      // The error of a command that cannot be run comes a little later, or came before anybody listened.
      if (child.pid === undefined && reason === undefined) await once(child, "error");
      if (reason !== undefined) throw new CallFailure("not_sent", reason);
      void takeMessages().catch((error: unknown) => {
        end(error instanceof Error ? error.message : "");
      });
    },
    send: (message) => {
      // A server that asks without reading the answers gets no more of them.
      if ("method" in message || !child.stdin.writableNeedDrain) child.stdin.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: async () => {
      end("The connection was closed.");
      await stop(child);
    },
  };
  return transport;
}

function hasExited({ exitCode, signalCode }: Child): boolean {
  return exitCode !== null || signalCode !== null;
}

function exitOf({ exitCode, signalCode }: Child): string {
  return `The server's process ended (${signalCode ?? `exit code ${exitCode ?? 0}`}).`;
}

/** Ends the program: closes its input, then terminates it, then kills it. */
async function stop(child: Child): Promise<void> {
  if (hasExited(child) || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.stdin.end();
  const told = setTimeout(() => child.kill("SIGTERM"), GRACE_MS);
  const made = setTimeout(() => child.kill("SIGKILL"), 2 * GRACE_MS);
  await exited;
  clearTimeout(told);
  clearTimeout(made);
  // What it started may hold them open, and so keep this process from ending.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}
