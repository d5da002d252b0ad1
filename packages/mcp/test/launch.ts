import { nodeArguments } from "@fstools/testing";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

export interface LaunchOptions {
  readonly args: readonly string[];
  readonly cwd?: string;
}

/** The command that runs the server from its sources. */
export function serverCommand({ args, cwd }: LaunchOptions) {
  return {
    command: process.execPath,
    args: [...nodeArguments(BIN), ...args],
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/** A server that listens. */
export interface Launch {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  stop(): void;
}

/** Starts the server on a free port of loopback; it makes up a token unless the environment has one. */
export async function launchHttp(options: LaunchOptions & { readonly token?: string }): Promise<Launch> {
  const { command, args, cwd } = serverCommand({ ...options, args: ["--http", "127.0.0.1:0", ...options.args] });
  const env = { ...process.env, FSTOOLS_MCP_TOKEN: options.token ?? "" };
  const server = spawn(command, args, { cwd, env, stdio: ["ignore", "inherit", "pipe"] });
  let url = "";
  for await (const line of createInterface(server.stderr)) {
    url ||= /^Listening on (?<url>\S+)$/u.exec(line)?.groups?.url ?? "";
    const token = options.token ?? /^Authorization: Bearer (?<token>\S+)$/u.exec(line)?.groups?.token;
    if (url === "" || token === undefined) continue;
    return {
      url,
      token,
      pid: server.pid ?? 0,
      stop: () => {
        server.kill();
      },
    };
  }
  throw new Error("The server did not start.");
}

/** Runs the command to its end. */
export async function runServer(args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { command, args: all } = serverCommand({ args });
  const child = spawn(command, all, { stdio: ["ignore", "pipe", "pipe"] });
  const collected = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (collected.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (collected.err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, ...collected };
}
