// All tools of one project
export { createToolset, type ObservedCall, type OnCall, type Toolset, type ToolsetOptions } from "./toolset.ts";

// Which tools there are, and what they are without a project
export type { ToolName, ToolNamed } from "./tools.ts";
export { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, toolDefinitions, WRITING_TOOL_NAMES } from "./tools.ts";
