import type { ToolResponse } from "@fstools/protocol";
import { toMcpToolResult, type McpToolResult } from "@fstools/adapters/mcp";

/** Answers a call for which there is no directory to look into. */
export function refusal(
  message: string,
  hint: string,
  { input, structured }: { readonly input: unknown; readonly structured: boolean },
): McpToolResult {
  const response: ToolResponse = {
    status: "error",
    data: {},
    text: `${message} ${hint}`,
    error: { code: "ACCESS_DENIED", message },
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: input ?? {} },
  };
  return toMcpToolResult(response, { structured });
}
