import { isRecord } from "@fstools/protocol";
import * as agent from "./agent-tool.ts";
import { answerJsonCall, dataUrl, isImage, type Media } from "./model-answer.ts";
import type { OpenAIToolOptions } from "./openai.ts";
import { type JsonSchema, toStrictSchema } from "./schema.ts";

export type { AdapterOptions, AgentTool, AgentTools, ApprovalOptions, Truncate } from "./agent-tool.ts";
export { createPatchEditor, type PatchEditor, type PatchOperation, type PatchResult } from "./trained/patch-editor.ts";

/** How the tools are offered to an agent. */
export interface OpenAIAgentsToolOptions extends agent.ApprovalOptions, Pick<OpenAIToolOptions, "strict"> {}

/** The text alone, or with pictures and documents. */
export type OpenAIAgentsOutput =
  | string
  | (
      | { type: "text"; text: string }
      | { type: "image"; image: string }
      | { type: "file"; file: { data: string; mediaType: string; filename: string } }
    )[];

/** A function tool of `@openai/agents`. */
export interface OpenAIAgentsTool {
  type: "function";
  name: string;
  description: string;
  parameters: {
    type: "object";
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  strict: boolean;
  invoke(context: unknown, input: string, details?: { readonly signal?: AbortSignal }): Promise<OpenAIAgentsOutput>;
  needsApproval(context: unknown, input: unknown): Promise<boolean>;
  isEnabled(): Promise<boolean>;
}

/** Makes the `tools` of an `Agent`; a run's abort signal reaches the tool, and a tool that writes interrupts the run for approval. */
export function toOpenAIAgentsTools(
  given: agent.AgentTools,
  givenOptions: OpenAIAgentsToolOptions = {},
): OpenAIAgentsTool[] {
  const { tools, options } = agent.unpack(given, givenOptions);
  const { strict = true } = options;
  return tools.map((tool) => {
    const asks = agent.approvalTest(tool, options);
    return {
      type: "function",
      name: tool.name,
      description: tool.description,
      parameters: parametersOf(strict ? toStrictSchema(tool.jsonSchema) : { ...tool.jsonSchema }),
      strict,
      invoke: async (_context, input, details) => {
        const call = { ...options, signal: details?.signal };
        const { text, media } = await answerJsonCall([tool], tool.name, input, call);
        return media.length === 0 ? text : [{ type: "text" as const, text }, ...media.map(outputPart)];
      },
      needsApproval: (_context, input) => Promise.resolve(asks?.(input) ?? false),
      isEnabled: () => Promise.resolve(true),
    };
  });
}

function outputPart(part: Media): Exclude<OpenAIAgentsOutput, string>[number] {
  const { data, mimeType: mediaType } = part;
  return isImage(part)
    ? { type: "image", image: dataUrl(part) }
    : { type: "file", file: { data, mediaType, filename: "document.pdf" } };
}

function parametersOf({ properties, required, ...schema }: JsonSchema): OpenAIAgentsTool["parameters"] {
  return {
    ...schema,
    type: "object",
    properties: isRecord(properties) ? { ...properties } : {},
    required: Array.isArray(required) ? required.map(String) : [],
    additionalProperties: false,
  };
}
