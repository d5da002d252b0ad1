import type { ToolResponse } from "@fstools/protocol";
import type { Tool } from "ai";
import * as agent from "./agent-tool.ts";
import { isImage, modelAnswer } from "./model-answer.ts";
import { carrySchema } from "./schema.ts";

export type { AdapterOptions, AgentTool, AgentTools, ApprovalOptions, Truncate } from "./agent-tool.ts";

type AiSdkTool = Tool<unknown, ToolResponse<object>>;

/** Tools for the AI SDK by name; each one's output is the envelope. */
export type AiSdkTools = Record<string, AiSdkTool>;

/** Makes the `tools` of `generateText`, `streamText` or an agent, of the AI SDK or of Mastra; the output in the steps is the envelope. */
export function toAiSdkTools(given: agent.AgentTools, givenOptions: agent.ApprovalOptions = {}): AiSdkTools {
  const { tools, options } = agent.unpack(given, givenOptions);
  const made: AiSdkTools = {};
  for (const tool of tools) {
    const needsApproval = agent.approvalTest(tool, options);
    made[tool.name] = {
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description,
      inputSchema: carrySchema(tool.jsonSchema),
      execute: (input, context) => agent.callTool(tool, input, { ...options, signal: context.abortSignal }),
      toModelOutput: (answer) => toModelOutput(answer, options),
      // The second is Mastra's name for the same.
      ...(needsApproval === undefined ? {} : { needsApproval, requireApproval: needsApproval }),
    };
  }
  return made;
}

// Mastra hands over the output itself, the AI SDK an object that holds it; an envelope has no key of that name.
function toModelOutput(
  answer: { readonly output: ToolResponse<object> } | ToolResponse<object>,
  options: agent.AdapterOptions,
): ReturnType<NonNullable<AiSdkTool["toModelOutput"]>> {
  const response = "output" in answer ? answer.output : answer;
  const { text, media, failed } = modelAnswer(response, options);
  if (failed) return { type: "error-text", value: text };
  if (media.length === 0) return { type: "text", value: text };
  const parts = media.map((part) => {
    const content = { data: part.data, mediaType: part.mimeType };
    return isImage(part) ? { type: "image-data" as const, ...content } : { type: "file-data" as const, ...content };
  });
  const words = { type: "text" as const, text };
  return { type: "content", value: [words, ...parts] };
}
