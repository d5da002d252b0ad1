import { renderForModel, type ToolResponse } from "@fstools/protocol";
import { type AdapterOptions, type AgentTool, callTool, type Truncate } from "./agent-tool.ts";
import { ENVELOPE_SCHEMA } from "./envelope-schema.ts";
import { type McpCallContext, withProgress } from "./progress.ts";
import { carrySchema, type CarriedSchema } from "./standard-schema.ts";
import type { JsonSchema } from "./strict-schema.ts";

export type { AdapterOptions, AgentTool, CarriedSchema, JsonSchema, McpCallContext, Truncate };

/** What a client may assume about a tool before it calls it. */
export interface McpToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** How tools are offered to MCP clients. */
export interface McpToolOptions extends AdapterOptions {
  /**
   * What clients may assume; say something else for a tool of your own that writes.
   * @default every fstools tool only reads, and only below its project root
   */
  readonly annotations?: McpToolAnnotations;
}

/** An entry of a `tools/list` result. */
export interface McpTool {
  name: string;
  description: string;
  inputSchema: JsonSchema & { type: "object" };
  outputSchema: JsonSchema & { type: "object" };
  annotations: McpToolAnnotations;
}

/** A `tools/call` result: the text for the model, and the envelope for programs. */
export interface McpToolResult {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError: boolean;
  /** MCP lets results carry more. */
  [key: string]: unknown;
}

/** What `McpServer.registerTool` of the MCP SDK takes beside the name and the handler. */
export interface McpToolConfig {
  description: string;
  inputSchema: CarriedSchema;
  outputSchema: CarriedSchema;
  annotations: McpToolAnnotations;
}

/** The part of the MCP SDK's `McpServer` that {@link registerTools} uses. */
export interface McpToolRegistry {
  registerTool(
    name: string,
    config: McpToolConfig,
    handler: (input: unknown, context: McpCallContext) => Promise<McpToolResult>,
  ): unknown;
}

const READ_ONLY: McpToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Registers tools with an `McpServer` of `@modelcontextprotocol/server`. */
export function registerTools(
  server: McpToolRegistry,
  tools: readonly AgentTool[],
  options: McpToolOptions = {},
): void {
  for (const tool of tools) {
    server.registerTool(tool.name, toMcpToolConfig(tool, options), (input, context) =>
      callMcpTool(tool, input, context, options),
    );
  }
}

/** Describes a tool for `McpServer.registerTool`. */
export function toMcpToolConfig(tool: AgentTool, options: McpToolOptions = {}): McpToolConfig {
  const { annotations = READ_ONLY } = options;
  const { description, jsonSchema } = tool;
  return {
    description,
    inputSchema: carrySchema(jsonSchema),
    outputSchema: carrySchema(ENVELOPE_SCHEMA),
    annotations,
  };
}

/** Describes tools for a `tools/list` result, for servers that answer the protocol's requests by themselves. */
export function toMcpTools(tools: readonly AgentTool[], options: McpToolOptions = {}): McpTool[] {
  const { annotations = READ_ONLY } = options;
  return tools.map(({ name, description, jsonSchema }) => ({
    name,
    description,
    inputSchema: { ...jsonSchema, type: "object" },
    outputSchema: { ...ENVELOPE_SCHEMA },
    annotations,
  }));
}

/** Runs a tool for a `tools/call` request: stops when the client cancels, reports progress when it asked for it. */
export async function callMcpTool(
  tool: AgentTool,
  input: unknown,
  context: McpCallContext,
  options: AdapterOptions = {},
): Promise<McpToolResult> {
  const { signal } = context.mcpReq;
  const response = await withProgress(tool.name, context, () => callTool(tool, input, { ...options, signal }));
  return toMcpToolResult(response);
}

/** Turns an envelope into a `tools/call` result. */
export function toMcpToolResult(response: ToolResponse<object>): McpToolResult {
  return {
    content: [{ type: "text", text: renderForModel(response) }],
    structuredContent: { ...response },
    isError: response.status === "error",
  };
}
