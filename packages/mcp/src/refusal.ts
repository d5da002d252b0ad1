import { toMcpToolResult, type McpToolResult } from "@fstools/adapters/mcp";
import { errorResponse, ToolError } from "@fstools/protocol";

/** Answers a call for which there is no directory to look into. */
export function refusal(
  message: string,
  hint: string,
  { input, structured }: { readonly input: unknown; readonly structured: boolean },
): McpToolResult {
  const error = new ToolError("ACCESS_DENIED", message, { hint });
  const response = errorResponse(error, { context: { cwd: ".", params_input: input ?? {} } });
  return toMcpToolResult(response, { structured });
}
