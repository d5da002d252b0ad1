import { fork, type ForkOptions } from "node:child_process";

export interface Child {
  readonly ask: (question: unknown) => Promise<unknown>;
  readonly stop: () => void;
}

interface Message {
  readonly id: number;
  readonly question?: unknown;
  readonly answer?: unknown;
  readonly failure?: string;
}

/** Starts a script that calls `answerQuestions`. What it prints is not shown; its errors are, unless the options say otherwise. */
export function startChild(
  script: string,
  args: readonly string[],
  { deadlineMs = Infinity, ...options }: ForkOptions & { readonly deadlineMs?: number },
): Child {
  const child = fork(script, args, { stdio: ["ignore", "ignore", "inherit", "ipc"], ...options });
  const waiting = new Map<number, (message: Message) => void>();
  child.on("message", (message: Message) => waiting.get(message.id)?.(message));
  child.on("exit", (code) => {
    for (const [id, settle] of waiting) settle({ id, failure: `The tools ended with code ${code ?? "none"}.` });
  });
  let last = 0;
  return {
    ask: async (question) => {
      const id = ++last;
      if (!child.connected) throw new Error("The tools have ended.");
      const { answer, failure } = await new Promise<Message>((resolve) => {
        waiting.set(id, resolve);
        if (deadlineMs < Infinity) {
          const late = { id, failure: `No answer within ${deadlineMs / 1000} s.` };
          setTimeout(resolve, deadlineMs, late).unref();
        }
        child.send({ id, question });
      });
      waiting.delete(id);
      if (failure !== undefined) throw new Error(failure);
      return answer;
    },
    stop: () => {
      if (child.connected) child.disconnect();
    },
  };
}

/** Answers what the parent asks; when the parent has gone, so does this process. */
export function answerQuestions(answer: (question: unknown) => Promise<unknown>, onEnd?: () => void): void {
  process.on("message", ({ id, question }: Message) => {
    void answer(question)
      .then((answer): Message => ({ id, answer }))
      .catch((error: unknown): Message => ({ id, failure: error instanceof Error ? error.message : String(error) }))
      .then((message) => process.send?.(message));
  });
  process.on("disconnect", () => {
    onEnd?.();
    process.exit();
  });
}
