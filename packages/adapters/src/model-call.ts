import { echo } from "@fstools/protocol";
import { type AgentTool, type AgentTools, callTool, type CallOptions, unpack } from "./agent-tool.ts";
import { modelAnswer, type ModelAnswer } from "./model-answer.ts";

/** A tool of a shape that models were trained on, which answers in its own words. */
export interface TrainedTool {
  readonly name: string;
  /** Never rejects. */
  answer(input: unknown, options?: CallOptions): Promise<ModelAnswer>;
}

/** Answers a call that a model made by name; an unknown name becomes an answer for the model, not an exception. */
export async function answerCall(
  given: AgentTools<AgentTool | TrainedTool>,
  name: string,
  input: unknown,
  callOptions: CallOptions,
): Promise<ModelAnswer> {
  const { tools, options } = unpack(given, callOptions);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    return failure(`Unknown tool '${echo(name)}'. Call one of: ${tools.map((one) => one.name).join(", ")}.`);
  }
  if ("answer" in tool) return tool.answer(input, options);
  return modelAnswer(await callTool(tool, input, options), options);
}

/** Answers a call whose arguments are JSON text, as models write them. */
export async function answerJsonCall(
  tools: AgentTools,
  name: string,
  json: unknown,
  options: CallOptions,
): Promise<ModelAnswer> {
  const input = parseArguments(json);
  return "error" in input ? failure(input.error) : answerCall(tools, name, input.value, options);
}

function failure(text: string): ModelAnswer {
  return { text, media: [], failed: true };
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
