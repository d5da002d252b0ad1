import { renderForModel, type ToolResponse } from "@fstools/protocol";
import type { Tool } from "ai";
import { type AdapterOptions, type AgentTool, callTool, type Truncate } from "./agent-tool.ts";
import { carrySchema } from "./standard-schema.ts";

export type { AdapterOptions, AgentTool, Truncate };

/** Tools for the AI SDK by name; each one's output is the envelope. */
export type AiSdkTools = Record<string, Tool<unknown, ToolResponse<object>>>;

/**
 * Makes the `tools` of `generateText`, `streamText` or an agent. The model gets the rendered text, as an error when the
 * tool failed; the output in the steps and in the UI is the whole envelope; an abort signal reaches the tool.
 */
export function toAiSdkTools(tools: readonly AgentTool[], options: AdapterOptions = {}): AiSdkTools {
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, options)]));
}

function toAiSdkTool(tool: AgentTool, { truncate }: AdapterOptions): AiSdkTools[string] {
  return {
    description: tool.description,
    inputSchema: carrySchema(tool.jsonSchema),
    execute: (input, { abortSignal }) =>
      callTool(tool, input, { signal: abortSignal, ...(truncate === undefined ? {} : { truncate }) }),
    toModelOutput: ({ output }) => ({
      type: output.status === "error" ? "error-text" : "text",
      value: renderForModel(output),
    }),
  };
}
