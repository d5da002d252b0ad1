import * as agent from "./agent-tool.ts";
import { answerCall, type TrainedTool } from "./model-answer.ts";
import type { JsonSchema } from "./schema.ts";
import { contentOf, forRunner, type RunnerCalls, type ToolResultContent } from "./trained/trained-tool.ts";

export type { AdapterOptions, AgentTool, AgentTools, CallOptions, PerTool, Truncate } from "./agent-tool.ts";
export type { JsonSchema, TrainedTool };
export type { DocumentBlock, ImageBlock, ToolResultContent, ToolRunnerContext } from "./trained/trained-tool.ts";
export { createMemory, type MemoryOptions, type MemoryTool } from "./trained/memory.ts";
export { createTextEditor, type TextEditor, type TextEditorOptions } from "./trained/text-editor.ts";

/** What else the API can be told about a tool. */
export interface AnthropicToolFields {
  /** Lets the model's code call the tool, too. */
  allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[];
  /** Leaves the tool out of the request's context until the model has searched for it. */
  defer_loading?: boolean;
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" };
}

/** How the tools are offered to Anthropic. */
export interface AnthropicToolOptions extends agent.AdapterOptions {
  /** Passed on as they are. */
  readonly fields?: agent.PerTool<AnthropicToolFields>;
}

/** A tool for `client.messages.create({ tools })` and `client.beta.messages.toolRunner({ tools })`. */
export interface AnthropicTool extends AnthropicToolFields, RunnerCalls {
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
  content: ToolResultContent;
  is_error: boolean;
}

/** Makes tools for `messages.create`, with {@link handleToolUses}, or for `toolRunner`, which needs nothing else. */
export function toAnthropicTools(given: agent.AgentTools, givenOptions: AnthropicToolOptions = {}): AnthropicTool[] {
  const { tools, options } = agent.unpack(given, givenOptions);
  return tools.map((tool) => ({
    ...agent.forTool(tool, options.fields ?? {}),
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.jsonSchema, type: "object" },
    ...forRunner((input, call) => answerCall([tool], tool.name, input, { ...options, ...call })),
  }));
}

/** Runs the tool that a `tool_use` block calls, and makes the block that answers it; never rejects. */
export async function handleToolUse(
  tools: agent.AgentTools<agent.AgentTool | TrainedTool>,
  block: ToolUseBlock,
  options: agent.CallOptions = {},
): Promise<ToolResultBlock> {
  const answer = await answerCall(tools, block.name, block.input, options);
  return { type: "tool_result", tool_use_id: block.id, content: contentOf(answer), is_error: answer.failed };
}

/** Answers every `tool_use` block of a message, in order: the content of the next user message; empty when the model is done. */
export async function handleToolUses(
  tools: agent.AgentTools<agent.AgentTool | TrainedTool>,
  content: readonly { readonly type: string }[],
  options: agent.CallOptions = {},
): Promise<ToolResultBlock[]> {
  return Promise.all(content.filter(isToolUse).map((block) => handleToolUse(tools, block, options)));
}

function isToolUse(block: { readonly type: string }): block is ToolUseBlock {
  return block.type === "tool_use";
}
