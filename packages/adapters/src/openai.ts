import * as agent from "./agent-tool.ts";
import { answerJsonCall, dataUrl, isImage, type Media } from "./model-answer.ts";
import { type JsonSchema, toStrictSchema } from "./schema.ts";
import { applyOperation, type PatchOperation, type PatchResult } from "./trained/patch-editor.ts";

export type { AdapterOptions, AgentTool, AgentTools, CallOptions, PerTool, Truncate } from "./agent-tool.ts";
export type { JsonSchema };
export { createPatchEditor, type PatchEditor, type PatchOperation, type PatchResult } from "./trained/patch-editor.ts";

/** How the tools are offered to OpenAI; `truncate` is for `runTools`, which calls them on its own. */
export interface OpenAIToolOptions extends agent.AdapterOptions {
  /** The model's arguments always fit the schema; off for servers that do not know strict mode. @default true */
  readonly strict?: boolean;
}

/** What else the Responses API can be told about a tool. */
export interface ResponsesToolFields {
  /** Lets programs that the model writes call the tool, too. */
  allowed_callers?: ("direct" | "programmatic")[];
  /** Leaves the tool out of the request's context until the model has searched for it. */
  defer_loading?: boolean;
}

/** How the tools are offered to the Responses API. */
export interface ResponsesToolOptions extends OpenAIToolOptions {
  /** Passed on as they are. */
  readonly fields?: agent.PerTool<ResponsesToolFields>;
}

/** How a tool is described to either API. */
export interface OpenAIFunction {
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: boolean;
}

/** A tool for Chat Completions. */
export interface ChatTool {
  type: "function";
  function: OpenAIFunction & {
    /** What `runTools` calls; it is not sent. */
    function: (json: string, runner?: { readonly controller: AbortController }) => Promise<string>;
  };
}

/** A tool for the Responses API. */
export interface ResponsesTool extends ResponsesToolFields, OpenAIFunction {
  type: "function";
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

/** The message with the pictures and documents of the calls before it: a tool's own message can only hold text. */
export interface ChatMediaMessage {
  role: "user";
  content: (
    | { type: "text"; text: string }
    | { type: "image_url"; image_url: { url: string } }
    | { type: "file"; file: { filename: string; file_data: string } }
  )[];
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
  output:
    | string
    | (
        | { type: "input_text"; text: string }
        | { type: "input_image"; image_url: string }
        | { type: "input_file"; filename: string; file_data: string }
      )[];
}

/** An item of type `apply_patch_call` in a response's `output`. */
export interface PatchCall {
  readonly type: "apply_patch_call";
  readonly call_id: string;
  readonly operation: PatchOperation;
}

/** The input item that answers a {@link PatchCall}. */
export interface PatchCallOutput extends PatchResult {
  type: "apply_patch_call_output";
  call_id: string;
}

/** Makes tools for `chat.completions.create`, with {@link handleToolCalls}, or for `runTools`, which needs no more. */
export function toChatTools(given: agent.AgentTools, givenOptions: OpenAIToolOptions = {}): ChatTool[] {
  const { tools, options } = agent.unpack(given, givenOptions);
  return tools.map((tool) => ({
    type: "function",
    function: {
      ...describe(tool, options),
      function: async (json, runner) => {
        const call = { ...options, signal: runner?.controller.signal, media: false };
        return (await answerJsonCall([tool], tool.name, json, call)).text;
      },
    },
  }));
}

/** Describes tools for `client.responses.create({ tools })`. */
export function toResponsesTools(given: agent.AgentTools, options: ResponsesToolOptions = {}): ResponsesTool[] {
  return agent.unpack(given, options).tools.map((tool) => {
    return { ...agent.forTool(tool, options.fields ?? {}), type: "function", ...describe(tool, options) };
  });
}

/** Answers a call of Chat Completions, in text alone: for pictures use {@link handleToolCalls}; never rejects. */
export function handleToolCall(
  tools: agent.AgentTools,
  call: ChatToolCall,
  options?: agent.CallOptions,
): Promise<ChatToolMessage>;
/** Runs the tool that a response calls, and makes the input item that answers it; never rejects. */
export function handleToolCall(
  tools: agent.AgentTools,
  call: ResponsesToolCall,
  options?: agent.CallOptions,
): Promise<ResponsesToolOutput>;
export async function handleToolCall(
  tools: agent.AgentTools,
  call: ChatToolCall | ResponsesToolCall,
  options: agent.CallOptions = {},
): Promise<ChatToolMessage | ResponsesToolOutput> {
  if (!("call_id" in call)) return (await answerChatCall(tools, call, { ...options, media: false })).message;
  const { text, media } = await answerJsonCall(tools, call.name, call.arguments, options);
  const output = media.length === 0 ? text : [{ type: "input_text" as const, text }, ...media.map(responsesPart)];
  return { type: "function_call_output", call_id: call.call_id, output };
}

/** Applies the patch that a response asks for, with the tool Patch, and makes the input item that answers it. */
export async function handlePatchCall(
  tools: agent.AgentTools,
  { call_id, operation }: PatchCall,
  options: agent.CallOptions = {},
): Promise<PatchCallOutput> {
  return { type: "apply_patch_call_output", call_id, ...(await applyOperation(tools, operation, options)) };
}

/** Answers all calls of a Chat Completions message, in order, and then shows their pictures, if any; never rejects. */
export async function handleToolCalls(
  tools: agent.AgentTools,
  calls: readonly ChatToolCall[],
  options: agent.CallOptions = {},
): Promise<(ChatToolMessage | ChatMediaMessage)[]> {
  const answers = await Promise.all(calls.map((call) => answerChatCall(tools, call, options)));
  const messages = answers.map(({ message }) => message);
  const content = answers.flatMap(({ pictures }) => pictures);
  return content.length === 0 ? messages : [...messages, { role: "user", content }];
}

async function answerChatCall(tools: agent.AgentTools, call: ChatToolCall, options: agent.CallOptions) {
  const { name = call.type, arguments: json = "" } = call.function ?? {};
  const { text, media } = await answerJsonCall(tools, name, json, options);
  const message: ChatToolMessage = { role: "tool", tool_call_id: call.id, content: text };
  const heading = { type: "text" as const, text: `From tool call ${call.id}:` };
  return { message, pictures: media.length === 0 ? [] : [heading, ...media.map(chatPart)] };
}

function chatPart(part: Media): ChatMediaMessage["content"][number] {
  return isImage(part)
    ? { type: "image_url", image_url: { url: dataUrl(part) } }
    : { type: "file", file: { filename: FILE_NAME, file_data: dataUrl(part) } };
}

function responsesPart(part: Media): Exclude<ResponsesToolOutput["output"], string>[number] {
  return isImage(part)
    ? { type: "input_image", image_url: dataUrl(part) }
    : { type: "input_file", filename: FILE_NAME, file_data: dataUrl(part) };
}

// The API wants one; the text names the file itself.
const FILE_NAME = "document.pdf";

function describe({ name, description, jsonSchema }: agent.AgentTool, { strict = true }: OpenAIToolOptions) {
  return { name, description, parameters: strict ? toStrictSchema(jsonSchema) : { ...jsonSchema }, strict };
}
