import { toMcpToolResult, type McpToolResult } from "@fstools/adapters/mcp";

/** Answers a call for which there is no directory to look into. */
export function refusal(message: string, hint: string, input: unknown): McpToolResult {
  return toMcpToolResult({
    status: "error",
    data: {},
    text: `${message} ${hint}`,
    error: { code: "ACCESS_DENIED", message },
    stats: { time_ms: 0 },
    context: { cwd: ".", params_input: input ?? {} },
  });
}
