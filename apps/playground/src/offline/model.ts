import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import { simulateReadableStream } from "ai";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import { plan, type Look } from "./plan.ts";

const UNKNOWN = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
/** Nothing is counted in tokens here. */
const USAGE = { inputTokens: UNKNOWN, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };

/**
 * A model for the AI SDK that needs no network: fixed rules, not a language model.
 *
 * It keeps no state. At each step it runs the plan for the question again, over the answers that the prompt holds.
 */
export function createOfflineModel({ paceMs = 0 }: { readonly paceMs?: number } = {}): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "fstools.offline",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("The offline model only streams.")),
    doStream: (options) => {
      const chunks = streamParts(nextStep(options), options.prompt.length);
      const delays = { initialDelayInMs: null, chunkDelayInMs: paceMs === 0 ? null : paceMs };
      return Promise.resolve({ stream: simulateReadableStream({ chunks, ...delays }) });
    },
  };
}

/** A call, or the text of the answer. */
function nextStep({ prompt, tools = [] }: LanguageModelV3CallOptions): Look | { readonly say: string } {
  const start = prompt.findLastIndex(({ role }) => role === "user");
  const names = tools.map(({ name }) => name);
  const steps = plan({ asked: textOf(prompt[start]), tools: names, earlier: answersIn(prompt.slice(0, start)) });
  let step = steps.next();
  for (const answer of answersIn(prompt.slice(start))) if (step.done !== true) step = steps.next(answer);
  if (step.done === true) return { say: step.value };
  // The last step gets no tools.
  if (names.length === 0) return { say: "I stopped before I had an answer: it took too many steps." };
  return step.value;
}

function textOf(message: LanguageModelV3Prompt[number] | undefined): string {
  if (message?.role !== "user") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The answers of tools, in their order; undefined for a call that the user declined. */
function answersIn(prompt: LanguageModelV3Prompt): (Envelope | undefined)[] {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return parts.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    return [part.output.type === "json" ? envelopeSchema.parse(part.output.value) : undefined];
  });
}

function streamParts(step: Look | { readonly say: string }, at: number): LanguageModelV3StreamPart[] {
  const id = `step_${at}`;
  const call = "tool" in step ? [{ toolName: step.tool, input: JSON.stringify(step.params) }] : [];
  const words = step.say.match(/\S+\s*|\s+/gu) ?? [];
  const unified = call.length > 0 ? ("tool-calls" as const) : ("stop" as const);
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id },
    ...words.map((delta) => ({ type: "text-delta" as const, id, delta })),
    { type: "text-end", id },
    ...call.map((one) => ({ type: "tool-call" as const, toolCallId: id, ...one })),
    { type: "finish", finishReason: { unified, raw: undefined }, usage: USAGE },
  ];
}
