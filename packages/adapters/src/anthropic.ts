import type { AdapterOptions, AgentTool, CallOptions, Truncate } from "./agent-tool.ts";
import { answerCall } from "./model-call.ts";
import type { JsonSchema } from "./strict-schema.ts";

export type { AdapterOptions, AgentTool, CallOptions, JsonSchema, Truncate };

/** What `toolRunner` tells the tools that it calls. */
export interface ToolRunnerContext {
  readonly signal?: AbortSignal | null | undefined;
}

/** A tool for `client.messages.create({ tools })` and `client.beta.messages.toolRunner({ tools })`. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema & { type: "object" };
  /** What `toolRunner` calls; it is not sent. */
  run(input: unknown, context?: ToolRunnerContext): Promise<string>;
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
  content: string;
  is_error: boolean;
}

/**
 * Makes the `tools` of `client.messages.create`, whose calls {@link handleToolUses} answers, and of
 * `client.beta.messages.toolRunner`, which answers them on its own.
 */
export function toAnthropicTools(tools: readonly AgentTool[], options: AdapterOptions = {}): AnthropicTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.jsonSchema, type: "object" },
    run: async (input, context) => {
      const { text, failed } = await answerCall([tool], tool.name, input, {
        ...options,
        signal: context?.signal ?? undefined,
      });
      // The runner marks what was thrown as an error, and sends the message.
      if (failed) throw new Error(text);
      return text;
    },
    parse: (input) => input,
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
