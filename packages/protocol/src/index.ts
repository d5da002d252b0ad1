// Errors
export { ErrorCode, isToolError, ToolError, type ErrorReport, type ToolErrorOptions } from "./error.ts";

// The envelope
export {
  toolResponseSchema,
  type CompletedResponse,
  type FailedResponse,
  type ToolContext,
  type ToolFailure,
  type ToolResponse,
  type ToolStats,
  type ToolStatus,
} from "./envelope.ts";

// Making tools
export type { Discount, Outcome } from "./outcome.ts";
export { echo, escapeText } from "./text.ts";
export { defineTool, type OnInternalError, type RunOptions, type Tool, type ToolCall, type ToolSpec } from "./tool.ts";
