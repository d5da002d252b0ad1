import { renderForModel, type Tool } from "@fstools/protocol";
import { jsonSchema, tool as aiSdkTool, type ToolSet } from "ai";
import type { Envelope } from "../envelope.ts";
import type { Truncate } from "../toolbox.ts";

/** Wraps tools for the AI SDK: what enters the history has gone through the truncator and `renderForModel`. */
export function toAiSdkTools(tools: readonly Tool[], truncate: Truncate): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.name, toAiSdkTool(tool, truncate)]));
}

function toAiSdkTool(tool: Tool, truncate: Truncate): ToolSet[string] {
  return aiSdkTool<unknown, Envelope>({
    description: tool.description,
    inputSchema: jsonSchema(tool.jsonSchema),
    execute: async (input, { abortSignal }) => {
      const response = await tool.run(input, abortSignal ? { signal: abortSignal } : {});
      return truncate(tool.name, response);
    },
    toModelOutput: ({ output }) => ({
      type: output.status === "error" ? "error-text" : "text",
      value: renderForModel(output),
    }),
  });
}
