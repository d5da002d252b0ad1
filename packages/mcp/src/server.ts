import { callMcpTool, type McpToolAnnotations, type McpToolResult, toMcpToolConfig } from "@fstools/adapters/mcp";
import type { OnInternalError } from "@fstools/protocol";
import { DEFAULT_TOOL_NAMES, toolDefinitions, type ToolName } from "@fstools/toolset";
import { type InputRequiredResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { clientRoots, toAbsolute } from "./project/client-roots.ts";
import { labelRoots } from "./project/labels.ts";
import { createProjects, isUsableRoot, type Projects } from "./project/projects.ts";
import { refusal } from "./refusal.ts";
import { VERSION } from "./version.ts";

/** What the server offers, and where. */
export interface McpServerOptions {
  /**
   * The directories that the tools may look into; absolute, or relative to the process. With several of them every path
   * begins with the name of its root.
   * @default the roots that the client offers
   */
  readonly roots?: readonly string[];
  /** @default ["LS", "Glob", "Grep", "Read"] */
  readonly tools?: readonly ToolName[];
  /**
   * Paths that the tools must not show: globs relative to the root.
   * @default []
   */
  readonly deny?: readonly string[];
  /**
   * Paths that may be read and not changed: globs relative to the root. `.git` is always one of them.
   * @default []
   */
  readonly protect?: readonly string[];
  /**
   * Hides what people call secrets: keys, tokens and passwords under their usual names.
   * @default true
   */
  readonly defaultDeny?: boolean;
  /**
   * Adds the whole envelope to each answer, for programs.
   * @default false
   */
  readonly structured?: boolean;
  /** Reports unexpected exceptions; the client is told nothing about them. */
  readonly onInternalError?: OnInternalError;
}

/** Makes a server for one connection. */
export type ServerFactory = () => McpServer;

type Result = McpToolResult | InputRequiredResult;

/** For each factory, one whose servers share their memory of files: a client without sessions gets a server per call. */
const statelessFactories = new WeakMap<ServerFactory, ServerFactory>();

/**
 * Prepares servers: one for each connection, as MCP wants it. Each has its own memory of the files that it has shown.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createServerFactory(options: McpServerOptions = {}): ServerFactory {
  const { tools = DEFAULT_TOOL_NAMES, structured = false, onInternalError } = options;
  const { deny = [], protect = [], defaultDeny = true } = options;
  const roots = (options.roots ?? []).map(toAbsolute);
  const rules = { deny, protect: [".git", ...protect], defaultDeny };
  const projectOptions = { tools, ...rules, ...(onInternalError === undefined ? {} : { onInternalError }) };
  const shared = createProjects(projectOptions);
  if (roots.length > 0) shared(roots);
  const serve = (projects: Projects): McpServer => createServer({ tools, roots, structured, projects });
  const factory = () => serve(createProjects(projectOptions));
  statelessFactories.set(factory, () => serve(shared));
  return factory;
}

/** The variant of a factory for clients that keep no connection. */
export function statelessFactory(factory: ServerFactory): ServerFactory {
  return statelessFactories.get(factory) ?? factory;
}

interface Service {
  readonly tools: readonly ToolName[];
  /** None if the client is to be asked. */
  readonly roots: readonly string[];
  readonly structured: boolean;
  readonly projects: Projects;
}

function createServer(service: Service): McpServer {
  const { tools, roots, structured } = service;
  const server = new McpServer({ name: "fstools", version: VERSION }, { instructions: instructions(roots, tools) });
  for (const name of new Set(tools)) {
    const [definition] = toolDefinitions([name]);
    if (definition === undefined) continue;
    server.registerTool(name, toMcpToolConfig(definition, { structured, annotations }), (input, context) =>
      answer(service, server, name, input, context),
    );
  }
  return server;
}

async function answer(
  { roots, structured, projects }: Service,
  server: McpServer,
  name: ToolName,
  input: unknown,
  context: ServerContext,
): Promise<Result> {
  const found = roots.length > 0 ? { roots } : clientRoots(server, context);
  if ("ask" in found) return found.ask;
  if (found.roots.length === 0) return noRoot(input, structured);
  // Roots of the command line were tried at the start; a client's may be gone, or never were directories.
  const usable = roots.length > 0 ? roots : found.roots.filter(isUsableRoot);
  if (usable.length === 0) return badRoot(input, structured);
  const project = projects(usable);
  return callMcpTool(project.tool(name), input, context, { truncate: project.truncate, structured });
}

function annotations({ name, effect }: { readonly name: string; readonly effect?: string }): McpToolAnnotations {
  const writes = effect === "write";
  // Writing the same content again changes nothing; making the same edit again may.
  const idempotentHint = !writes || name === "Write";
  return { readOnlyHint: !writes, destructiveHint: writes, idempotentHint, openWorldHint: false };
}

function noRoot(input: unknown, structured: boolean): McpToolResult {
  return refusal(
    "No project root is set.",
    "Ask the user to start the server with --root DIR, or to open a folder in the client.",
    { input, structured },
  );
}

function badRoot(input: unknown, structured: boolean): McpToolResult {
  return refusal(
    "The client's root is not an existing directory.",
    "Ask the user to open another folder in the client, or to start the server with --root DIR.",
    { input, structured },
  );
}

function instructions(roots: readonly string[], tools: readonly ToolName[]): string {
  const writes = toolDefinitions(tools).some(({ effect }) => effect === "write");
  const task = writes ? "Look at a project's files and change them." : "Look at a project's files, read-only.";
  if (roots.length < 2) return `${task} Paths are relative to the project root.`;
  const labels = labelRoots(roots.map((root) => ({ spelled: root, real: root }))).map(({ label }) => label);
  return `${task} There are several roots; a path begins with the name of its root. Roots: ${labels.join(", ")}.`;
}
