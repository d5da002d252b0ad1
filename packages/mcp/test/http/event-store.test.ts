import { describe, expect, it } from "vitest";
import { createEventStore } from "../../src/http/event-store.ts";

function message(id: number, padding = ""): { jsonrpc: "2.0"; id: number; result: { padding: string } } {
  return { jsonrpc: "2.0", id, result: { padding } };
}

describe("createEventStore", () => {
  it("replays what came after an event, on its stream, without the empty first one", async () => {
    const store = createEventStore();
    const first = await store.storeEvent("a", {} as never);
    await store.storeEvent("b", message(1));
    await store.storeEvent("a", message(2));
    await store.storeEvent("a", message(3));
    const replayed: unknown[] = [];
    const stream = await store.replayEventsAfter(first, {
      send: (_id, event) => {
        replayed.push(event);
        return Promise.resolve();
      },
    });
    expect(stream).toBe("a");
    expect(replayed).toEqual([message(2), message(3)]);
    expect(await store.getStreamIdForEventId?.(first)).toBe("a");
  });

  it.each([
    ["many events", 300, ""],
    ["large ones", 10, "x".repeat(1024 * 1024)],
  ])("forgets the oldest of %s", async (_case, count, padding) => {
    const store = createEventStore();
    const first = await store.storeEvent("a", message(0, padding));
    for (let id = 1; id < count; id += 1) await store.storeEvent("a", message(id, padding));
    expect(await store.getStreamIdForEventId?.(first)).toBeUndefined();
    await expect(store.replayEventsAfter(first, { send: () => Promise.resolve() })).rejects.toThrow("no longer known");
  });
});
