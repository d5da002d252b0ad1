import { echo, type FailedResponse, isRecord, type ToolResponse } from "@fstools/protocol";
import { type AgentTool, type AgentTools, callTool, type CallOptions, unpack } from "../agent-tool.ts";
import { type Media, modelAnswer, type ModelAnswer, type TrainedTool } from "../model-answer.ts";

/** What `toolRunner` tells the tools that it calls. */
export interface ToolRunnerContext {
  readonly signal?: AbortSignal | null | undefined;
}

/** What `toolRunner` calls; none of this is sent. */
export interface RunnerCalls {
  run(input: unknown, context?: ToolRunnerContext): Promise<ToolResultContent>;
  /** The tool checks its parameters itself. */
  parse(input: unknown): unknown;
}

/** How a tool whose shape the model knows is run. */
export interface TrainedCalls extends RunnerCalls, TrainedTool {
  /** What the AI SDK's tool of this kind is given; its answers are text. */
  readonly execute: (input: unknown, context?: { readonly abortSignal?: AbortSignal | undefined }) => Promise<string>;
}

export type CallTool = (tool: string, params: object) => Promise<ToolResponse<object>>;

export type CommandInput = Readonly<Record<string, unknown>>;

/** What a tool does, by the names that the model knows: each answers with a text, or with the answer of a tool. */
export type Commands = Readonly<
  Record<string, (input: CommandInput, call: CallTool) => Promise<string | ToolResponse<object>>>
>;

/** Makes a tool out of a toolset's own tools. @throws TypeError if the toolset has not all that it needs */
export function createTrainedTool<Definition extends { readonly name: string }>(
  definition: Definition,
  given: { readonly toolset: AgentTools; readonly needs: readonly string[]; readonly commands: Commands },
): Definition & TrainedCalls {
  const { needs } = given;
  const { tools } = unpack(given.toolset, {});
  const toolNamed = (name: string): AgentTool => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool !== undefined) return tool;
    throw new TypeError(`${definition.name} is made of ${needs.join(", ")}; the toolset has no ${name}.`);
  };
  needs.forEach(toolNamed);
  const commands = new Map(Object.entries(given.commands));
  const answer = async (input: unknown, { signal, traceparent, media }: CallOptions = {}): Promise<ModelAnswer> => {
    const { command, ...params } = isRecord(input) ? input : {};
    const problem = `Error: Unknown command '${echo(String(command))}'. Use one of: ${[...commands.keys()].join(", ")}.`;
    const perform = commands.get(String(command)) ?? (() => Promise.reject(new Refusal(problem)));
    try {
      const done = await perform(params, (name, asked) => callTool(toolNamed(name), asked, { signal, traceparent }));
      return typeof done === "string" ? { text: done, media: [], failed: false } : modelAnswer(done, { media });
    } catch (error) {
      if (error instanceof Refusal) return { text: error.message, media: [], failed: true };
      throw error;
    }
  };
  return {
    ...definition,
    answer,
    ...forRunner(answer),
    execute: async (input, context) => {
      const { text, failed } = await answer(input, { signal: context?.abortSignal, media: false });
      if (failed) throw new Error(text);
      return text;
    },
  };
}

export function forRunner(answer: TrainedTool["answer"]): RunnerCalls {
  return {
    run: async (input, context) => {
      const done = await answer(input, { signal: context?.signal ?? undefined });
      // The runner marks what was thrown as an error, and puts this word in front of it.
      if (done.failed) throw new Error(done.text.replace(/^Error: /u, ""));
      return contentOf(done);
    },
    parse: (input) => input,
  };
}

/** A picture in a result. */
export interface ImageBlock {
  type: "image";
  source: { type: "base64"; media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp"; data: string };
}

/** A PDF in a result. */
export interface DocumentBlock {
  type: "document";
  source: { type: "base64"; media_type: "application/pdf"; data: string };
}

/** The text alone, or with pictures and documents. */
export type ToolResultContent = string | ({ type: "text"; text: string } | ImageBlock | DocumentBlock)[];

export function contentOf({ text, media }: ModelAnswer): ToolResultContent {
  return media.length === 0 ? text : [{ type: "text", text }, ...media.map(blockOf)];
}

function blockOf({ mimeType, data }: Media): ImageBlock | DocumentBlock {
  const image = IMAGE_TYPES.find((type) => type === mimeType);
  return image === undefined
    ? { type: "document", source: { type: "base64", media_type: "application/pdf", data } }
    : { type: "image", source: { type: "base64", media_type: image, data } };
}

const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** A file as the model calls it, and as the tools do. */
export interface NamedFile {
  readonly shown: string;
  readonly path: string;
}

/** An answer that the model has to see as an error. */
export class Refusal extends Error {}

/** @throws Refusal if there is no path */
export function namedFile(path: unknown): NamedFile {
  if (typeof path === "string" && path !== "") return { shown: echo(path), path };
  throw new Refusal("Error: Missing required parameter `path`.");
}

const THEIR_NAMES: ReadonlyMap<string, string> = new Map([
  ["old_string", "old_str"],
  ["new_string", "new_str"],
  ["content", "file_text"],
  ["start_line", "view_range"],
]);
const OUR_NAME = /(?<=^|^Missing required parameter ')(?:(?:old|new)_string|content|start_line)\b/u;

/** What a tool refused, in the words of the documentation where it has any. */
export function refusal({ error }: FailedResponse, { shown, path }: NamedFile, missing?: string): Refusal {
  const { code, message } = error;
  if (missing !== undefined && (code === "NOT_FOUND" || code === "IS_DIRECTORY")) return new Refusal(missing);
  if (message.startsWith("Permission denied writing")) {
    return new Refusal("Error: Permission denied. Cannot write to file.");
  }
  const advice = code === "CONFLICT" ? " View the file, then repeat the change on what is there." : "";
  const inTheirWords = message.replace(OUR_NAME, (name) => THEIR_NAMES.get(name) ?? name);
  return new Refusal(`Error: ${inTheirWords.replaceAll(`'${path}'`, `'${shown}'`)}${advice}`);
}
