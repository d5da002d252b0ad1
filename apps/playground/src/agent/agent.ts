import { toAiSdkTools, type AiSdkTools } from "@fstools/adapters/ai-sdk";
import type { Tool } from "@fstools/protocol";
import { stepCountIs, streamText, type ModelMessage } from "ai";
import type { Costs } from "../costs.ts";
import type { Envelope } from "../envelope.ts";
import { carryEnvelope } from "../offline/envelope-carrier.ts";
import type { Truncate } from "../project.ts";
import type { Approvals } from "./approvals.ts";
import { createEventQueue, type EventQueue } from "./event-queue.ts";
import type { AgentEvent } from "./events.ts";
import { instructions } from "./instructions.ts";
import type { ChosenModel } from "./model.ts";
import { createTranslator } from "./translator.ts";

/** One turn of a conversation. */
export interface Turn {
  readonly chosen: ChosenModel;
  readonly tools: readonly Tool[];
  readonly truncate: Truncate;
  /** Counts what an answer puts into the context. */
  readonly measure: (response: Envelope) => Promise<Costs>;
  /** Where changes wait for a decision; without it tools that ask are told no. */
  readonly approvals?: Approvals | undefined;
  /** Earlier turns. */
  readonly history: readonly ModelMessage[];
  readonly question: string;
  /** Answers of the model, at most; the last one gets no tools. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
}

/** Runs one turn and tells every event; returns the messages for the history, none if it was aborted or failed. */
export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, readonly ModelMessage[]> {
  const { chosen, maxSteps, approvals } = turn;
  const events = createEventQueue<AgentEvent>();
  events.push({ type: "start", model: chosen.label, offline: chosen.offline, maxSteps });
  // A change waits in the middle of a call, while the model's stream says nothing.
  const stopListening = approvals?.listen((event) => {
    events.push(event);
  });
  const messages = tellAll(turn, events).finally(() => {
    stopListening?.();
    events.end();
  });
  yield* events.read();
  return messages;
}

async function tellAll(turn: Turn, events: EventQueue<AgentEvent>): Promise<readonly ModelMessage[]> {
  const { chosen, signal, measure } = turn;
  const asked: ModelMessage = { role: "user", content: turn.question };
  const translator = createTranslator({ redact: (text) => chosen.redact(text), measure });
  try {
    const stream = streamAnswer(turn, asked);
    for await (const part of stream.fullStream) {
      for (const event of await translator.eventsOf(part)) events.push(event);
    }
    const ending = signal.aborted ? "aborted" : translator.ending();
    events.push(translator.finish(ending));
    if (ending === "aborted" || ending === "failed") return [];
    return [asked, ...(await stream.response).messages];
  } catch (error) {
    if (!signal.aborted) events.push(translator.failed(error));
    events.push(translator.finish(signal.aborted ? "aborted" : "failed"));
    return [];
  }
}

function streamAnswer({ chosen, tools, truncate, history, maxSteps, signal }: Turn, asked: ModelMessage) {
  return streamText({
    model: chosen.model,
    system: instructions(tools.map((tool) => tool.name)),
    messages: [...history, asked],
    tools: toolsFor(chosen, toAiSdkTools(tools, { truncate })),
    stopWhen: stepCountIs(maxSteps),
    // The last answer gets no tools, so that the model has to come to one with what it saw.
    prepareStep: ({ stepNumber }) => (stepNumber >= maxSteps - 1 ? { activeTools: [] } : {}),
    abortSignal: signal,
    maxRetries: 1,
    // Errors are told as events; the default would print them.
    onError: () => undefined,
  });
}

/** The offline planner is a program, so it gets the envelope beside the words. */
function toolsFor(chosen: ChosenModel, tools: AiSdkTools): AiSdkTools {
  return chosen.offline ? carryEnvelope(tools) : tools;
}
