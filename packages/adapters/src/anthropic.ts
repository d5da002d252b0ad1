import type { AdapterOptions, AgentTool, CallOptions, Truncate } from "./agent-tool.ts";
import { answerCall } from "./model-call.ts";
import type { JsonSchema } from "./strict-schema.ts";

export type { AdapterOptions, AgentTool, CallOptions, JsonSchema, Truncate };

/** A tool for `client.messages.create({ tools })`. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema & { type: "object" };
}

/** A block of type `tool_use` in a message's `content`. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The block that answers a {@link ToolUseBlock}. */
export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error: boolean;
}

/** Describes tools for `client.messages.create({ tools })`. */
export function toAnthropicTools(tools: readonly AgentTool[]): AnthropicTool[] {
  return tools.map(({ name, description, jsonSchema }) => ({
    name,
    description,
    input_schema: { ...jsonSchema, type: "object" },
  }));
}

/** Runs the tool that a `tool_use` block calls, and makes the block that answers it; never rejects. */
export async function handleToolUse(
  tools: readonly AgentTool[],
  block: ToolUseBlock,
  options: CallOptions = {},
): Promise<ToolResultBlock> {
  const { text, failed } = await answerCall(tools, block.name, block.input, options);
  return { type: "tool_result", tool_use_id: block.id, content: text, is_error: failed };
}

/**
 * Answers every `tool_use` block of a message at once, in order: the content of the next user message.
 * Other blocks are left out; an empty result means that the model is done.
 */
export async function handleToolUses(
  tools: readonly AgentTool[],
  content: readonly { readonly type: string }[],
  options: CallOptions = {},
): Promise<ToolResultBlock[]> {
  return Promise.all(content.filter(isToolUse).map((block) => handleToolUse(tools, block, options)));
}

function isToolUse(block: { readonly type: string }): block is ToolUseBlock {
  return block.type === "tool_use";
}
