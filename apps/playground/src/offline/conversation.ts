import type { LanguageModelV3Message, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { z } from "zod";
import type { Call } from "./investigation.ts";
import type { Envelope } from "../envelope.ts";
import { carriedEnvelope } from "./envelope-carrier.ts";
import { observe, toOwnParams, type Observation } from "./observation.ts";

/** The last question of a conversation and what its tool calls showed, apart from what earlier turns showed. */
export interface Conversation {
  readonly question: string;
  readonly seen: readonly Observation[];
  readonly earlier: readonly Observation[];
}

/** Reads a conversation out of a prompt. */
export function readConversation(prompt: LanguageModelV3Prompt): Conversation {
  const start = prompt.findLastIndex((message) => message.role === "user");
  const asked = prompt[start];
  return {
    question: asked ? textOf(asked) : "",
    seen: observations(prompt.slice(start + 1)),
    earlier: observations(prompt.slice(0, Math.max(0, start))),
  };
}

function textOf(message: LanguageModelV3Message): string {
  if (message.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** One observation per tool call, in the order of the calls, whatever the order of the results. */
function observations(messages: readonly LanguageModelV3Message[]): Observation[] {
  const results = new Map<string, Envelope>();
  for (const message of messages) {
    if (message.role !== "tool") continue;
    for (const part of message.content) {
      const envelope = part.type === "tool-result" ? carriedEnvelope(part.output) : undefined;
      if (part.type === "tool-result" && envelope) results.set(part.toolCallId, envelope);
    }
  }
  const calls = messages.flatMap((message) => (message.role === "assistant" ? message.content : []));
  return calls.flatMap((part) => {
    if (part.type !== "tool-call") return [];
    const envelope = results.get(part.toolCallId);
    return envelope ? [observe(toCall(part.toolName, part.input), envelope)] : [];
  });
}

const TOOLS: readonly Call["tool"][] = ["LS", "Glob", "Grep", "Read", "Edit", "Write"];

const paramsSchema = z.record(z.string(), z.unknown()).catch({});

/** The planner's own form of a call, from the flavour that was called. */
function toCall(toolName: string, input: unknown): Call {
  const params = paramsSchema.parse(typeof input === "string" ? parseJson(input) : input);
  const tool = TOOLS.find((known) => known === toolName) ?? "Read";
  return { tool, params: toOwnParams(toolName, params) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A call whose arguments are not JSON has no parameters.
    return {};
  }
}

/** The name and the parameters under which a call leaves the model; "read" is the opencode flavour. */
export function toWireCall(call: Call, toolNames: ReadonlySet<string>): { toolName: string; input: string } {
  if (call.tool !== "Read" || toolNames.has("Read")) return { toolName: call.tool, input: JSON.stringify(call.params) };
  const { path, start_line, limit } = call.params;
  return { toolName: "read", input: JSON.stringify({ filePath: path, offset: start_line, limit }) };
}
