// By the package's name: how deep this file lies differs between sources and build.
import manifest from "@fstools/mcp/package.json" with { type: "json" };
import {
  callMcpTool,
  type McpCallContext,
  type McpToolAnnotations,
  type McpToolResult,
  toMcpToolResult,
} from "@fstools/adapters/mcp";
import {
  echo,
  errorResponse,
  type OnInternalError,
  type OnWarning,
  type ToolDefinition,
  ToolError,
} from "@fstools/protocol";
import { createRecentMap, createSandbox, type RootOptions, type Sandbox, type SandboxRules } from "@fstools/sandbox";
import {
  createToolset,
  DEFAULT_TOOL_NAMES,
  isToolName,
  toolDefinitions,
  type ToolName,
  type Toolset,
  type ToolsetOptions,
} from "@fstools/toolset";

/** The version of this package. */
export const VERSION: string = manifest.version;

/** Parameters may hold 64 MiB of text, and JSON makes that longer; nothing larger is read into memory. */
export const MAX_MESSAGE_BYTES = 96 * 1024 * 1024;

/** What the server offers, and where. */
export interface McpServerOptions extends Pick<SandboxRules, "deny" | "defaultDeny" | "gitignore"> {
  /**
   * The directories that the tools may look into; absolute, or relative to the process. With several of them every path
   * begins with the name of its root.
   * @default the roots that the client offers
   */
  readonly roots?: readonly string[];
  /** Further ones in which nothing may be changed. @default [] */
  readonly readRoots?: readonly string[];
  /** @default ["LS", "Glob", "Grep", "Read"] */
  readonly tools?: readonly ToolName[];
  /** Paths that may be read but not changed: globs relative to each root. `.git` is always one of them. @default [] */
  readonly protect?: readonly string[];
  /** Whether Read shows pictures and PDF files, with the optional packages that its README names. @default false */
  readonly media?: boolean;
  /** Adds the whole envelope to each answer, for programs. @default false */
  readonly structured?: boolean;
  /** Keeps what the tools change, so that people can undo it; made by `createHistory` of `@fstools/sandbox`. */
  readonly history?: NonNullable<ToolsetOptions["history"]>;
  /** Reports unexpected exceptions; the client learns nothing about them. */
  readonly onInternalError?: OnInternalError;
  /** Is told what a tool lacks on this machine, such as ripgrep. */
  readonly onWarning?: OnWarning;
}

/** What the server does, independent of how messages travel. */
export interface Service {
  readonly instructions: string;
  readonly definitions: readonly ToolDefinition[];
  readonly structured: boolean;
  /** Whether the client is to be asked for its roots, as the host set none. */
  readonly asksForRoots: boolean;
  /** Begins a conversation, with its own memory of the files that it has shown. */
  openConversation(): Conversation;
}

/** One client's calls; `roots` are the client's, where the host set none. */
export interface Conversation {
  call(name: string, input: unknown, roots: readonly string[], context: McpCallContext): Promise<McpToolResult>;
}

// A client that changes its roots often must not grow the server.
const MAX_TOOLSETS = 16;

/** Prepares the tools. @throws Error if a root is not an existing directory, or a rule cannot be used */
export function createService(options: McpServerOptions = {}): Service {
  const { structured = false, onInternalError, onWarning, history, media = false } = options;
  const { deny = [], protect = [], defaultDeny = true, gitignore = false } = options;
  const tools = [...new Set(options.tools ?? DEFAULT_TOOL_NAMES)];
  const rules = { deny, defaultDeny, gitignore, ...(protect.length > 0 ? { protect: [".git", ...protect] } : {}) };
  const sandboxOver = (roots: readonly RootOptions[]) => createSandbox({ ...rules, roots });
  const ownRoots: RootOptions[] = [
    ...(options.roots ?? []).map((path) => ({ path })),
    ...(options.readRoots ?? []).map((path) => ({ path, access: "read" as const })),
  ];
  const own = ownRoots.length > 0 ? sandboxOver(ownRoots) : undefined;
  // It cannot be inside them.
  if (own !== undefined) history?.take(own);
  const toolsetIn = (sandbox: Sandbox) =>
    createToolset({
      sandbox,
      tools,
      ...(media ? { read: { media: ["image", "pdf"] } as const } : {}),
      ...(history === undefined ? {} : { history }),
      ...(onInternalError === undefined ? {} : { onInternalError }),
      ...(onWarning === undefined ? {} : { onWarning }),
    });
  const definitions = toolDefinitions(tools);
  return {
    instructions: instructions(own, definitions),
    definitions,
    structured,
    asksForRoots: own === undefined,
    openConversation: () => {
      const toolsets = createRecentMap<Toolset>(MAX_TOOLSETS);
      const toolsetOver = (roots: readonly string[]): Toolset | undefined => {
        if (own === undefined && roots.length === 0) return undefined;
        try {
          const key = JSON.stringify(roots);
          const toolset = toolsets.get(key) ?? toolsetIn(own ?? sandboxOver(roots.map((path) => ({ path }))));
          toolsets.set(key, toolset);
          return toolset;
        } catch (error) {
          // The history is inside one of them.
          onInternalError?.(error, { tool: "" });
          return undefined;
        }
      };
      return {
        call: async (name, input, clientRoots, context) => {
          // Roots of the host were tried at the start; a client's may be gone, or never were directories.
          const usable = own === undefined ? clientRoots.filter(isUsable) : [];
          const { tool, truncate } = toolsetOver(usable) ?? {};
          if (tool === undefined || truncate === undefined) return noRoot(input, structured, clientRoots.length > 0);
          const called = isToolName(name) ? tool(name) : undefined;
          if (called === undefined) throw new TypeError(`There is no tool '${name}'.`);
          return callMcpTool(called, input, context, { truncate, structured });
        },
      };
    },
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
