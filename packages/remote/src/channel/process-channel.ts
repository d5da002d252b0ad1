import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { type Channel, ChannelError, MAX_ANSWER_BYTES } from "./channel.ts";
import { answerTo, type Message, parseMessage, resultOf } from "./message.ts";

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

interface Pending {
  readonly resolve: (message: Message) => void;
  readonly reject: (error: Error) => void;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const NEWLINE = 0x0a;
const STDERR_KEPT = 500;
const STDERR_LINES_SHOWN = 3;
const GRACE_MS = 2000;
const EXIT_MS = 500;

/** Starts the program; a failure to start shows in the first request. */
export function openProcess({ command, args = [], env, cwd }: Command): Channel {
  const child: Child = spawn(command, [...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, ...env },
    windowsHide: true,
    ...(cwd === undefined ? {} : { cwd }),
  });
  const pending = new Map<number, Pending>();
  let nextId = 0;
  let isOpen = true;
  let said = "";

  const end = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    const last = said
      .trim()
      .split(/\s*\n\s*/u)
      .slice(-STDERR_LINES_SHOWN)
      .join(" ");
    const error = new ChannelError("lost", last === "" ? reason : `${reason} It said: ${last}`);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
    void stop(child);
  };
  const take = (line: string): void => {
    const message = parseMessage(line);
    if (message === undefined) return;
    const answer = answerTo(message);
    if (answer !== undefined) child.stdin.write(`${JSON.stringify(answer)}\n`);
    if ("method" in message || typeof message.id !== "number") return;
    pending.get(message.id)?.resolve(message);
    pending.delete(message.id);
  };

  readLines(child.stdout, take, () => {
    end("The server sent an answer that is too large.");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-STDERR_KEPT);
  });
  child.on("error", (error) => {
    end(`The command '${command}' cannot be run (${codeOf(error)}).`);
  });
  child.on("close", (code, signal) => {
    end(`The server's process ended (${signal ?? `exit code ${code ?? 0}`}).`);
  });
  child.stdin.on("error", () => {
    // A program that ended says more by its exit code, which comes a moment later.
    setTimeout(() => {
      end("The server no longer reads what is sent to it.");
    }, EXIT_MS);
  });

  const write = async (message: object): Promise<void> => {
    if (!child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)) {
      await Promise.race([once(child.stdin, "drain"), once(child, "close")]);
    }
  };

  return {
    get isOpen() {
      return isOpen;
    },
    request: async (method, params, signal) => {
      if (!isOpen) throw new ChannelError("not_sent", "The connection is closed.");
      signal?.throwIfAborted();
      const id = nextId;
      nextId += 1;
      const answer = new Promise<Message>((resolve, reject) => {
        pending.set(id, { resolve, reject });
      });
      const cancel = (): void => {
        const { reject } = pending.get(id) ?? {};
        pending.delete(id);
        if (isOpen) void write({ method: "notifications/cancelled", params: { requestId: id } }).catch(ignore);
        reject?.(toError(signal?.reason));
      };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        void write({ id, method, params }).catch(ignore);
        return resultOf(await answer);
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    notify: async (method, params = {}) => {
      if (isOpen) await write({ method, params });
    },
    close: async () => {
      end("The connection was closed.");
      await stop(child);
    },
  };
}

/** Calls `take` for each line, and `tooLong` once for a line over the limit. */
function readLines(stream: Readable, take: (line: string) => void, tooLong: () => void): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(Buffer.concat([...pieces, chunk.subarray(start, end)]).toString());
      [pieces, bytes, start] = [[], 0, end + 1];
    }
    const rest = chunk.subarray(start);
    bytes += rest.length;
    if (bytes <= MAX_ANSWER_BYTES) {
      pieces.push(rest);
      return;
    }
    pieces = [];
    stream.destroy();
    tooLong();
  });
}

/** Ends the program: closes its input, then terminates it, then kills it. */
async function stop(child: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, "close");
  child.stdin.end();
  const told = setTimeout(() => child.kill("SIGTERM"), GRACE_MS);
  const made = setTimeout(() => child.kill("SIGKILL"), 2 * GRACE_MS);
  try {
    await closed;
  } finally {
    clearTimeout(told);
    clearTimeout(made);
  }
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("Aborted.");
}

// The streams' own events tell what is wrong.
function ignore(): void {
  return undefined;
}
