import type { AgentTool } from "@fstools/adapters/mcp";
import { createGlobTool } from "@fstools/glob";
import { createLsTool } from "@fstools/ls";
import type { OnInternalError } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import type { ToolName } from "./tool-names.ts";

/** What the tools of every root share. */
export interface ToolsetOptions {
  /** Paths that the tools must not show: globs relative to the root, such as `*.pem`. */
  readonly deny?: readonly string[];
  /** Hears of exceptions that nobody expected. */
  readonly onInternalError?: OnInternalError;
}

/** A tool for each name. */
export type Toolset = Readonly<Record<ToolName, AgentTool>>;

/** A client that changes its roots often must not grow the server. */
const MAX_TOOLSETS = 16;

/** Makes the tools of one root. */
export function createToolset(projectRoot: string, options: ToolsetOptions): Toolset {
  const toolOptions = { projectRoot, ...options };
  return {
    LS: createLsTool(toolOptions),
    Glob: createGlobTool(toolOptions),
    Read: createReadTool(toolOptions),
    read: createOpencodeReadEnvelopeTool(toolOptions),
  };
}

/**
 * Keeps the tools of the roots in use, so that what they know of a file (where its pages begin) outlives the call.
 * @throws Error if the root is not an existing directory
 */
export function createToolsets(options: ToolsetOptions): (root: string) => Toolset {
  const toolsets = new Map<string, Toolset>();
  return (root) => {
    const toolset = toolsets.get(root) ?? createToolset(root, options);
    toolsets.delete(root);
    toolsets.set(root, toolset);
    const [oldest] = toolsets.keys();
    if (toolsets.size > MAX_TOOLSETS && oldest !== undefined) toolsets.delete(oldest);
    return toolset;
  };
}
