import { conformant, fixture } from "@fstools/testing";
import { tracingChannel } from "node:diagnostics_channel";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ObservedCall } from "../src/toolset.ts";
import { createToolset } from "../src/toolset.ts";

const channel = tracingChannel("fstools:call");

/** Notes each event of the channel until the test ends. */
function listen() {
  const events: { readonly name: string; readonly call: unknown; readonly keys: string[] }[] = [];
  const noting = (name: string) => (call: unknown) => {
    events.push({ name, call, keys: Object.keys(call as object) });
  };
  const subscribers = {
    start: noting("start"),
    end: noting("end"),
    asyncStart: noting("asyncStart"),
    asyncEnd: noting("asyncEnd"),
    error: noting("error"),
  };
  channel.subscribe(subscribers);
  onTestFinished(() => {
    channel.unsubscribe(subscribers);
  });
  return events;
}

// Rule: A host sees every call: its tool, its parameters, its answer, its time.
describe("onCall", () => {
  it("is told of every call of every tool, with the answer", async () => {
    const calls: ObservedCall[] = [];
    const { root } = fixture({ "a.txt": "one\n" });
    const { tool } = createToolset({ projectRoot: root, onCall: (call) => calls.push(call) });
    const read = conformant(await tool("Read").run({ path: "a.txt" }));
    await tool("LS").call({ path: "gone" });
    expect(calls).toMatchObject([
      { tool: "Read", params: { path: "a.txt" } },
      { tool: "LS", params: { path: "gone" }, response: { status: "error" } },
    ]);
    expect(calls[0]?.response).toBe(read);
    expect(calls[0]?.elapsedMs).toBeGreaterThan(0);
  });

  it("is told where the caller's trace has the call", async () => {
    const calls: ObservedCall[] = [];
    const { tool } = createToolset({ projectRoot: fixture().root, onCall: (call) => calls.push(call) });
    await tool("LS").run({}, { traceparent: "00-1-2-01" });
    expect(calls).toMatchObject([{ traceparent: "00-1-2-01" }]);
  });

  it.each([
    ["throws", () => expect.unreachable()],
    ["rejects", () => Promise.reject(new Error("no"))],
    ["never ends", () => new Promise(() => undefined)],
  ])("changes nothing if it %s", async (_, onCall) => {
    const { tool } = createToolset({ projectRoot: fixture({ "a.txt": "one\n" }).root, onCall });
    expect(await tool("Read").run({ path: "a.txt" })).toMatchObject({ status: "success" });
  });
});

describe("the channel fstools:call", () => {
  it("tells of the start and the end of a call with one object", async () => {
    const events = listen();
    const { tool } = createToolset({ projectRoot: fixture({ "a.txt": "one\n" }).root });
    const response = await tool("Read").run({ path: "a.txt" });
    expect(events.map(({ name }) => name)).toEqual(["start", "end", "asyncStart", "asyncEnd"]);
    expect(new Set(events.map(({ call }) => call)).size).toBe(1);
    expect(events[0]?.keys).toEqual(["tool", "params"]);
    expect(events[3]?.call).toMatchObject({ tool: "Read", params: { path: "a.txt" }, response });
    expect(events[3]?.keys).toContain("elapsedMs");
  });

  it("tells of an answer that is an error", async () => {
    const events = listen();
    const { tool } = createToolset({ projectRoot: fixture().root });
    await tool("Read").run({ path: "gone" });
    expect(events.map(({ name }) => name)).toEqual(["start", "end", "error", "asyncStart", "asyncEnd"]);
    expect(events[2]?.call).toMatchObject({ response: { error: { code: "NOT_FOUND" } } });
  });

  it("is not used where nobody listens, and is from when somebody does", async () => {
    const traced = vi.spyOn(channel.constructor.prototype as typeof channel, "tracePromise");
    onTestFinished(() => {
      traced.mockRestore();
    });
    const { tool } = createToolset({ projectRoot: fixture().root });
    await tool("LS").run({});
    expect(traced).not.toHaveBeenCalled();
    listen();
    await tool("LS").run({});
    expect(traced).toHaveBeenCalledOnce();
  });
});
