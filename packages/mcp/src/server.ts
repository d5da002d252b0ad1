import { callMcpTool, type McpToolResult, toMcpToolConfig } from "@fstools/adapters/mcp";
import { createTruncator, type OnInternalError } from "@fstools/protocol";
import { type InputRequiredResult, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { refusal } from "./refusal.ts";
import { chooseRoot, clientRoots, toAbsolute } from "./roots.ts";
import { DEFAULT_TOOL_NAMES, type ToolName } from "./tool-names.ts";
import { createToolset, createToolsets, type Toolset } from "./toolsets.ts";
import { VERSION } from "./version.ts";

/** What the server shows, and to whom it listens about where. */
export interface McpServerOptions {
  /**
   * The directories that the tools may look into; absolute, or relative to the process. A relative path in a call means
   * the first one.
   * @default the roots that the client offers
   */
  readonly roots?: readonly string[];
  /** @default ["LS", "Glob", "Read"] */
  readonly tools?: readonly ToolName[];
  /**
   * Paths that the tools must not show: globs relative to the root.
   * @default []
   */
  readonly deny?: readonly string[];
  /** Hears of exceptions that nobody expected; the client is told nothing about them. */
  readonly onInternalError?: OnInternalError;
}

type Result = McpToolResult | InputRequiredResult;

/**
 * Prepares servers that share their tools: one server for each connection, as MCP wants it.
 * @throws Error if a root is not an existing directory
 */
export function createServerFactory(options: McpServerOptions = {}): () => McpServer {
  const { tools = DEFAULT_TOOL_NAMES, deny = [], onInternalError } = options;
  const roots = (options.roots ?? []).map(toAbsolute);
  const toolOptions = { deny, ...(onInternalError === undefined ? {} : { onInternalError }) };
  const toolsetOf = createToolsets(toolOptions);
  for (const root of roots) toolsetOf(root);
  // Only to describe the tools: what they are called and take does not depend on the root.
  const described = createToolset(roots[0] ?? process.cwd(), toolOptions);
  return () => {
    const server = new McpServer({ name: "fstools", version: VERSION }, { instructions: instructions(roots) });
    for (const name of new Set(tools)) {
      server.registerTool(name, toMcpToolConfig(described[name]), (input, context) =>
        answer({ server, roots, toolsetOf, name }, input, context),
      );
    }
    return server;
  };
}

interface Call {
  readonly server: McpServer;
  readonly roots: readonly string[];
  readonly toolsetOf: (root: string) => Toolset;
  readonly name: ToolName;
}

// Without a store: a server that calls itself read-only leaves no files behind.
const truncate = createTruncator();

async function answer(call: Call, input: unknown, context: ServerContext): Promise<Result> {
  const found = call.roots.length > 0 ? { roots: call.roots } : clientRoots(call.server, context);
  if ("ask" in found) return found.ask;
  const root = chooseRoot(found.roots, input);
  if (root === undefined) return noRoot(input);
  const tool = toolOrNothing(call, root);
  return tool === undefined ? badRoot(input) : callMcpTool(tool, input, context, { truncate });
}

function toolOrNothing({ toolsetOf, name }: Call, root: string) {
  try {
    return toolsetOf(root)[name];
  } catch {
    // The client's root is gone, or never was a directory; roots of the command line were tried at the start.
    return undefined;
  }
}

function noRoot(input: unknown): McpToolResult {
  return refusal(
    "No project root is set.",
    "Ask the user to start the server with --root DIR, or to open a folder in the client.",
    input,
  );
}

function badRoot(input: unknown): McpToolResult {
  return refusal(
    "The client's root is not an existing directory.",
    "Ask the user to open another folder in the client, or to start the server with --root DIR.",
    input,
  );
}

function instructions(roots: readonly string[]): string {
  const base = "Look at a project's files, read-only. Paths are relative to the project root.";
  if (roots.length < 2) return base;
  return `${base} There are several roots: a relative path means the first; give an absolute path for the others. Roots: ${roots.join(", ")}.`;
}
