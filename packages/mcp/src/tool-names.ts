/** The tools that the server has: `read` is the opencode flavour of `Read`. */
export const TOOL_NAMES = ["LS", "Glob", "Read", "read"] as const;

/** One of {@link TOOL_NAMES}. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** Read and read side by side would only make a model wonder; the opencode flavour is there on request. */
export const DEFAULT_TOOL_NAMES: readonly ToolName[] = ["LS", "Glob", "Read"];

/** Whether the server has a tool of this name; case matters. */
export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
