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
  /** Where changes wait for a decision; without it the answer is always no. */
  readonly approvals?: Approvals | undefined;
  /** Earlier turns. */
  readonly history: readonly ModelMessage[];
  readonly question: string;
  /** Answers of the model, at most; the last one gets no tools. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
}

/** Runs one turn and reports every event; returns the messages for the history, none if it was aborted or failed. */
export async function* runTurn(turn: Turn): AsyncGenerator<AgentEvent, readonly ModelMessage[]> {
  const { chosen, maxSteps, approvals } = turn;
  const events = createEventQueue<AgentEvent>();
  events.push({ type: "start", model: chosen.label, offline: chosen.offline, maxSteps });
  const writers = new Set(turn.tools.filter(({ effect }) => effect === "write").map(({ name }) => name));
  const told = inOrder(events, writers);
  // A change waits in the middle of a call, while the model's stream says nothing.
  const stopListening = approvals?.listen(told.hold);
  const messages = tellAll(turn, told.push).finally(() => {
    stopListening?.();
    events.end();
  });
  yield* events.read();
  return messages;
}

/** A change that waits is reported after its call, even if the call is still being read from the stream. */
function inOrder(events: EventQueue<AgentEvent>, writers: ReadonlySet<string>) {
  const waiting: AgentEvent[] = [];
  const open = { calls: 0, approvals: 0 };
  const flush = () => {
    while (open.approvals < open.calls) {
      const next = waiting.shift();
      if (!next) return;
      if (next.type === "approval") open.approvals++;
      events.push(next);
    }
  };
  return {
    push: (event: AgentEvent) => {
      events.push(event);
      if (event.type === "call" && writers.has(event.tool)) open.calls++;
      flush();
    },
    hold: (event: AgentEvent) => {
      if (event.type === "decision") events.push(event);
      else waiting.push(event);
      flush();
    },
  };
}

async function tellAll(turn: Turn, tell: (event: AgentEvent) => void): Promise<readonly ModelMessage[]> {
  const { chosen, signal, measure } = turn;
  const asked: ModelMessage = { role: "user", content: turn.question };
  const translator = createTranslator({ redact: (text) => chosen.redact(text), measure });
  try {
    const stream = streamAnswer(turn, asked);
    for await (const part of stream.fullStream) {
      for (const event of await translator.eventsOf(part)) tell(event);
    }
    const ending = signal.aborted ? "aborted" : translator.ending();
    tell(translator.finish(ending));
    if (ending === "aborted" || ending === "failed") return [];
    return [asked, ...(await stream.response).messages];
  } catch (error) {
    if (!signal.aborted) tell(translator.failed(error));
    tell(translator.finish(signal.aborted ? "aborted" : "failed"));
    return [];
  }
}

function streamAnswer({ chosen, tools, truncate, history, maxSteps, signal }: Turn, asked: ModelMessage) {
  return streamText({
    model: chosen.model,
    system: instructions(tools.map((tool) => tool.name)),
    messages: [...history, asked],
    // The tools themselves ask before they write, with the diff; the SDK's own step would only know the parameters.
    tools: toolsFor(chosen, toAiSdkTools(tools, { truncate, approval: false })),
    stopWhen: stepCountIs(maxSteps),
    // The last answer gets no tools, so that the model has to come to one with what it saw.
    prepareStep: ({ stepNumber }) => (stepNumber >= maxSteps - 1 ? { activeTools: [] } : {}),
    abortSignal: signal,
    maxRetries: 1,
    // Errors become events; the default would print them.
    onError: () => undefined,
  });
}

/** The offline planner is a program, so it gets the envelope beside the words. */
function toolsFor(chosen: ChosenModel, tools: AiSdkTools): AiSdkTools {
  return chosen.offline ? carryEnvelope(tools) : tools;
}
