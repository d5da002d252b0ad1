import type { ModelMessage } from "ai";
import { runTurn, type Turn } from "../../src/agent/agent.ts";
import type { AgentEvent, FinishEvent, ResultEvent } from "../../src/agent/events.ts";

/** What a turn told, sorted. */
export interface Run {
  readonly events: readonly AgentEvent[];
  /** "LS {…}" for each call, in order. */
  readonly calls: readonly string[];
  readonly results: readonly ResultEvent[];
  /** The text of the last step. */
  readonly answer: string;
  readonly errors: readonly string[];
  readonly finish: FinishEvent;
  /** What goes into the history. */
  readonly messages: readonly ModelMessage[];
}

/** Runs a turn to its end. */
export async function collect(turn: Turn): Promise<Run> {
  const events: AgentEvent[] = [];
  const stream = runTurn(turn);
  for (;;) {
    const step = await stream.next();
    if (step.done) return sorted(events, step.value);
    events.push(step.value);
  }
}

function sorted(events: readonly AgentEvent[], messages: readonly ModelMessage[]): Run {
  const finish = events.at(-1);
  if (finish?.type !== "finish") throw new Error(`The run ended with '${finish?.type ?? "nothing"}'.`);
  const lastStep = events.slice(events.findLastIndex((event) => event.type === "step"));
  return {
    events,
    messages,
    finish,
    calls: events.flatMap((event) => (event.type === "call" ? `${event.tool} ${JSON.stringify(event.input)}` : [])),
    results: events.filter((event) => event.type === "result"),
    answer: lastStep.map((event) => (event.type === "text" ? event.delta : "")).join(""),
    errors: events.flatMap((event) => (event.type === "error" ? event.message : [])),
  };
}
