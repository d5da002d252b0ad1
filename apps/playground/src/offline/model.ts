import type * as sdk from "@ai-sdk/provider";
import { simulateReadableStream } from "ai";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import { plan, type Look } from "./plan.ts";

const UNKNOWN = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
/** Nothing is counted in tokens here. */
const usage = { inputTokens: UNKNOWN, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };

/**
 * A model for the AI SDK that needs no network: fixed rules, not a language model.
 *
 * It keeps no state. At each step it runs the plan for the question again, over the answers that the prompt holds.
 */
export function createOfflineModel({ paceMs = 0 }: { readonly paceMs?: number } = {}): sdk.LanguageModelV3 {
  return {
    ...{ specificationVersion: "v3", provider: "fstools.offline", modelId: "offline", supportedUrls: {} },
    doGenerate: () => Promise.reject(new Error("The offline model only streams.")),
    doStream: (options) => {
      const step = nextStep(options);
      const id = `step_${options.prompt.length}`;
      const call = "tool" in step ? [{ toolName: step.tool, input: JSON.stringify(step.params) }] : [];
      const unified = "tool" in step ? "tool-calls" : "stop";
      const words = step.say.match(/\S+\s*|\s+/gu) ?? [];
      const stream = simulateReadableStream<sdk.LanguageModelV3StreamPart>({
        initialDelayInMs: null,
        chunkDelayInMs: paceMs === 0 ? null : paceMs,
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id },
          ...words.map((delta) => ({ type: "text-delta" as const, id, delta })),
          { type: "text-end", id },
          ...call.map((one) => ({ type: "tool-call" as const, toolCallId: id, ...one })),
          { type: "finish", finishReason: { unified, raw: undefined }, usage },
        ],
      });
      return Promise.resolve({ stream });
    },
  };
}

/** A call, or the text of the answer. */
function nextStep({ prompt, tools = [] }: sdk.LanguageModelV3CallOptions): Look | { readonly say: string } {
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const names = tools.map(({ name }) => name);
  const steps = plan(textOf(prompt[start]), names, answersIn(prompt.slice(0, start)));
  let step = steps.next();
  for (const answer of answersIn(prompt.slice(start))) if (step.done !== true) step = steps.next(answer);
  if (step.done === true) return { say: step.value };
  // The last step gets no tools.
  return names.length > 0 ? step.value : { say: "I stopped before I had an answer: it took too many steps." };
}

const textOf = (message: sdk.LanguageModelV3Prompt[number] | undefined) =>
  message?.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";

/** The answers of tools, in their order; undefined for a call that the user declined. */
function answersIn(prompt: sdk.LanguageModelV3Prompt): (Envelope | undefined)[] {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  const outputs = parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []));
  return outputs.map((output) => (output.type === "json" ? envelopeSchema.parse(output.value) : undefined));
}
