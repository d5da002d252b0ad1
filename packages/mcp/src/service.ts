// By the package's name: how deep this file lies differs between sources and build.
import manifest from "@fstools/mcp/package.json" with { type: "json" };
import type { McpCallContext, McpToolAnnotations, McpToolResult } from "@fstools/adapters/mcp";
import { callMcpTool, toMcpToolResult } from "@fstools/adapters/mcp";
import { echo, errorResponse, type ToolDefinition, ToolError } from "@fstools/protocol";
import { createRecentMap, createSandbox, type Sandbox, type SandboxRules } from "@fstools/sandbox";
import type { ToolName, Toolset, ToolsetOptions } from "@fstools/toolset";
import { createToolset, DEFAULT_TOOL_NAMES, toolDefinitions } from "@fstools/toolset";

/** The version of this package. */
export const VERSION: string = manifest.version;

/** Parameters may hold 64 MiB of text, and JSON makes that longer; nothing larger is read into memory. */
export const MAX_MESSAGE_BYTES = 96 * 1024 * 1024;

/** Which files the tools may look into and change. */
export interface ProjectOptions extends Pick<SandboxRules, "deny" | "defaultDeny" | "gitignore"> {
  /**
   * The directories that the tools may look into; absolute, or relative to the process. With several of them every path
   * begins with the name of its root.
   * @default the roots that the client offers
   */
  readonly roots?: readonly string[];
  /** Further ones in which nothing may be changed. @default [] */
  readonly readRoots?: readonly string[];
  /** Paths that may be read but not changed: globs relative to each root. `.git` is always one of them. @default [] */
  readonly protect?: readonly string[];
}

/** What the server offers, and where. */
export interface McpServerOptions
  extends ProjectOptions, Pick<ToolsetOptions, "history" | "onInternalError" | "onWarning"> {
  /** @default ["LS", "Glob", "Grep", "Read"] */
  readonly tools?: readonly ToolName[];
  /** Whether Read shows pictures and PDF files, with the optional packages that its README names. @default false */
  readonly media?: boolean;
  /** Adds the whole envelope to each answer, for programs. @default false */
  readonly structured?: boolean;
}

/** What the server does, independent of how messages travel. */
export type Service = ReturnType<typeof createService>;

/** One client's calls, with its own memory of the files that it has shown. */
export type Conversation = ReturnType<Service["openConversation"]>;

// A client that changes its roots often must not grow the server.
const MAX_TOOLSETS = 16;

/** @throws Error if a root is not an existing directory, or a rule cannot be used */
export function sandboxOf(options: ProjectOptions): Sandbox {
  const { roots = [], readRoots = [], deny = [], protect = [], defaultDeny = true, gitignore = false } = options;
  const rules = { deny, defaultDeny, gitignore, protect: [".git", ...protect] };
  const readOnly = readRoots.map((path) => ({ path, access: "read" as const }));
  return createSandbox({ ...rules, roots: [...roots.map((path) => ({ path })), ...readOnly] });
}

/** Prepares the tools. @throws Error if a root is not an existing directory, or a rule cannot be used */
export function createService({ structured = false, media = false, ...options }: McpServerOptions = {}) {
  const { roots = [], readRoots = [], deny, protect, defaultDeny, gitignore, ...watchers } = options;
  const tools = [...new Set(options.tools ?? DEFAULT_TOOL_NAMES)];
  const own = roots.length + readRoots.length > 0 ? sandboxOf(options) : undefined;
  // It cannot be inside them.
  if (own !== undefined) options.history?.take(own);
  const read = media ? { media: ["image", "pdf"] as const } : {};
  const definitions = toolDefinitions(tools);

  /** Begins a conversation. */
  function openConversation() {
    const toolsets = createRecentMap<Toolset>(MAX_TOOLSETS);
    const toolsetOver = (clientRoots: readonly string[]): Toolset | undefined => {
      if (own === undefined && clientRoots.length === 0) return undefined;
      try {
        const key = JSON.stringify(clientRoots);
        const inside = () => own ?? sandboxOf({ ...options, roots: clientRoots });
        const toolset = toolsets.get(key) ?? createToolset({ ...watchers, sandbox: inside(), tools, read });
        toolsets.set(key, toolset);
        return toolset;
      } catch (error) {
        // The history is inside one of them.
        options.onInternalError?.(error, { tool: "" });
        return undefined;
      }
    };
    return {
      /** `clientRoots` matter where the host set none. */
      call: async (
        name: string,
        input: unknown,
        clientRoots: readonly string[],
        context: McpCallContext,
      ): Promise<McpToolResult> => {
        // Roots of the host were tried at the start; a client's may be gone, or never were directories.
        const usable = own === undefined ? clientRoots.filter(isUsable) : [];
        const toolset = toolsetOver(usable);
        if (toolset === undefined) return noRoot(input, structured, clientRoots.length > 0);
        const tool = toolset.tool(name);
        if (tool === undefined) throw new TypeError(`There is no tool '${name}'.`);
        return callMcpTool(tool, input, context, { truncate: toolset.truncate, structured });
      },
    };
  }

  return {
    instructions: instructions(own, definitions),
    definitions,
    structured,
    /** Whether the client is to be asked for its roots, as the host set none. */
    asksForRoots: own === undefined,
    openConversation,
  };
}

function isUsable(root: string): boolean {
  try {
    createSandbox({ projectRoot: root });
    return true;
  } catch {
    // The reason does not matter: there is nothing to see.
    return false;
  }
}

export function annotations({ name, effect }: { readonly name: string; readonly effect?: string }): McpToolAnnotations {
  const writes = effect === "write";
  // Writing the same content again, or deleting again, changes nothing; making the same edit again may.
  const idempotentHint = !writes || name === "Write" || name === "Delete";
  return { readOnlyHint: !writes, destructiveHint: writes, idempotentHint, openWorldHint: false };
}

function noRoot(input: unknown, structured: boolean, isOffered: boolean): McpToolResult {
  const error = isOffered
    ? new ToolError("ACCESS_DENIED", "The client's root is not an existing directory.", {
        hint: "Ask the user to open another folder in the client, or to start the server with --root DIR.",
      })
    : new ToolError("ACCESS_DENIED", "No project root is set.", {
        hint: "Ask the user to start the server with --root DIR, or to open a folder in the client.",
      });
  const response = errorResponse(error, { context: { cwd: ".", params_input: input ?? {} } });
  return toMcpToolResult(response, { structured });
}

function instructions(own: Sandbox | undefined, definitions: readonly ToolDefinition[]): string {
  const writes = definitions.some(({ effect }) => effect === "write");
  const task = writes ? "Look at a project's files and change them." : "Look at a project's files, read-only.";
  const names = own?.roots.map(({ path }) => echo(path.relative)) ?? [];
  return names.length < 2
    ? `${task} Paths are relative to the project root.`
    : `${task} There are several roots; a path begins with the name of its root. Roots: ${names.join(", ")}.`;
}
