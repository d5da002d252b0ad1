import type { Message } from "./start-child.ts";

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
