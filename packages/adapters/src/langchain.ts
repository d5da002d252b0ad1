import { renderForModel, type ToolResponse } from "@fstools/protocol";
import { ToolMessage } from "@langchain/core/messages";
import {
  tool as defineLangChainTool,
  type StructuredToolInterface,
  type ToolRunnableConfig,
} from "@langchain/core/tools";
import { type AdapterOptions, type AgentTool, callTool, type Truncate } from "./agent-tool.ts";
import { carrySchema } from "./standard-schema.ts";

export type { AdapterOptions, AgentTool, Truncate };

/**
 * Makes LangChain tools, for `model.bindTools()` or an agent. Invoked with a tool call, each answers with a ToolMessage:
 * the rendered text as content, `status: "error"` when the tool failed, and the whole envelope as artifact; invoked
 * with bare arguments, it answers with the text. The config's abort signal reaches the tool.
 */
export function toLangChainTools(tools: readonly AgentTool[], options: AdapterOptions = {}): StructuredToolInterface[] {
  return tools.map((tool) => toLangChainTool(tool, options));
}

function toLangChainTool(tool: AgentTool, options: AdapterOptions): StructuredToolInterface {
  const { name, description, jsonSchema } = tool;
  return defineLangChainTool(
    async (input: unknown, config: ToolRunnableConfig) => {
      const response = await callTool(tool, input, { ...options, signal: config.signal });
      const callId = config.toolCall?.id;
      return callId === undefined ? renderForModel(response) : toolMessage(name, callId, response);
    },
    // The description is also the one property by which TypeScript recognises a JSON Schema.
    { name, description, schema: { ...carrySchema(jsonSchema), description } },
  );
}

function toolMessage(name: string, callId: string, response: ToolResponse<object>): ToolMessage {
  return new ToolMessage({
    name,
    tool_call_id: callId,
    status: response.status === "error" ? "error" : "success",
    content: renderForModel(response),
    artifact: response,
  });
}
