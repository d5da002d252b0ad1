import { echo, isRecord, type ToolResponse } from "@fstools/protocol";
import { type AgentTool, type AgentTools, callTool, type CallOptions } from "../agent-tool.ts";
import type { ModelAnswer } from "../model-answer.ts";
import { contentOf, type ToolResultContent } from "../tool-result.ts";
import { Refusal } from "./refusal.ts";

/** What else the API can be told about a tool. */
export interface AnthropicToolFields {
  /** Lets the model's code call the tool, too. */
  allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[];
  /** Leaves the tool out of the request's context until the model has searched for it. */
  defer_loading?: boolean;
  cache_control?: { type: "ephemeral"; ttl?: "5m" | "1h" };
}

/** What `toolRunner` tells the tools that it calls. */
export interface ToolRunnerContext {
  readonly signal?: AbortSignal | null | undefined;
}

/** How a tool whose shape the model knows is run; none of this is sent. */
export interface TrainedCalls {
  /** What `toolRunner` calls. */
  run(input: unknown, context?: ToolRunnerContext): Promise<ToolResultContent>;
  /** The tool checks its parameters itself. */
  parse(input: unknown): unknown;
  /** What the AI SDK's tool of this kind is given; its answers are text. */
  readonly execute: (input: unknown, context?: { readonly abortSignal?: AbortSignal | undefined }) => Promise<string>;
  /** What `handleToolUse` calls; never rejects. */
  answer(input: unknown, options?: CallOptions): Promise<ModelAnswer>;
}

/** Calls one of the toolset's tools. */
export type CallTool = (tool: string, params: object) => Promise<ToolResponse<object>>;

/** What the model sends with a command. */
export type CommandInput = Readonly<Record<string, unknown>>;

/** What a tool does, by the names that the model knows. */
export type Commands = Readonly<
  Record<string, (input: CommandInput, call: CallTool) => Promise<string | ModelAnswer> | string>
>;

/** A line of a file. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** What a tool's documentation has its answers say. */
export interface Sentences {
  readonly noMatch: (path: string, text: string) => string;
  readonly manyMatches: (text: string, count: string, lines: string) => string;
  readonly replaced: (snippet: string) => string;
  readonly line: (line: NumberedLine) => string;
  /** What is above the lines of a file that has so many. */
  readonly heading: (path: string, totalLines: number | undefined) => readonly string[];
}

/** What a tool is to the API, the tools that it is made of, and its commands. */
export interface TrainedToolSpec<Definition> {
  readonly definition: Definition;
  readonly toolset: AgentTools;
  readonly needs: readonly string[];
  readonly commands: Commands;
}

/**
 * Makes a tool of a shape that models were trained on out of a toolset's own tools.
 * @throws TypeError if the toolset has not all that it needs
 */
export function createTrainedTool<Definition extends { readonly name: string }>(
  spec: TrainedToolSpec<Definition>,
): Definition & TrainedCalls {
  const { definition, toolset, needs } = spec;
  const tools = "tools" in toolset ? toolset.tools : toolset;
  const toolNamed = (name: string): AgentTool => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool !== undefined) return tool;
    throw new TypeError(`${definition.name} is made of ${needs.join(", ")}; the toolset has no ${name}.`);
  };
  needs.forEach(toolNamed);
  const commands = new Map(Object.entries(spec.commands));
  const answer = async (input: unknown, { signal, traceparent, media }: CallOptions = {}): Promise<ModelAnswer> => {
    const { command, ...params } = isRecord(input) ? input : {};
    const perform = commands.get(String(command));
    const call: CallTool = (name, asked) => callTool(toolNamed(name), asked, { signal, traceparent });
    try {
      if (perform === undefined) {
        const known = [...commands.keys()].join(", ");
        throw new Refusal(`Error: Unknown command '${echo(String(command))}'. Use one of: ${known}.`);
      }
      const answered = await perform(params, call);
      return typeof answered === "string" ? textAnswer(answered) : media === false ? withoutMedia(answered) : answered;
    } catch (error) {
      if (error instanceof Refusal) return { ...textAnswer(error.message), failed: true };
      throw error;
    }
  };
  return {
    ...definition,
    answer,
    parse: (input) => input,
    run: async (input, context) => {
      const answered = await answer(input, { signal: context?.signal ?? undefined });
      // The runner marks what was thrown as an error, and puts this word in front of it.
      if (answered.failed) throw new Error(answered.text.replace(/^Error: /u, ""));
      return contentOf(answered);
    },
    execute: async (input, context) => {
      const { text, failed } = await answer(input, { signal: context?.abortSignal, media: false });
      if (failed) throw new Error(text);
      return text;
    },
  };
}

function textAnswer(text: string): ModelAnswer {
  return { text, media: [], failed: false };
}

function withoutMedia({ text, media }: ModelAnswer): ModelAnswer {
  const missing = media.map(({ mimeType }) => `[Not delivered: ${mimeType}, which cannot be sent here.]`);
  return textAnswer([text, ...missing].join("\n\n"));
}
