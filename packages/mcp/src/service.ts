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
import { DEFAULT_TOOL_NAMES, isToolName, toolDefinitions, type ToolName } from "@fstools/toolset";
import { toAbsolute } from "./project/absolute.ts";
import { labelRoots } from "./project/labels.ts";
import { createProjects, isUsableRoot } from "./project/projects.ts";

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
   * Paths that may be read but not changed: globs relative to the root. `.git` is always one of them.
   * @default []
   */
  readonly protect?: readonly string[];
  /**
   * Hides what people call secrets: keys, tokens and passwords under their usual names.
   * @default true
   */
  readonly defaultDeny?: boolean;
  /**
   * Whether what git ignores counts as ignored.
   * @default false
   */
  readonly gitignore?: boolean;
  /**
   * Whether Read shows pictures, and the text of PDF files; large pictures need the optional package
   * `@silvia-odwyer/photon-node`, PDF files `unpdf`.
   * @default false
   */
  readonly media?: boolean;
  /**
   * Adds the whole envelope to each answer, for programs.
   * @default false
   */
  readonly structured?: boolean;
  /** Reports unexpected exceptions; the client learns nothing about them. */
  readonly onInternalError?: OnInternalError;
  /** Is told what a tool lacks on this machine, such as ripgrep. */
  readonly onWarning?: OnWarning;
}

/** What the server does, independent of how messages travel. */
export interface Service {
  /** For the model, about all tools. */
  readonly instructions: string;
  /** Described without a project. */
  readonly definitions: readonly ToolDefinition[];
  readonly structured: boolean;
  /** The roots that the host set; none if the client is to be asked. */
  readonly roots: readonly string[];
  /** Begins a conversation, with its own memory of the files that it has shown. */
  openConversation(): Conversation;
}

/** One client's calls. */
export interface Conversation {
  /** Answers a call of a tool; `roots` are the client's, where the host set none. */
  call(name: string, input: unknown, roots: readonly string[], context: McpCallContext): Promise<McpToolResult>;
}

/**
 * Prepares the tools.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createService(options: McpServerOptions = {}): Service {
  const { structured = false, onInternalError, onWarning } = options;
  const { deny = [], protect = [], defaultDeny = true, gitignore = false, media = false } = options;
  const names = [...new Set(options.tools ?? DEFAULT_TOOL_NAMES)];
  const roots = (options.roots ?? []).map(toAbsolute);
  const projectOptions = {
    tools: names,
    deny,
    protect: [".git", ...protect],
    defaultDeny,
    gitignore,
    ...(media ? { read: { media: ["image", "pdf"] } as const } : {}),
    ...(onInternalError === undefined ? {} : { onInternalError }),
    ...(onWarning === undefined ? {} : { onWarning }),
  };
  assertUsable(roots, deny.length + protect.length > 0 ? createProjects(projectOptions) : undefined);
  const definitions = toolDefinitions(names);
  return {
    instructions: instructions(roots, definitions),
    definitions,
    structured,
    roots,
    openConversation: () => {
      const projects = createProjects(projectOptions);
      return {
        call: async (name, input, clientRoots, context) => {
          const found = roots.length > 0 ? roots : clientRoots;
          if (found.length === 0) return noRoot(input, structured);
          // Roots of the host were tried at the start; a client's may be gone, or never were directories.
          const usable = roots.length > 0 ? roots : found.filter(isUsableRoot);
          if (usable.length === 0 || !isToolName(name)) return badRoot(input, structured);
          const project = projects(usable);
          return callMcpTool(project.tool(name), input, context, { truncate: project.truncate, structured });
        },
      };
    },
  };
}

/** What a client may assume about a tool. */
export function annotations({ name, effect }: { readonly name: string; readonly effect?: string }): McpToolAnnotations {
  const writes = effect === "write";
  // Writing the same content again, or deleting again, changes nothing; making the same edit again may.
  const idempotentHint = !writes || name === "Write" || name === "Delete";
  return { readOnlyHint: !writes, destructiveHint: writes, idempotentHint, openWorldHint: false };
}

// The usual rules are known to be good, and loading what reads them can wait for the first call.
function assertUsable(roots: readonly string[], projects: ((roots: readonly string[]) => unknown) | undefined): void {
  const missing = roots.find((root) => !isUsableRoot(root));
  if (missing !== undefined) throw new Error(`'${missing}' is not an existing directory.`);
  if (roots.length > 0) projects?.(roots);
}

/** Answers a call for which there is no directory to look into. */
function refusal(
  message: string,
  hint: string,
  { input, structured }: { readonly input: unknown; readonly structured: boolean },
): McpToolResult {
  const error = new ToolError("ACCESS_DENIED", message, { hint });
  const response = errorResponse(error, { context: { cwd: ".", params_input: input ?? {} } });
  return toMcpToolResult(response, { structured });
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

function instructions(roots: readonly string[], definitions: readonly ToolDefinition[]): string {
  const writes = definitions.some(({ effect }) => effect === "write");
  const task = writes ? "Look at a project's files and change them." : "Look at a project's files, read-only.";
  if (roots.length < 2) return `${task} Paths are relative to the project root.`;
  const labels = labelRoots(roots.map((root) => ({ spelled: root, real: root }))).map(({ label }) => label);
  return `${task} There are several roots; a path begins with the name of its root. Roots: ${labels.map(echo).join(", ")}.`;
}
