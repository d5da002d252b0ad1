import { echo, renderForModel } from "@fstools/protocol";
import { type AgentTool, callTool, type CallOptions } from "./agent-tool.ts";

/** What goes back to the model for one call. */
export interface ModelAnswer {
  readonly text: string;
  readonly failed: boolean;
}

/** Answers a call that a model made by name; a name that no tool has is told to the model, not thrown. */
export async function answerCall(
  tools: readonly AgentTool[],
  name: string,
  input: unknown,
  options: CallOptions,
): Promise<ModelAnswer> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return failure(`Unknown tool '${echo(name)}'. Call one of: ${names(tools)}.`);
  const response = await callTool(tool, input, options);
  return { text: renderForModel(response), failed: response.status === "error" };
}

/** Tells the model that its call could not even be made. */
export function failure(text: string): ModelAnswer {
  return { text, failed: true };
}

function names(tools: readonly AgentTool[]): string {
  return tools.map(({ name }) => name).join(", ");
}
