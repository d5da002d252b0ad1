import type { AdapterOptions, AgentTool, CallOptions, Truncate } from "./agent-tool.ts";
import { answerJsonCall } from "./model-call.ts";
import { type JsonSchema, toStrictSchema } from "./strict-schema.ts";

export type { AdapterOptions, AgentTool, CallOptions, JsonSchema, Truncate };

/** How the tools are offered to OpenAI; `truncate` is for `runTools`, which calls them on its own. */
export interface OpenAIToolOptions extends AdapterOptions {
  /**
   * Strict mode: the model's arguments always fit the schema. Turn it off for servers that do not know it.
   * @default true
   */
  readonly strict?: boolean;
}

/** What a runner of the SDK tells the tools that it calls. */
export interface ChatRunner {
  readonly controller: AbortController;
}

/** A tool for Chat Completions. */
export interface ChatTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: JsonSchema;
    strict: boolean;
    /** What `runTools` calls; it is not sent. */
    function: (json: string, runner?: ChatRunner) => Promise<string>;
  };
}

/** A tool for the Responses API. */
export interface ResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: boolean;
}

/** An entry of a Chat Completions message's `tool_calls`. */
export interface ChatToolCall {
  readonly id: string;
  readonly type: string;
  /** Absent in a call of a custom tool, of which there are none here. */
  readonly function?: { readonly name: string; readonly arguments: string };
}

/** The message that answers a {@link ChatToolCall}. */
export interface ChatToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** An item of type `function_call` in a response's `output`. */
export interface ResponsesToolCall {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The input item that answers a {@link ResponsesToolCall}. */
export interface ResponsesToolOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

/**
 * Makes the `tools` of `client.chat.completions.create`, whose calls {@link handleToolCall} answers, and of `runTools`,
 * which answers them on its own.
 */
export function toChatTools(tools: readonly AgentTool[], options: OpenAIToolOptions = {}): ChatTool[] {
  return tools.map((tool) => ({
    type: "function",
    function: {
      ...describe(tool, options),
      function: async (json, runner) => {
        const call = { ...options, signal: runner?.controller.signal };
        return (await answerJsonCall([tool], tool.name, json, call)).text;
      },
    },
  }));
}

/** Describes tools for `client.responses.create({ tools })`. */
export function toResponsesTools(tools: readonly AgentTool[], options: OpenAIToolOptions = {}): ResponsesTool[] {
  return tools.map((tool) => ({ type: "function", ...describe(tool, options) }));
}

/** Runs the tool that a Chat Completions message calls, and makes the message that answers it; never rejects. */
export function handleToolCall(
  tools: readonly AgentTool[],
  call: ChatToolCall,
  options?: CallOptions,
): Promise<ChatToolMessage>;
/** Runs the tool that a response calls, and makes the input item that answers it; never rejects. */
export function handleToolCall(
  tools: readonly AgentTool[],
  call: ResponsesToolCall,
  options?: CallOptions,
): Promise<ResponsesToolOutput>;
export async function handleToolCall(
  tools: readonly AgentTool[],
  call: ChatToolCall | ResponsesToolCall,
  options: CallOptions = {},
): Promise<ChatToolMessage | ResponsesToolOutput> {
  if ("call_id" in call) {
    const { text } = await answerJsonCall(tools, call.name, call.arguments, options);
    return { type: "function_call_output", call_id: call.call_id, output: text };
  }
  const { name = call.type, arguments: json = "" } = call.function ?? {};
  const { text } = await answerJsonCall(tools, name, json, options);
  return { role: "tool", tool_call_id: call.id, content: text };
}

function describe({ name, description, jsonSchema }: AgentTool, { strict = true }: OpenAIToolOptions) {
  return { name, description, parameters: strict ? toStrictSchema(jsonSchema) : { ...jsonSchema }, strict };
}
