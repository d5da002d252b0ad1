import { convertToModelMessages, createUIMessageStream, getToolName, isToolUIPart } from "ai";
import type { TextStreamPart, ToolSet } from "ai";
import { randomUUID } from "node:crypto";
import type { Envelope } from "../envelope.ts";
import { agentTools, streamTurn, type AgentOptions } from "./agent.ts";
import { placesOf, type AgentChunk, type AgentMessage, type CallFacts, type Change, type Facts } from "./messages.ts";
import { describeModelError } from "./model-error.ts";

/** A call that waits for a decision. */
interface Waiting {
  readonly approvalId: string;
  readonly change: Change;
}

/** A conversation with an agent: its messages, and what waits for a decision. */
export interface Conversation {
  readonly messages: readonly AgentMessage[];
  readonly waiting: readonly Waiting[];
  /** While a turn runs; resolves when it is over, however it ended. */
  readonly running: Promise<void> | undefined;
  /** Adds a question; what still waited is declined. */
  ask(question: string): void;
  /** Decides about a waiting call. */
  decide(approvalId: string, approved: boolean): void;
  /** Remembers that a person has undone a change, and lets the model know. */
  undone(changeId: string): void;
  /** Answers the last question, or goes on after a decision; has to be read to its end. */
  answer(signal: AbortSignal): ReadableStream<AgentChunk>;
}

/** What a conversation needs besides its agent. */
export interface ConversationOptions extends Omit<AgentOptions, "onAnswer"> {
  readonly factsOf: (ms: number, response: Envelope) => Promise<CallFacts>;
  readonly messages?: readonly AgentMessage[];
}

const DECLINED =
  "The user declined this change. Nothing was written. Do not repeat it; ask the user what to do instead.";
const MAX_BYTES = 512 * 1024;

/** Starts a conversation. */
export function createConversation({ factsOf, messages: earlier = [], ...options }: ConversationOptions): Conversation {
  const { changes, chosen } = options;
  let messages = [...earlier];
  let running: Promise<void> | undefined;
  const facts = new Map<string, CallFacts>();
  const agent: AgentOptions = {
    ...options,
    onAnswer: async (id, ...answer) => void facts.set(id, await factsOf(...answer)),
  };
  const tools = agentTools(agent);

  const onError = (error: unknown) => chosen.redact(describeModelError(error));

  const messageMetadata = ({ part }: { readonly part: TextStreamPart<ToolSet> }): Facts | undefined => {
    if (part.type === "tool-approval-request") {
      const { toolCallId: id } = part.toolCall;
      return { calls: { [id]: { change: changes.of(id) } } };
    }
    if (part.type === "tool-result") return { calls: { [part.toolCallId]: facts.get(part.toolCallId) ?? {} } };
    return part.type === "finish" ? { ending: part.finishReason } : undefined;
  };

  const start = async (signal: AbortSignal) => {
    const last = messages.at(-1);
    const stepsTaken = last?.role === "assistant" ? last.parts.filter(({ type }) => type === "step-start").length : 0;
    const sent = await convertToModelMessages(recent(messages), { tools, ignoreIncompleteToolCalls: true });
    const undone = allFacts().flatMap(({ isUndone, change }) => (isUndone === true ? [placesOf(change)] : []));
    return streamTurn(agent, tools, { messages: sent, stepsTaken, undone, signal });
  };

  const allFacts = () => messages.flatMap(({ metadata }) => Object.values(metadata?.calls ?? {}));
  const waitingParts = () =>
    messages
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (isToolUIPart(part) && part.state === "approval-requested" ? [part] : []));

  const settle = (id: string, approved: boolean, state: "approval-responded" | "output-denied") => {
    const waiting = waitingParts().find(({ approval }) => approval.id === id);
    if (waiting && !approved) changes.forget(waiting.toolCallId);
    const approval = { id, approved, ...(!approved && { reason: DECLINED }) };
    const settled = { ...waiting, state, approval } as AgentMessage["parts"][number];
    messages = messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => (part === waiting ? settled : part)),
    }));
  };

  return {
    get messages() {
      return messages;
    },
    get waiting() {
      return waitingParts().map((part) => {
        const change = changes.of(part.toolCallId) ?? { tool: getToolName(part), operation: "change", diff: "" };
        return { approvalId: part.approval.id, change };
      });
    },
    get running() {
      return running;
    },
    decide: (approvalId, approved) => settle(approvalId, approved, "approval-responded"),
    undone: (changeId) => {
      for (const fact of allFacts()) if (fact.changeId === changeId) fact.isUndone = true;
    },
    ask: (question) => {
      // What is declined by another question has no turn of its own in which the model could hear of it.
      for (const { approval } of waitingParts()) settle(approval.id, false, "output-denied");
      messages = [...messages, { id: randomUUID(), role: "user", parts: [{ type: "text", text: question }] }];
    },
    answer: (signal) => {
      let end: () => void = () => undefined;
      running = new Promise((resolve) => (end = resolve));
      return createUIMessageStream<AgentMessage>({
        originalMessages: messages,
        generateId: randomUUID,
        onError,
        execute: async ({ writer }) =>
          writer.merge((await start(signal)).toUIMessageStream<AgentMessage>({ messageMetadata, onError })),
        onFinish: ({ messages: all }) => {
          messages = all;
          running = undefined;
          end();
        },
      });
    },
  };
}

/** The last turns that the model is sent: whole ones, since results mean nothing without their calls. */
function recent(messages: readonly AgentMessage[]): AgentMessage[] {
  const next = messages.findIndex(({ role }, index) => index > 0 && role === "user");
  return next === -1 || JSON.stringify(messages).length <= MAX_BYTES ? [...messages] : recent(messages.slice(next));
}
