/** The tools that a toolset can hold: `read` is the opencode flavour of `Read`. */
export const TOOL_NAMES = ["LS", "Glob", "Grep", "Read", "read", "Edit", "Write"] as const;

/** One of {@link TOOL_NAMES}. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** What a toolset holds unless the host names other tools: those that only look, and `Read` rather than `read`. */
export const DEFAULT_TOOL_NAMES: readonly ToolName[] = ["LS", "Glob", "Grep", "Read"];

/** Those that change files; a host has to name them. */
export const WRITING_TOOL_NAMES: readonly ToolName[] = ["Edit", "Write"];

/** Whether there is a tool of this name; case matters. */
export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
