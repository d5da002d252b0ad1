import { nodeArguments } from "@fstools/testing";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const BIN = fileURLToPath(new URL("src/bin.ts", import.meta.resolve("@fstools/mcp/package.json")));

/** The command that runs the server from its sources. */
export function serverCommand(...args: string[]): { command: string; args: string[] } {
  return {
    command: process.execPath,
    args: [...nodeArguments(BIN), "--structured", ...args],
  };
}

/** A server that listens on loopback, until the test ends. */
export async function listeningServer(...args: string[]) {
  const { command, args: all } = serverCommand("--http", "127.0.0.1:0", ...args);
  const token = "a-token-for-the-test";
  const server = spawn(command, all, {
    env: { ...process.env, FSTOOLS_MCP_TOKEN: token },
    stdio: ["ignore", "inherit", "pipe"],
  });
  onTestFinished(() => {
    server.kill();
  });
  for await (const line of createInterface(server.stderr)) {
    const url = /^Listening on (?<url>\S+)$/u.exec(line)?.groups?.url;
    if (url !== undefined) return { url, token, kill: () => server.kill("SIGKILL") };
  }
  throw new Error("The server did not start.");
}
