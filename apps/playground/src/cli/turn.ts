import { escapeText } from "@fstools/protocol";
import { createInterface, type Interface } from "node:readline";
import type { Conversation } from "../agent/conversation.ts";
import { placesOf, type AgentChunk, type Change } from "../agent/messages.ts";
import { createTranscript, type Ending, type Outputs } from "./transcript.ts";

/** Lines that a person types, one at a time. */
export interface Lines {
  /** The next line; undefined where there is none to come. */
  next(): Promise<string | undefined>;
}

/** The lines of a terminal, or of what is piped in. */
export function linesOf(terminal: Interface): Lines {
  const lines = terminal[Symbol.asyncIterator]();
  return {
    next: async () => {
      const step: IteratorResult<string, unknown> = await lines.next();
      return step.done ? undefined : step.value;
    },
  };
}

/** Lines of standard input, which is opened when the first one is asked for. */
export function linesOnDemand(onInterrupt: () => void): Lines & { close(): void } {
  let terminal: Interface | undefined;
  let lines: Lines | undefined;
  return {
    next: () => {
      terminal ??= createInterface({ input: process.stdin }).on("SIGINT", onInterrupt);
      lines ??= linesOf(terminal);
      return lines.next();
    },
    close: () => terminal?.close(),
  };
}

/** What a turn in the terminal works with. */
export interface TurnOptions extends Outputs {
  readonly conversation: Conversation;
  readonly question: string;
  readonly signal: AbortSignal;
  readonly lines: Lines;
  /** Gets the pieces of the answer instead of the transcript. */
  readonly onChunk?: ((chunk: AgentChunk) => void) | undefined;
}

/** Asks, shows the answer as it comes, and asks the person about every change. */
export async function runTurn(options: TurnOptions): Promise<Ending> {
  const { conversation, question, signal, lines, onChunk, steps } = options;
  // Where a program reads the pieces, only the last lines are for people.
  const transcript = createTranscript(onChunk ? { steps, answer: steps } : options);
  let elapsedMs = 0;
  conversation.ask(question);
  for (;;) {
    const startedAt = performance.now();
    for await (const chunk of conversation.answer(signal).stream) {
      onChunk?.(chunk);
      transcript.write(chunk);
    }
    // The time in which a person decides is not counted.
    elapsedMs += performance.now() - startedAt;
    const { waiting } = conversation;
    if (waiting.length === 0) return transcript.finish(elapsedMs);
    for (const { approvalId, change } of waiting) {
      transcript.show(change);
      conversation.decide(approvalId, await isApproved(change, lines, steps));
    }
  }
}

/** Asks about a change; whatever is not a clear yes is a no. */
async function isApproved(change: Change, lines: Lines, stream: NodeJS.WriteStream): Promise<boolean> {
  stream.write(`Apply this change to '${escapeText(placesOf(change))}'? [y/N] `);
  const answer = await lines.next();
  if (answer === undefined || !process.stdin.isTTY) stream.write("\n");
  return /^\s*y(?:es)?\s*$/iu.test(answer ?? "");
}
