/* global AbortController */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cloudflare } from "./cloudflare.js";
import { aiSdkTools, folderOf, hostOf, importFrom } from "./host.ts";
import { opencode } from "./opencode.js";
import { pi } from "./pi.js";

async function anthropic(root, second) {
  const module = await importFrom("anthropic", "./@anthropic-ai/sdk/tools/agent-toolset/node.mjs");
  const context = { workdir: root, ...(second === undefined ? {} : { allowedRoots: [second] }) };
  const tools = module.betaAgentToolset20260401(context).filter(({ name }) => name !== "bash");
  return hostOf(
    tools.map((tool) => {
      const { name, description, input_schema: parameters } = tool;
      return { name, description, parameters, run: async (params) => tool.run(params, {}) };
    }),
  );
}

async function bashTool(root, second) {
  const { createBashTool } = await importFrom("bash-tool", "bash-tool");
  const { Bash, InMemoryFs, MountableFs, ReadWriteFs } = await importFrom("bash-tool", "just-bash");
  const fs = new MountableFs({ base: new InMemoryFs() });
  fs.mount("/workspace", new ReadWriteFs({ root }));
  if (second !== undefined) fs.mount("/library", new ReadWriteFs({ root: second }));
  const sandbox = new Bash({ fs, cwd: "/workspace" });
  const { tools } = await createBashTool({ sandbox, destination: "/workspace" });
  return hostOf(await aiSdkTools("bash-tool", tools));
}

/** The file tools of an agent on the local disk, with the middleware that puts answers that are too large into a file. */
async function deepagents(root) {
  const { createFilesystemMiddleware, FilesystemBackend } = await importFrom("deepagents", "deepagents");
  const { toJsonSchema } = await importFrom("deepagents", "@langchain/core/utils/json_schema");
  const backend = new FilesystemBackend({ rootDir: root, virtualMode: true });
  const middleware = createFilesystemMiddleware({ backend });
  const names = ["ls", "read_file", "write_file", "edit_file", "glob", "grep"];
  const tools = middleware.tools.filter(({ name }) => names.includes(name));
  return hostOf(
    tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: toJsonSchema(tool.schema),
      run: async (args) => {
        const toolCall = { type: "tool_call", id: "call", name: tool.name, args };
        const request = { toolCall, tool, state: {}, runtime: {} };
        return (await middleware.wrapToolCall(request, async () => tool.invoke(toolCall))).content;
      },
    })),
  );
}

async function gemini(root, second) {
  const { Config } = await importFrom("gemini", "@google/gemini-cli-core");
  const model = "gemini-2.5-pro";
  const quiet = { usageStatisticsEnabled: false, telemetry: { enabled: false }, debugMode: false };
  const folder = { targetDir: root, cwd: root, trustedFolder: true, folderTrust: false };
  const more = { includeDirectories: second === undefined ? [] : [second], disableLLMCorrection: true };
  const config = new Config({ sessionId: "context", model, interactive: false, ...quiet, ...folder, ...more });
  await config.initialize();
  // Writing asks for the client of the model, though it does not use it.
  process.env.GEMINI_API_KEY = "none";
  await config.refreshAuth("gemini-api-key");
  const registry = config.getToolRegistry();
  const abortSignal = new AbortController().signal;
  const names = ["list_directory", "read_file", "grep_search", "glob", "replace", "write_file"];
  const declarations = registry.getFunctionDeclarations(model).filter(({ name }) => names.includes(name));
  return hostOf(
    declarations.map(({ name, description, parametersJsonSchema: parameters }) => {
      const run = async (params) => registry.getTool(name).build(params).execute({ abortSignal });
      return { name, description, parameters, run: async (params) => (await run(params)).llmContent };
    }),
  );
}

async function mastra(root, second) {
  const { createWorkspaceTools, LocalFilesystem, Workspace } = await importFrom("mastra", "@mastra/core/workspace");
  const allowedPaths = second === undefined ? [] : [second];
  const workspace = new Workspace({ filesystem: new LocalFilesystem({ basePath: root, allowedPaths }) });
  await workspace.init();
  return hostOf(
    Object.entries(await createWorkspaceTools(workspace)).map(([name, tool]) => ({
      name,
      description: tool.description,
      parameters: tool.inputSchema["~standard"].jsonSchema.input({ target: "draft-07" }),
      run: async (params) => {
        const result = await tool.execute(params, { workspace });
        // A picture goes to the model beside a text.
        return typeof result === "string" || result?.text !== undefined ? result : JSON.stringify(result);
      },
    })),
  );
}

/** The reference server over stdio, as any client starts it; what it lists of its tools beside their schemas is left out. */
async function mcp(...roots) {
  const script = join(folderOf("mcp"), "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
  const directories = roots.filter((root) => root !== undefined);
  const server = spawn(process.execPath, [script, ...directories], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply);
  });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;
  const request = async (method, params) => {
    const id = ++last;
    const reply = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await reply;
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  const clientInfo = { name: "context", version: "0.0.0" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const { tools } = await request("tools/list", {});
  return hostOf(
    tools.map(({ name, description, inputSchema: parameters }) => {
      const run = async (params) => (await request("tools/call", { name, arguments: params })).content;
      return { name, description, parameters, run };
    }),
    () => server.kill(),
  );
}

/** How each rival is opened, by its id. What they export has no types here: these few lines know it. */
export const HOSTS = { mcp, anthropic, cloudflare, gemini, deepagents, pi, mastra, "bash-tool": bashTool, opencode };
