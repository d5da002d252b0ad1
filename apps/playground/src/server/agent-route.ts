import type { Context } from "hono";
import { runTurn } from "../agent/agent.ts";
import type { AgentEvent } from "../agent/events.ts";
import type { ChosenModel } from "../agent/model.ts";
import type { Project, Truncate } from "../project.ts";
import type { AgentQuestion } from "./api.ts";
import { eventStream } from "./event-stream.ts";
import { agentRequest, readBody } from "./requests.ts";
import { createSessions } from "./sessions.ts";
import { createSlots } from "./slots.ts";

const TIMEOUT_MS = 10 * 60_000;

/** What the agent of the page works with. */
export interface AgentOptions {
  readonly project: Project;
  readonly chosen: ChosenModel;
  readonly truncate: Truncate;
  readonly maxSteps: number;
}

/** Answers a question of the page with a stream of events; a reader that goes away stops the run. */
export function agentRoute(options: AgentOptions) {
  const slots = createSlots({ running: 4, waiting: 0 });
  const sessions = createSessions();

  async function* answer({ session, question, read }: AgentQuestion, signal: AbortSignal, done: () => void) {
    try {
      const history = sessions.history(session);
      const tools = options.project.toolsWith(read);
      const { measure } = options.project;
      sessions.add(session, yield* runTurn({ ...options, measure, tools, history, question, signal }));
    } finally {
      sessions.end(session);
      done();
    }
  }

  return async (context: Context) => {
    const request = await readBody(context, agentRequest);
    if ("problem" in request) return context.json({ error: request.problem }, 400);
    const { session } = request.data;
    if (!sessions.begin(session)) return context.json({ error: "This conversation is still being answered." }, 409);
    const gone = new AbortController();
    const signal = AbortSignal.any([context.req.raw.signal, gone.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const release = await slots.take(signal);
    if (!release) {
      sessions.end(session);
      return context.json({ error: "Too many questions at once; try again in a moment." }, 429);
    }
    const events: AsyncGenerator<AgentEvent, void> = answer(request.data, signal, release);
    const body = eventStream(events, () => {
      gone.abort();
    });
    return context.body(body, 200, { "Content-Type": "application/x-ndjson" });
  };
}
