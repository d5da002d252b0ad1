/** A queue that one side fills and another reads as it fills. */
export interface EventQueue<Event> {
  push(event: Event): void;
  /** No more events will come. */
  end(): void;
  read(): AsyncGenerator<Event, void>;
}

/** An empty queue. */
export function createEventQueue<Event>(): EventQueue<Event> {
  const events: Event[] = [];
  let ended = false;
  let wake: () => void = () => undefined;
  return {
    push: (event) => {
      events.push(event);
      wake();
    },
    end: () => {
      ended = true;
      wake();
    },
    async *read() {
      for (;;) {
        yield* events.splice(0);
        if (events.length > 0) continue;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
