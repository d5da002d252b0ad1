import { isRecord, type LineNumbers, type RunOptions, type Tool, type ToolResponse } from "@fstools/protocol";

/** The part of a tool that an adapter needs; every fstools tool has it, and so may one of your own. */
export interface AgentTool extends Pick<Tool, "name" | "description" | "jsonSchema" | "title"> {
  /** Answers every call with an envelope; never rejects. */
  run(input: unknown, options?: RunOptions): Promise<ToolResponse<object>>;
  /** What a call can do to the files; annotations and approval steps of SDKs follow it. @default "read" */
  readonly effect?: "read" | "write";
}

/** Tools, or a toolset, of which the truncator and the line numbers are used too. */
export type AgentTools<Tool = AgentTool> =
  | readonly Tool[]
  | { readonly tools: readonly Tool[]; readonly truncate: Truncate; readonly lineNumbers?: LineNumbers };

/** Shortens an answer that is too long for a model's context, as `createTruncator` of `@fstools/protocol` does. */
export type Truncate = (tool: string, response: ToolResponse<object>) => Promise<ToolResponse<object>>;

/** What every adapter may be given. */
export interface AdapterOptions {
  /** Shortens long answers. @default that of the toolset; the answers of bare tools stay as they are */
  readonly truncate?: Truncate | undefined;
  /** Whether the model sees the lines of a file with their numbers. @default that of the toolset, else "all" */
  readonly lineNumbers?: LineNumbers | undefined;
  /** Whether pictures and PDFs are sent; off for models that take text alone, which are then told so. @default true */
  readonly media?: boolean | undefined;
}

/** Options of an adapter whose SDK can ask the user before a tool runs. */
export interface ApprovalOptions extends AdapterOptions {
  /** Whether a tool that writes waits for the user, as the SDK has it; a dry run never does. @default true */
  readonly approval?: boolean;
}

/** The same for all tools, or made for each. */
export type PerTool<Value, Tool = AgentTool> = Value | ((tool: Tool) => Value);

export function forTool<Value extends object, Tool>(tool: Tool, value: PerTool<Value, Tool>): Value {
  return typeof value === "function" ? value(tool) : value;
}

/** What a single call may be given. */
export interface CallOptions extends AdapterOptions, RunOptions {}

export function unpack<Options extends AdapterOptions, Tool = AgentTool>(
  given: AgentTools<Tool>,
  options: Options,
): { readonly tools: readonly Tool[]; readonly options: Options } {
  if (!("tools" in given)) return { tools: given, options };
  const { truncate = given.truncate, lineNumbers = given.lineNumbers } = options;
  return { tools: given.tools, options: { ...options, truncate, lineNumbers } };
}

export async function callTool(tool: AgentTool, input: unknown, options: CallOptions): Promise<ToolResponse<object>> {
  const { signal, traceparent, truncate } = options;
  const response = await tool.run(input, { signal, traceparent });
  return truncate === undefined ? response : truncate(tool.name, response);
}

/** Tells which calls wait for the user; undefined if none does. */
export function approvalTest(tool: AgentTool, { approval = true }: ApprovalOptions) {
  if (!approval || tool.effect !== "write") return undefined;
  return (input: unknown): boolean => !(isRecord(input) && input.dry_run === true);
}
