import { escapeText } from "@fstools/protocol";
import { createInterface } from "node:readline";
import type { Conversation } from "../agent/conversation.ts";
import { placesOf, type AgentChunk } from "../agent/messages.ts";
import { createTranscript, type Ending, type Outputs } from "./transcript.ts";

/** Lines of standard input, one at a time; it is opened when the first one is asked for. */
export function linesOf(onInterrupt: () => void, output?: NodeJS.WriteStream) {
  const open = () => {
    const terminal = createInterface({ input: process.stdin, ...(output && { output }) }).on("SIGINT", onInterrupt);
    return { terminal, lines: terminal[Symbol.asyncIterator]() };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    /** Undefined where there is none to come. */
    next: async (prompt?: string): Promise<string | undefined> => {
      const { terminal, lines } = (opened ??= open());
      if (prompt !== undefined) {
        terminal.setPrompt(prompt);
        terminal.prompt();
      }
      const step: IteratorResult<string, unknown> = await lines.next();
      return step.done ? undefined : step.value;
    },
    close: () => opened?.terminal.close(),
  };
}

/** What a turn in the terminal works with. */
export interface TurnOptions extends Outputs {
  readonly conversation: Conversation;
  readonly question: string;
  readonly signal: AbortSignal;
  readonly lines: ReturnType<typeof linesOf>;
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
    for await (const chunk of conversation.answer(signal)) {
      onChunk?.(chunk);
      transcript.write(chunk);
    }
    // The time in which a person decides is not counted.
    elapsedMs += performance.now() - startedAt;
    const { waiting } = conversation;
    if (waiting.length === 0) return transcript.finish(elapsedMs);
    for (const { approvalId, change } of waiting) {
      transcript.show(change);
      steps.write(`Apply this change to '${escapeText(placesOf(change))}'? [y/N] `);
      const answer = await lines.next();
      if (answer === undefined || !process.stdin.isTTY) steps.write("\n");
      // Whatever is not a clear yes is a no.
      conversation.decide(approvalId, /^\s*y(?:es)?\s*$/iu.test(answer ?? ""));
    }
  }
}
