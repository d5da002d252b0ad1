import type { AgentEvent } from "../agent/events.ts";

/** A response body with one event a line; `onCancel` is called when the reader goes away. */
export function eventStream(
  events: AsyncGenerator<AgentEvent, void>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await events.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      onCancel();
      // Let the run come to its end, so that whatever it holds is freed.
      while (!(await events.next()).done);
    },
  });
}
