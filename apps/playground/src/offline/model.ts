import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";
import { setTimeout as sleep } from "node:timers/promises";
import { readConversation, toWireCall } from "./conversation.ts";
import { advance } from "./investigation.ts";
import { investigate } from "./planner.ts";

/** How the offline model behaves. */
export interface OfflineModelOptions {
  /**
   * Pause between pieces of text, so that a reader sees them come.
   * @default 0
   */
  readonly paceMs?: number;
}

/** Nothing is counted in tokens here. */
const USAGE: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A language model for the AI SDK that needs no network: a deterministic planner, not a language model. */
export function createOfflineModel({ paceMs = 0 }: OfflineModelOptions = {}): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "fstools.offline",
    modelId: "offline-planner",
    supportedUrls: {},
    doGenerate: (options) => {
      const content = respond(options);
      return Promise.resolve({ content, finishReason: finishReason(content), usage: USAGE, warnings: [] });
    },
    doStream: (options) => {
      const content = respond(options);
      const parts = streamParts(content, paceMs, options.abortSignal);
      return Promise.resolve({ stream: ReadableStream.from(parts) });
    },
  };
}

function respond({ prompt, tools = [], toolChoice }: LanguageModelV3CallOptions): LanguageModelV3Content[] {
  const { question, seen, earlier } = readConversation(prompt);
  const toolNames = new Set(tools.map((tool) => tool.name));
  const mayLook = toolNames.size > 0 && toolChoice?.type !== "none";
  const step = advance(investigate({ question, earlier, toolNames }), seen, mayLook);
  if ("result" in step) return [{ type: "text", text: step.result }];
  const calls = step.look.calls.map((call, index) => ({
    type: "tool-call" as const,
    toolCallId: `call_${prompt.length}_${index + 1}`,
    ...toWireCall(call, toolNames),
  }));
  return [{ type: "text", text: step.look.say }, ...calls];
}

function finishReason(content: readonly LanguageModelV3Content[]) {
  const unified = content.some((part) => part.type === "tool-call") ? ("tool-calls" as const) : ("stop" as const);
  return { unified, raw: undefined };
}

async function* streamParts(
  content: readonly LanguageModelV3Content[],
  paceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [index, part] of content.entries()) {
    if (part.type === "tool-call") yield part;
    if (part.type === "text") yield* streamText(`text_${index}`, part.text, paceMs, signal);
  }
  yield { type: "finish", finishReason: finishReason(content), usage: USAGE };
}

async function* streamText(
  id: string,
  text: string,
  paceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: "text-start", id };
  for (const delta of text.match(/\S+\s*|\s+/gu) ?? []) {
    signal?.throwIfAborted();
    if (paceMs > 0) await sleep(paceMs, undefined, signal ? { signal } : {});
    yield { type: "text-delta", id, delta };
  }
  yield { type: "text-end", id };
}
