import { isToolUIPart, getToolName } from "ai";
import { conformant } from "@fstools/testing";
import type { Conversation } from "../../src/agent/conversation.ts";
import type { AgentChunk, AgentMessage, Change } from "../../src/agent/messages.ts";
import { envelopeSchema, type Envelope } from "../../src/envelope.ts";

/** What a turn showed. */
export interface Run {
  readonly chunks: readonly AgentChunk[];
  /** "LS {…}" for each call, in order. */
  readonly calls: readonly string[];
  readonly responses: readonly Envelope[];
  readonly changes: readonly Change[];
  /** The text of the last step. */
  readonly answer: string;
  readonly errors: readonly string[];
  readonly ending: string | undefined;
  /** Tokens that the tools put into the context. */
  readonly tokens: number;
}

/** How a turn is run. */
export interface AskOptions {
  /** Decides about each change; without it the answer is no. */
  readonly approve?: (change: Change) => boolean;
  readonly signal?: AbortSignal;
}

/** Asks a question, decides about the changes that wait, and collects what happened. */
export async function askIn(conversation: Conversation, question: string, options: AskOptions = {}): Promise<Run> {
  const { approve = () => false, signal = new AbortController().signal } = options;
  const chunks: AgentChunk[] = [];
  const changes: Change[] = [];
  conversation.ask(question);
  for (;;) {
    for await (const chunk of conversation.answer(signal)) chunks.push(chunk);
    const { waiting } = conversation;
    if (waiting.length === 0) break;
    for (const { approvalId, change } of waiting) {
      changes.push(change);
      conversation.decide(approvalId, approve(change));
    }
  }
  return { chunks, changes, ...summaryOf(chunks, conversation.messages.at(-1)) };
}

function summaryOf(chunks: readonly AgentChunk[], message: AgentMessage | undefined) {
  const parts = message?.role === "assistant" ? message.parts : [];
  const tools = parts.filter(isToolUIPart);
  const last = parts.slice(parts.findLastIndex(({ type }) => type === "step-start") + 1);
  const responses = tools.flatMap((part) =>
    part.state === "output-available" ? [conformant(envelopeSchema.parse(part.output))] : [],
  );
  return {
    calls: tools.map((part) => `${getToolName(part)} ${JSON.stringify(part.input)}`),
    responses,
    answer: last.map((part) => (part.type === "text" ? part.text : "")).join(""),
    errors: chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : [])),
    ending: message?.metadata?.ending,
    tokens: Object.values(message?.metadata?.calls ?? {}).reduce((sum, { tokens }) => sum + (tokens?.entered ?? 0), 0),
  };
}
