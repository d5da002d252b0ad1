import { echo, renderForModel } from "@fstools/protocol";
import { type AgentTool, callTool, type CallOptions } from "./agent-tool.ts";

/** What goes back to the model for one call. */
export interface ModelAnswer {
  readonly text: string;
  readonly failed: boolean;
}

/** Answers a call that a model made by name; an unknown name becomes an answer for the model, not an exception. */
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

function failure(text: string): ModelAnswer {
  return { text, failed: true };
}

/** Answers a call whose arguments are JSON text, as models write them. */
export async function answerJsonCall(
  tools: readonly AgentTool[],
  name: string,
  json: unknown,
  options: CallOptions,
): Promise<ModelAnswer> {
  const input = parseArguments(json);
  return "error" in input ? failure(input.error) : answerCall(tools, name, input.value, options);
}

// Some models send nothing at all for a call without arguments, and some servers the object itself.
function parseArguments(json: unknown): { readonly value: unknown } | { readonly error: string } {
  if (typeof json !== "string") return { value: json };
  try {
    return { value: json.trim() === "" ? {} : JSON.parse(json) };
  } catch {
    return { error: "The arguments are not valid JSON. Repeat the call with one complete JSON object." };
  }
}

function names(tools: readonly AgentTool[]): string {
  return tools.map(({ name }) => name).join(", ");
}
