import type { ToolResponse } from "@fstools/protocol";
import { ToolMessage } from "@langchain/core/messages";
import { tool as defineLangChainTool } from "@langchain/core/tools";
import type { StructuredToolInterface, ToolRunnableConfig } from "@langchain/core/tools";
import { type AdapterOptions, type AgentTool, type AgentTools, callTool, type Truncate, unpack } from "./agent-tool.ts";
import { isImage, modelAnswer } from "./model-answer.ts";
import { carrySchema } from "./schema.ts";

export type { AdapterOptions, AgentTool, AgentTools, Truncate };

/** Makes tools for `model.bindTools()` or an agent: they answer a tool call with a ToolMessage, and bare arguments with the text. */
export function toLangChainTools(given: AgentTools, givenOptions: AdapterOptions = {}): StructuredToolInterface[] {
  const { tools, options } = unpack(given, givenOptions);
  return tools.map((tool) => {
    const { name, description, jsonSchema } = tool;
    const call = async (input: unknown, config: ToolRunnableConfig) => {
      const response = await callTool(tool, input, { ...options, signal: config.signal });
      const callId = config.toolCall?.id;
      if (callId !== undefined) return toolMessage(name, callId, response, options);
      return modelAnswer(response, { ...options, media: false }).text;
    };
    // The description is also the one property by which TypeScript recognises a JSON Schema.
    return defineLangChainTool(call, { name, description, schema: { ...carrySchema(jsonSchema), description } });
  });
}

function toolMessage(
  name: string,
  callId: string,
  response: ToolResponse<object>,
  options: AdapterOptions,
): ToolMessage {
  const { text, media, failed } = modelAnswer(response, options);
  const parts = media.map((part) => {
    return { type: isImage(part) ? ("image" as const) : ("file" as const), mimeType: part.mimeType, data: part.data };
  });
  return new ToolMessage({
    name,
    tool_call_id: callId,
    status: failed ? "error" : "success",
    content: parts.length === 0 ? text : [{ type: "text", text }, ...parts],
    artifact: response,
  });
}
