import { renderForModel } from "@fstools/protocol";
import type { AiSdkTools } from "@fstools/adapters/ai-sdk";
import type { TextStreamPart } from "ai";
import { envelopeSchema, type Envelope } from "../envelope.ts";
import type { AgentEvent, FinishEvent, ResultEvent } from "./events.ts";
import { describeModelError } from "./model-error.ts";

type Part = TextStreamPart<AiSdkTools>;
type Ending = FinishEvent["reason"];

/** Turns the AI SDK's stream into events, and keeps the sums. */
export interface Translator {
  eventsOf(part: Part): readonly AgentEvent[];
  /** The event for something that went wrong; the run has then failed. */
  failed(error: unknown): AgentEvent;
  ending(): Ending;
  finish(ending: Ending): FinishEvent;
}

/** A translator for one run; `redact` keeps secrets out of messages. */
export function createTranslator(redact: (text: string) => string): Translator {
  const startedAt = performance.now();
  const callTimes = new Map<string, number>();
  const sums = { steps: 0, enteredBytes: 0, keptOutBytes: 0 };
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

  const result = (id: string, tool: string, response: Envelope): ResultEvent => {
    const event = resultEvent(id, tool, response, performance.now() - (callTimes.get(id) ?? performance.now()));
    sums.enteredBytes += event.enteredBytes;
    sums.keptOutBytes += event.keptOutBytes;
    return event;
  };

  return {
    failed,
    eventsOf: (part) => {
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
          return [result(part.toolCallId, part.toolName, envelopeSchema.parse(part.output))];
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

function resultEvent(id: string, tool: string, response: Envelope, elapsedMs: number): ResultEvent {
  const modelText = renderForModel(response);
  return {
    type: "result",
    id,
    tool,
    response,
    modelText,
    enteredBytes: Buffer.byteLength(modelText),
    keptOutBytes: keptOut(response),
    elapsedMs: Math.round(elapsedMs),
  };
}

function keptOut({ data }: Envelope): number {
  const truncation: unknown = "truncation" in data ? data.truncation : undefined;
  if (typeof truncation !== "object" || truncation === null) return 0;
  if (!("original_bytes" in truncation) || !("kept_bytes" in truncation)) return 0;
  return Number(truncation.original_bytes) - Number(truncation.kept_bytes);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
