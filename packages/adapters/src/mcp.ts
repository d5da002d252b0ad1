import { isRecord, type ToolResponse, toolResponseJsonSchema } from "@fstools/protocol";
import * as agent from "./agent-tool.ts";
import { isImage, type Media, modelAnswer } from "./model-answer.ts";
import { carryMcpSchema, type JsonSchema, type McpSchema } from "./schema.ts";

export type { AdapterOptions, AgentTool, AgentTools, Truncate } from "./agent-tool.ts";
export type { JsonSchema, McpSchema };

/** What a client may assume about a tool before it calls it. */
export interface McpToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** The part of a tool that describes it. */
export type DescribedTool = Omit<agent.AgentTool, "run">;

/** How tools are offered to MCP clients. */
export interface McpToolOptions extends agent.AdapterOptions {
  /** What clients may assume about the tools. @default what a tool's `effect` says, and only below its project root */
  readonly annotations?: agent.PerTool<McpToolAnnotations, DescribedTool>;
  /** Adds the envelope as `structuredContent`, which many clients show the model instead of the text. @default false */
  readonly structured?: boolean;
}

/** A part of a `tools/call` result. */
export type McpContent =
  | { type: "text"; text: string }
  | { type: "image"; mimeType: string; data: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; blob: string } };

/** A `tools/call` result: text and pictures for the model, and if asked for the envelope for programs. */
export interface McpToolResult {
  content: McpContent[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
  /** MCP lets results carry more. */
  [key: string]: unknown;
}

/** What `McpServer.registerTool` of either MCP SDK takes besides the name and the handler. */
export interface McpToolConfig<Schema = McpSchema> {
  title?: string;
  description: string;
  inputSchema: Schema;
  outputSchema?: Schema;
  annotations: McpToolAnnotations;
}

/** An entry of a `tools/list` result. */
export interface McpTool extends McpToolConfig<JsonSchema & { type: "object" }> {
  name: string;
}

/** The part of an `McpServer` that {@link registerTools} uses: each MCP SDK has its own types for config and handler. */
export interface McpToolRegistry {
  registerTool(name: string, config: never, handler: never): unknown;
}

type McpHandler = (input: unknown, context: McpCallContext) => Promise<McpToolResult>;
type Register = (name: string, config: McpToolConfig, handler: McpHandler) => unknown;

/** Registers tools with an `McpServer` of either MCP SDK, or with what `createSdkMcpServer` made. @returns what was given */
export function registerTools<Server extends McpToolRegistry | { readonly instance: McpToolRegistry }>(
  server: Server,
  given: agent.AgentTools,
  givenOptions: McpToolOptions = {},
): Server {
  const { tools, options } = agent.unpack(given, givenOptions);
  const registry: unknown = "instance" in server ? server.instance : server;
  if (!isCommon(registry)) throw new TypeError("Expected an McpServer with a method 'registerTool'.");
  for (const tool of tools) {
    registry.registerTool(tool.name, toMcpToolConfig(tool, options), (input, context) =>
      callMcpTool(tool, input, context, options),
    );
  }
  return server;
}

/** Describes a tool for `McpServer.registerTool`. */
export function toMcpToolConfig(tool: DescribedTool, options: McpToolOptions = {}): McpToolConfig {
  return described(tool, options, carryMcpSchema);
}

/** Describes tools for a `tools/list` result, for servers that answer the protocol's requests themselves. */
export function toMcpTools(tools: readonly DescribedTool[], options: McpToolOptions = {}): McpTool[] {
  const asObject = (schema: object) => ({ ...schema, type: "object" as const });
  return tools.map((tool) => ({ name: tool.name, ...described(tool, options, asObject) }));
}

/** Runs a tool for a `tools/call` request: stops when the client cancels, reports progress when it asked for it. */
export async function callMcpTool(
  tool: agent.AgentTool,
  input: unknown,
  context: McpCallContext,
  options: McpToolOptions = {},
): Promise<McpToolResult> {
  const { truncate, structured = false } = options;
  const request = "mcpReq" in context ? context.mcpReq : { ...context, notify: context.sendNotification };
  const trace = String(request._meta?.traceparent);
  const call = { signal: request.signal, traceparent: TRACEPARENT.test(trace) ? trace : undefined };
  const timer = startProgress(tool.name, request);
  const response = await agent.callTool(tool, input, call).finally(() => {
    clearInterval(timer);
  });
  const shown = truncate === undefined ? response : await truncate(tool.name, response);
  const result = toMcpToolResult(shown, { ...options, structured: false });
  return structured ? { ...result, structuredContent: { ...response } } : result;
}

/** Turns an envelope into a `tools/call` result. */
export function toMcpToolResult(
  response: ToolResponse<object>,
  options: Pick<McpToolOptions, "structured" | "lineNumbers" | "media"> = {},
): McpToolResult {
  const { structured = false } = options;
  const { text, media, failed } = modelAnswer(response, options);
  return {
    content: [{ type: "text", text }, ...media.map((part) => mcpContent(part, response))],
    ...(structured ? { structuredContent: { ...response } } : {}),
    isError: failed,
  };
}

function mcpContent(part: Media, { context }: ToolResponse<object>): McpContent {
  const { mimeType, data } = part;
  if (isImage(part)) return { type: "image", mimeType, data };
  const uri = `fstools:///${encodeURI(context.path_resolved ?? "")}`;
  return { type: "resource", resource: { uri, mimeType, blob: data } };
}

function isCommon(registry: unknown): registry is { registerTool: Register } {
  return isRecord(registry) && typeof registry.registerTool === "function";
}

function described<Schema>(
  tool: DescribedTool,
  { annotations = annotationsOf, structured = false }: McpToolOptions,
  carried: (schema: object) => Schema,
): McpToolConfig<Schema> {
  const { title, description, jsonSchema } = tool;
  return {
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema: carried(jsonSchema),
    ...(structured ? { outputSchema: carried(toolResponseJsonSchema()) } : {}),
    annotations: agent.forTool(tool, annotations),
  };
}

function annotationsOf({ effect }: DescribedTool): McpToolAnnotations {
  const reads = effect !== "write";
  return { readOnlyHint: reads, destructiveHint: !reads, idempotentHint: reads, openWorldHint: false };
}

type Tell = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; message: string };
}) => Promise<void>;

type Call<Notify extends string> = Readonly<Record<Notify, Tell>> & {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined; readonly traceparent?: unknown } | undefined;
};

/** What an MCP server gets with a call, in SDK 1 or SDK 2. */
export type McpCallContext = Call<"sendNotification"> | { readonly mcpReq: Call<"notify"> };

/** Often enough for a client that restarts its clock on progress, rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 500;

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/u;

/** Tells a client that asked how long the work takes; without a total, as a tool does not know how much there is. */
function startProgress(tool: string, { _meta: { progressToken } = {}, notify }: Call<"notify">) {
  if (progressToken === undefined) return undefined;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round(performance.now() - startedAt) / 1000;
    const params = { progressToken, progress, message: `${tool} is at work (${progress.toFixed(1)} s).` };
    // A client that is gone does not stop the work; its cancellation does.
    notify({ method: "notifications/progress", params }).catch(() => {
      clearInterval(timer);
    });
  }, PROGRESS_EVERY_MS);
  return timer;
}
