import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import type { Tool } from "@fstools/protocol";
import { stepCountIs, streamText, type ModelMessage } from "ai";
import type { Truncate } from "../toolbox.ts";
import type { AgentEvent } from "./events.ts";
import { instructions } from "./instructions.ts";
import type { ChosenModel } from "./model.ts";
import { createTranslator } from "./translator.ts";

/** One turn of a conversation. */
export interface Turn {
  readonly chosen: ChosenModel;
  readonly tools: readonly Tool[];
  readonly truncate: Truncate;
  /** Earlier turns. */
  readonly history: readonly ModelMessage[];
  readonly question: string;
  /** Answers of the model, at most; the last one gets no tools. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
}

/** Runs one turn and tells every event; returns the messages for the history, none if it was aborted or failed. */
export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, readonly ModelMessage[]> {
  const { chosen, maxSteps, signal } = turn;
  const asked: ModelMessage = { role: "user", content: turn.question };
  const translator = createTranslator((text) => chosen.redact(text));
  yield { type: "start", model: chosen.label, offline: chosen.offline, maxSteps };
  try {
    const stream = streamAnswer(turn, asked);
    for await (const part of stream.fullStream) yield* translator.eventsOf(part);
    const ending = signal.aborted ? "aborted" : translator.ending();
    yield translator.finish(ending);
    if (ending === "aborted" || ending === "failed") return [];
    return [asked, ...(await stream.response).messages];
  } catch (error) {
    if (!signal.aborted) yield translator.failed(error);
    yield translator.finish(signal.aborted ? "aborted" : "failed");
    return [];
  }
}

function streamAnswer({ chosen, tools, truncate, history, maxSteps, signal }: Turn, asked: ModelMessage) {
  return streamText({
    model: chosen.model,
    system: instructions(tools.map((tool) => tool.name)),
    messages: [...history, asked],
    tools: toAiSdkTools(tools, { truncate }),
    stopWhen: stepCountIs(maxSteps),
    // The last answer gets no tools, so that the model has to come to one with what it saw.
    prepareStep: ({ stepNumber }) => (stepNumber >= maxSteps - 1 ? { activeTools: [] } : {}),
    abortSignal: signal,
    maxRetries: 1,
    // Errors are told as events; the default would print them.
    onError: () => undefined,
  });
}
