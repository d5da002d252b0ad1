import type { Context } from "hono";
import { runTurn } from "../agent/agent.ts";
import type { AgentEvent } from "../agent/events.ts";
import type { ChosenModel } from "../agent/model.ts";
import type { Project, TruncatorLimits } from "../project.ts";
import type { AgentQuestion } from "./api.ts";
import type { ProjectRoute } from "./app.ts";
import { eventStream } from "./event-stream.ts";
import { agentRequest, decisionRequest, readBody } from "./requests.ts";
import { createSessions, type Session } from "./sessions.ts";
import { createSlots } from "./slots.ts";

const TIMEOUT_MS = 10 * 60_000;

/** What the agent of the page works with. */
export interface AgentOptions {
  readonly chosen: ChosenModel;
  readonly limits: TruncatorLimits;
  readonly maxSteps: number;
}

/** The agent's endpoints. */
export interface AgentRoutes {
  /** Answers a question with a stream of events; a reader that goes away stops the run. */
  readonly ask: ProjectRoute;
  /** Approves or declines a change that a run waits for. */
  readonly decide: (context: Context) => Promise<Response>;
}

/** Makes the endpoints; conversations are kept between them. */
export function createAgentRoutes({ chosen, limits, maxSteps }: AgentOptions): AgentRoutes {
  const slots = createSlots({ running: 4, waiting: 0 });
  const sessions = createSessions();

  async function* answer(project: Project, session: Session, asked: AgentQuestion, signal: AbortSignal) {
    const { approvals, history, measure } = session;
    const turn = {
      ...{ chosen, maxSteps, signal, approvals, history, measure, question: asked.question },
      tools: session.toolsWith(asked.read),
      truncate: project.createTruncator(limits),
    };
    session.remember(yield* runTurn(turn));
  }

  async function* freeing(events: AsyncGenerator<AgentEvent, void>, free: () => void) {
    try {
      yield* events;
    } finally {
      free();
    }
  }

  return {
    ask: async (context, project) => {
      const request = await readBody(context, agentRequest);
      if ("problem" in request) return context.json({ error: request.problem }, 400);
      const session = sessions.open(project, request.data.session);
      if (!session.begin()) return context.json({ error: "This conversation is still being answered." }, 409);
      const gone = new AbortController();
      const signal = AbortSignal.any([context.req.raw.signal, gone.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const release = await slots.take(signal);
      if (!release) {
        session.end();
        return context.json({ error: "Too many questions at once; try again in a moment." }, 429);
      }
      const events = freeing(answer(project, session, request.data, signal), () => {
        session.end();
        release();
      });
      const body = eventStream(events, () => {
        gone.abort();
      });
      return context.body(body, 200, { "Content-Type": "application/x-ndjson" });
    },
    decide: async (context) => {
      const request = await readBody(context, decisionRequest);
      if ("problem" in request) return context.json({ error: request.problem }, 400);
      const { session, id, approved } = request.data;
      const known = sessions.decide(session, id, approved);
      return known
        ? context.json({ decided: true })
        : context.json({ error: "No change waits for this decision." }, 404);
    },
  };
}
