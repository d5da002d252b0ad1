import { rgPath } from "@vscode/ripgrep";
import { delimiter, dirname } from "node:path";
import { findPeer } from "./peer.ts";

/** A tool of a rival: how to make it for a project, and how to call it. */
export interface RivalTool {
  readonly name: string;
  readonly open: (root: string) => Promise<(params: object) => Promise<unknown>>;
}

interface Gemini {
  readonly Config: new (options: object) => {
    initialize(): Promise<void>;
    getToolRegistry(): { getTool(name: string): { build(params: object): GeminiInvocation } | undefined };
  };
}

interface GeminiInvocation {
  execute(options: { readonly abortSignal: AbortSignal }): Promise<{ readonly error?: { readonly message: string } }>;
}

interface PiTool {
  execute(id: string, params: object): Promise<unknown>;
}

interface Pi {
  createEditTool(root: string): PiTool;
  createGrepTool(root: string): PiTool;
}

interface DeepAgents {
  readonly FilesystemBackend: new (options: object) => {
    grep(pattern: string, path: string): Promise<{ readonly matches: readonly unknown[] }>;
  };
}

interface McpServer {
  applyFileEdits(path: string, edits: readonly object[]): Promise<string>;
}

/** A tool of Gemini CLI, from its own registry, without a model; none where it is not installed. */
export function geminiTool(name: string, tool: string): RivalTool[] {
  const load = findPeer<Gemini>("@google/gemini-cli-core", "dist/index.js");
  if (load === undefined) return [];
  const open = async (root: string) => {
    const { Config } = await load();
    const quiet = { usageStatisticsEnabled: false, telemetry: { enabled: false }, debugMode: false };
    const folder = { targetDir: root, cwd: root, trustedFolder: true, folderTrust: false };
    const session = { sessionId: "bench", model: "gemini-2.5-pro", interactive: false, disableLLMCorrection: true };
    const config = new Config({ ...session, ...quiet, ...folder });
    await config.initialize();
    const found = config.getToolRegistry().getTool(tool);
    if (found === undefined) throw new Error(`${name}: there is no tool '${tool}'.`);
    return async (params: object) => {
      const { error } = await found.build(params).execute({ abortSignal: new AbortController().signal });
      if (error !== undefined) throw new Error(`${name}: ${error.message}`);
    };
  };
  return [{ name, open }];
}

/** A tool of pi; none where it is not installed. */
export function piTool(name: string, make: keyof Pi): RivalTool[] {
  const load = findPeer<Pi>("@mariozechner/pi-coding-agent", "dist/index.js");
  if (load === undefined) return [];
  const open = async (root: string) => {
    // It takes ripgrep from here, else it would download one.
    process.env.PATH = [dirname(rgPath), process.env.PATH].join(delimiter);
    const tool = (await load())[make](root);
    return (params: object) => tool.execute("1", params);
  };
  return [{ name, open }];
}

/** deepagents' search in JavaScript, which it uses where it finds no ripgrep; none where it is not installed. */
export function deepAgentsSearch(name: string): RivalTool[] {
  const load = findPeer<DeepAgents>("deepagents", "dist/index.js");
  if (load === undefined) return [];
  const open = async (root: string) => {
    const { FilesystemBackend } = await load();
    const backend = new FilesystemBackend({ rootDir: root, virtualMode: true });
    return (params: object) => backend.grep("pattern" in params ? String(params.pattern) : "", "/");
  };
  return [{ name, open: withoutCommands(open) }];
}

/** The edit of the MCP filesystem server. */
export function mcpEdit(name: string): RivalTool[] {
  const load = findPeer<McpServer>("@modelcontextprotocol/server-filesystem", "dist/lib.js");
  if (load === undefined) return [];
  const open = async () => {
    const server = await load();
    return (params: object) => {
      const { path = "", edits = [] } = params as { path?: string; edits?: readonly object[] };
      return server.applyFileEdits(path, edits);
    };
  };
  return [{ name, open }];
}

/** The same tool in a process that finds no commands, so that it does its work itself. */
export function withoutCommands(open: RivalTool["open"]): RivalTool["open"] {
  return (root) => {
    process.env.PATH = "";
    return open(root);
  };
}
