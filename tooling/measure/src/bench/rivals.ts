import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { plain, type Contender } from "./row.ts";
import { rgPath } from "@vscode/ripgrep";
import { existsSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { folderOf, importFrom, type OpenHost } from "../rivals/host.ts";

export function findCommand(...names: readonly string[]): string | undefined {
  return names.find((name) => {
    try {
      execFileSync("sh", ["-c", `command -v "$1"`, "sh", name], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a command and collects what it prints; its errors and progress are shown. @throws if it fails */
export async function output(
  command: string,
  args: readonly string[],
  cwd: string,
  codes: readonly number[] = [0],
): Promise<Buffer> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const closed: Promise<unknown[]> = once(child, "close");
  const printed = await buffer(child.stdout);
  const [code] = await closed;
  if (typeof code !== "number" || !codes.includes(code)) throw new Error(`${command} ended with code ${String(code)}.`);
  return printed;
}

export function linesOf(printed: Buffer): string[] {
  const lines = printed.toString().split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

export function commandContender(
  name: string,
  programs: readonly string[],
  args: readonly string[],
  cwd: string,
  answer?: (printed: Buffer) => readonly string[],
  codes?: readonly number[],
): Contender[] {
  const program = findCommand(...programs);
  if (program === undefined) return [];
  const { sample, answer: answered } = plain(name, () => output(program, args, cwd, codes), answer);
  return [{ name, sample, answer: answered, tick: undefined }];
}

export interface RivalTool {
  readonly name: string;
  readonly open: (root: string) => Promise<(params: object) => Promise<unknown>>;
}

interface DeepAgents {
  readonly FilesystemBackend: new (options: object) => {
    grep(pattern: string, path: string): Promise<{ readonly matches: readonly unknown[] }>;
  };
}

interface McpServer {
  applyFileEdits(path: string, edits: readonly object[]): Promise<string>;
}

/** A tool of a rival in this process, as `pnpm bench:context` runs it; none where that has not installed it. */
export function rivalTool(name: string, id: "gemini" | "pi", tool: string, isAnswer: RegExp): RivalTool[] {
  return installed(name, id, async (root) => {
    // pi takes ripgrep from here, else it would download one.
    if (process.env.PATH !== "") process.env.PATH = [dirname(rgPath), process.env.PATH].join(delimiter);
    const { HOSTS } = (await import("../rivals/hosts.js")) as { HOSTS: Readonly<Record<typeof id, OpenHost>> };
    const host = await HOSTS[id](root);
    return async (params) => {
      const answer = await host.call(tool, { ...params });
      if (!isAnswer.test(answer)) throw new Error(`${name}: ${answer.slice(0, 200)}`);
    };
  });
}

/** deepagents' search in JavaScript, which it uses where it finds no ripgrep. */
export function deepAgentsSearch(name: string): RivalTool[] {
  return installed(name, "deepagents", async (root) => {
    const { FilesystemBackend } = await importFrom<DeepAgents>("deepagents", "deepagents");
    const backend = new FilesystemBackend({ rootDir: root, virtualMode: true });
    return (params) => backend.grep("pattern" in params ? String(params.pattern) : "", "/");
  }).map(withoutCommands);
}

export function mcpEdit(name: string): RivalTool[] {
  return installed(name, "mcp", async () => {
    const server = await importFrom<McpServer>("mcp", "./@modelcontextprotocol/server-filesystem/dist/lib.js");
    return (params) => {
      const { path = "", edits = [] } = params as { path?: string; edits?: readonly object[] };
      return server.applyFileEdits(path, edits);
    };
  });
}

/** Opens a tool before the first sample, and only then. */
export function openedOnce({ open }: RivalTool, root: string): () => ReturnType<RivalTool["open"]> {
  let opened: ReturnType<RivalTool["open"]> | undefined;
  return () => (opened ??= open(root));
}

function installed(name: string, id: string, open: RivalTool["open"]): RivalTool[] {
  return existsSync(folderOf(id)) ? [{ name, open }] : [];
}

/** The same tool in a process that finds no commands, so that it does its work itself. */
export function withoutCommands({ name, open }: RivalTool): RivalTool {
  return {
    name,
    open: (root) => {
      process.env.PATH = "";
      return open(root);
    },
  };
}
