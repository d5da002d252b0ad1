import {
  type AdapterOptions,
  type AgentTool,
  type AgentTools,
  type CallOptions,
  forTool,
  type PerTool,
  type Truncate,
  unpack,
} from "./agent-tool.ts";
import { answerCall, type TrainedTool } from "./model-answer.ts";
import type { JsonSchema } from "./schema.ts";
import {
  contentOf,
  type DocumentBlock,
  type ImageBlock,
  type ToolResultContent,
  type ToolRunnerContext,
} from "./trained/trained-tool.ts";

export type { AdapterOptions, AgentTool, AgentTools, CallOptions, JsonSchema, PerTool, Truncate };
export type { DocumentBlock, ImageBlock, ToolResultContent, ToolRunnerContext, TrainedTool };
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
export interface AnthropicToolOptions extends AdapterOptions {
  /** Passed on as they are. */
  readonly fields?: PerTool<AnthropicToolFields>;
}

/** A tool for `client.messages.create({ tools })` and `client.beta.messages.toolRunner({ tools })`. */
export interface AnthropicTool extends AnthropicToolFields {
  name: string;
  description: string;
  input_schema: JsonSchema & { type: "object" };
  /** What `toolRunner` calls; it is not sent. */
  run(input: unknown, context?: ToolRunnerContext): Promise<ToolResultContent>;
  /** The tool checks its parameters itself. */
  parse(input: unknown): unknown;
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
export function toAnthropicTools(given: AgentTools, givenOptions: AnthropicToolOptions = {}): AnthropicTool[] {
  const { tools, options } = unpack(given, givenOptions);
  return tools.map((tool) => ({
    ...forTool(tool, options.fields ?? {}),
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.jsonSchema, type: "object" },
    run: async (input, context) => {
      const call = { ...options, signal: context?.signal ?? undefined };
      const answer = await answerCall([tool], tool.name, input, call);
      // The runner marks what was thrown as an error, and sends the message.
      if (answer.failed) throw new Error(answer.text);
      return contentOf(answer);
    },
    parse: (input) => input,
  }));
}

/** Runs the tool that a `tool_use` block calls, and makes the block that answers it; never rejects. */
export async function handleToolUse(
  tools: AgentTools<AgentTool | TrainedTool>,
  block: ToolUseBlock,
  options: CallOptions = {},
): Promise<ToolResultBlock> {
  const answer = await answerCall(tools, block.name, block.input, options);
  return { type: "tool_result", tool_use_id: block.id, content: contentOf(answer), is_error: answer.failed };
}

/**
 * Answers every `tool_use` block of a message at once, in order: the content of the next user message.
 * Other blocks are left out; an empty result means that the model is done.
 */
export async function handleToolUses(
  tools: AgentTools<AgentTool | TrainedTool>,
  content: readonly { readonly type: string }[],
  options: CallOptions = {},
): Promise<ToolResultBlock[]> {
  return Promise.all(content.filter(isToolUse).map((block) => handleToolUse(tools, block, options)));
}

function isToolUse(block: { readonly type: string }): block is ToolUseBlock {
  return block.type === "tool_use";
}
