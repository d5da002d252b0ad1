import type { Tool, ToolResponse } from "@fstools/protocol";

/** The part of a tool that an adapter needs; every fstools tool has it, and so may one of your own. */
export type AgentTool = Pick<Tool, "name" | "description" | "jsonSchema" | "run">;

/** Shortens an answer that is too long for a model's context, as `createTruncator` of `@fstools/protocol` does. */
export type Truncate = (tool: string, response: ToolResponse<object>) => Promise<ToolResponse<object>>;

/** What every adapter may be given. */
export interface AdapterOptions {
  /**
   * Shortens long answers before they reach the model.
   * @default answers are passed on as they are
   */
  readonly truncate?: Truncate;
}

/** What a single call may be given. */
export interface CallOptions extends AdapterOptions {
  /** Stops the tool's work; the call then answers with an error at once. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a tool and shortens its answer, if a truncator is given. */
export async function callTool(tool: AgentTool, input: unknown, options: CallOptions): Promise<ToolResponse<object>> {
  const { signal, truncate } = options;
  const response = await tool.run(input, signal === undefined ? {} : { signal });
  return truncate === undefined ? response : truncate(tool.name, response);
}
