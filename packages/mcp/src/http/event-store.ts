import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** What a client that lost its connection can still ask for. */
const MAX_EVENTS = 256;
const MAX_BYTES = 8 * 1024 * 1024;

interface StoredEvent {
  readonly stream: string;
  readonly message: JSONRPCMessage | undefined;
  readonly bytes: number;
}

/**
 * Remembers a session's last messages, so that a client that was cut off can come back for what it missed. The oldest are
 * forgotten first.
 */
export function createEventStore(): EventStore {
  const events = new Map<string, StoredEvent>();
  let count = 0;
  let bytes = 0;

  const forgetOldest = (): void => {
    for (const [id, event] of events) {
      if (events.size <= MAX_EVENTS && bytes <= MAX_BYTES) return;
      events.delete(id);
      bytes -= event.bytes;
    }
  };

  return {
    storeEvent: (stream, message) => {
      const id = `${count}`;
      count += 1;
      // The first event of a stream is empty: it only tells the client where to begin.
      const isEmpty = Object.keys(message).length === 0;
      const event = { stream, message: isEmpty ? undefined : message, bytes: JSON.stringify(message).length };
      events.set(id, event);
      bytes += event.bytes;
      forgetOldest();
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(events.get(id)?.stream),
    replayEventsAfter: async (lastId, { send }) => {
      const last = events.get(lastId);
      if (last === undefined) throw new Error("The event is no longer known.");
      for (const [id, { stream, message }] of events) {
        if (stream === last.stream && Number(id) > Number(lastId) && message !== undefined) await send(id, message);
      }
      return last.stream;
    },
  };
}
