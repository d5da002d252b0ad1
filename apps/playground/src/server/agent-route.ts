import { consumeStream, createUIMessageStreamResponse } from "ai";
import type { Context } from "hono";
import { setTimeout as delay } from "node:timers/promises";
import type { Conversation } from "../agent/conversation.ts";
import type { AgentSettings, Project } from "../project.ts";
import { agentRequest, createSlots, readBody, refusal, undoRequest } from "./requests.ts";
import { resultOf } from "./tool-route.ts";

const TIMEOUT_MS = 10 * 60_000;
/** A turn that was stopped a moment ago is given this long to end. */
const PATIENCE_MS = 1000;
const MAX_RUNNING = 4;
const MAX_CONVERSATIONS = 32;
const MAX_WAITING = 500;

/** The agent's endpoints. Conversations are kept in memory; what the page says of their history is never believed. */
export function createAgentRoutes(settings: AgentSettings) {
  const takeSlot = createSlots(MAX_RUNNING);
  const conversations = new Map<string, { readonly project: Project; readonly conversation: Conversation }>();

  const open = async (project: Project, id: string, withOpening: boolean): Promise<Conversation> => {
    const known = conversations.get(id);
    // About another project, or about an earlier copy of the demo, a conversation starts over.
    const isStale = known !== undefined && known.project !== project && !mattersStill(known.conversation);
    const messages = known === undefined && withOpening ? await project.opening() : [];
    const conversation = known && !isStale ? known.conversation : project.converse({ ...settings, messages });
    conversations.delete(id);
    conversations.set(id, { project, conversation });
    for (const [oldest, { conversation: found }] of conversations) {
      if (conversations.size <= MAX_CONVERSATIONS) break;
      if (!mattersStill(found) || conversations.size > MAX_WAITING) conversations.delete(oldest);
    }
    return conversation;
  };

  const settled = async (conversation: Conversation | undefined) => {
    if (conversation?.running) await Promise.race([conversation.running, delay(PATIENCE_MS)]);
    if (conversation?.running) throw refusal(409, "This conversation is still being answered.");
    return conversation;
  };

  /** Runs a turn that `begin` prepares; a refusal leaves the conversation as it was. */
  const run = (context: Context, conversation: Conversation, begin: () => void): Response => {
    const release = takeSlot();
    begin();
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const stream = conversation.answer(signal);
    void conversation.running?.then(release);
    // Read to its end even where the page is gone, or the conversation would stay busy.
    return createUIMessageStreamResponse({ stream, consumeSseStream: consumeStream });
  };

  return {
    /** The messages of a conversation: for a reload, and for a second tab. */
    messages: async (context: Context, project: Project) => {
      const id = context.req.query("session") ?? "";
      if (!agentRequest.safeParse({ session: id, question: "?" }).success)
        throw refusal(400, "session must be a UUID.");
      return context.json({ messages: (await open(project, id, true)).messages });
    },
    /** Puts back what was there before a change, of the agent or of the bench. */
    undo: async (context: Context, project: Project) => {
      const { change, session = "" } = await readBody(context, undoRequest);
      if (!project.history) throw refusal(404, "Nothing is kept here that could be undone.");
      const response = await project.history.undo(change);
      if (!response.error) conversations.get(session)?.conversation.undone(change);
      return context.json(await resultOf(project, response));
    },
    /** Answers a question, or goes on after decisions, with the AI SDK's message stream. */
    answer: async (context: Context, project: Project) => {
      const request = await readBody(context, agentRequest);
      if ("question" in request) {
        const conversation = await open(project, request.session, false);
        await settled(conversation);
        return run(context, conversation, () => conversation.ask(request.question));
      }
      const { decisions, session } = request;
      const conversation = await settled(conversations.get(session)?.conversation);
      const waiting = conversation?.waiting.map(({ approvalId }) => approvalId) ?? [];
      if (!conversation || !decisions.every(({ id }) => waiting.includes(id)))
        throw refusal(404, "No change waits for this decision any more.");
      return run(context, conversation, () => {
        for (const { id, approved } of decisions) conversation.decide(id, approved);
      });
    },
  };
}

const mattersStill = ({ running, waiting }: Conversation) => running !== undefined || waiting.length > 0;
