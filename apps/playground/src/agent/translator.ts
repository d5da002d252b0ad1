import type { AiSdkTools } from "@fstools/adapters/ai-sdk";
import type { TextStreamPart } from "ai";
import { addCosts, NO_COSTS, type Costs } from "../costs.ts";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import { compactView } from "../views.ts";
import type { AgentEvent, FinishEvent, ResultEvent } from "./events.ts";
import { describeModelError } from "./model-error.ts";

type Part = TextStreamPart<AiSdkTools>;
type Ending = FinishEvent["reason"];

/** Turns the AI SDK's stream into events, and keeps the sums. */
export interface Translator {
  eventsOf(part: Part): Promise<readonly AgentEvent[]>;
  /** The event for something that went wrong; the run has then failed. */
  failed(error: unknown): AgentEvent;
  ending(): Ending;
  finish(ending: Ending): FinishEvent;
}

/** What a translator works with. */
export interface TranslatorOptions {
  /** Keeps secrets out of messages. */
  readonly redact: (text: string) => string;
  /** Counts what an answer puts into the context. */
  readonly measure: (response: Envelope) => Promise<Costs>;
}

/** A translator for one run. */
export function createTranslator({ redact, measure }: TranslatorOptions): Translator {
  const startedAt = performance.now();
  const callTimes = new Map<string, number>();
  const sums = { steps: 0, tokens: NO_COSTS, keptOutBytes: 0 };
  let ending: Ending | undefined;

  const failed = (error: unknown): AgentEvent => {
    ending = "failed";
    return { type: "error", message: redact(describeModelError(error)) };
  };

  const ended = (reason: string, raw: string | undefined): AgentEvent[] => {
    if (ending !== undefined) return [];
    ending = ENDINGS[reason];
    if (ending !== undefined) return [];
    return [
      failed(new Error(raw === undefined ? "the stream ended before it was complete" : `it stopped with '${raw}'`)),
    ];
  };

  const result = async (id: string, tool: string, response: Envelope): Promise<ResultEvent> => {
    const elapsedMs = Math.round(performance.now() - (callTimes.get(id) ?? performance.now()));
    const tokens = await measure(response);
    const keptOutBytes = keptOut(response);
    sums.tokens = addCosts(sums.tokens, tokens);
    sums.keptOutBytes += keptOutBytes;
    return { type: "result", id, tool, response, modelText: compactView(response), tokens, keptOutBytes, elapsedMs };
  };

  return {
    failed,
    eventsOf: async (part) => {
      switch (part.type) {
        case "start-step":
          return [{ type: "step", step: ++sums.steps }];
        case "text-delta":
          return [{ type: "text", delta: part.text }];
        case "reasoning-delta":
          return [{ type: "reasoning", delta: part.text }];
        case "tool-call":
          callTimes.set(part.toolCallId, performance.now());
          return [{ type: "call", id: part.toolCallId, tool: part.toolName, input: part.input }];
        case "tool-result":
          return [await result(part.toolCallId, part.toolName, envelopeSchema.parse(part.output))];
        case "tool-error":
          return [
            { type: "bad-call", id: part.toolCallId, tool: part.toolName, message: redact(messageOf(part.error)) },
          ];
        case "error":
          return [failed(part.error)];
        case "finish":
          return ended(part.finishReason, part.rawFinishReason);
        default:
          return [];
      }
    },
    ending: () => ending ?? "failed",
    finish: (reason) => ({
      type: "finish",
      reason,
      ...sums,
      elapsedMs: Math.round(performance.now() - startedAt),
    }),
  };
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  stop: "answered",
  length: "length",
  // The model still wanted tools when its steps were used up.
  "tool-calls": "step-limit",
};

function keptOut({ data }: Envelope): number {
  const truncation: unknown = "truncation" in data ? data.truncation : undefined;
  if (typeof truncation !== "object" || truncation === null) return 0;
  if (!("original_bytes" in truncation) || !("kept_bytes" in truncation)) return 0;
  return Number(truncation.original_bytes) - Number(truncation.kept_bytes);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
