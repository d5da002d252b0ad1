// All tools of one project
export { createToolset, type Toolset, type ToolsetOptions } from "./toolset.ts";

// Which tools there are
export { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, WRITING_TOOL_NAMES, type ToolName } from "./tool-names.ts";

// Tools without a project
export { toolDefinitions } from "./definitions.ts";
