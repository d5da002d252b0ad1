import { fixture } from "@fstools/testing";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { createService, type McpServerOptions } from "../../src/service.ts";
import { createSession } from "../../src/stdio/session.ts";

/** A session, and what it has sent. */
function open(options: McpServerOptions, capabilities: object = {}) {
  const sent: { id?: unknown; method?: string; result?: unknown; error?: { code: number } }[] = [];
  const session = createSession(createService(options), (message) => sent.push(message));
  const take = (message: object) => {
    session.take({ jsonrpc: "2.0", ...message });
  };
  take({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities } });
  const answer = async (id: unknown) => {
    await expect.poll(() => sent.find((message) => message.id === id), { timeout: 10_000 }).toBeDefined();
    return sent.find((message) => message.id === id);
  };
  return { session, sent, take, answer };
}

function call(id: unknown, name: string, input: object, meta: object = {}): object {
  return { id, method: "tools/call", params: { name, arguments: input, _meta: meta } };
}

describe("createSession", () => {
  it.each([
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2024-11-05"],
    ["1999-01-01", "2025-11-25"],
  ])("agrees on a revision: %s asked, %s used", (asked, used) => {
    const sent: unknown[] = [];
    createSession(createService(), (message) => sent.push(message)).take({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: asked, capabilities: {} },
    });
    expect(sent).toMatchObject([{ id: 1, result: { protocolVersion: used, serverInfo: { name: "fstools" } } }]);
  });

  it.each([
    ["an unknown method", { id: 1, method: "prompts/list" }, -32_601],
    ["an unknown tool", call(1, "Bash", {}), -32_602],
    ["a tool that is not offered", call(1, "read", { filePath: "a.txt" }), -32_602],
    ["a request without a method", { id: 1 }, -32_600],
  ])("refuses %s", async (_case, message, code) => {
    const { take, answer } = open({ roots: [fixture().root] });
    take(message);
    expect((await answer(1))?.error).toMatchObject({ code });
  });

  it.each([
    ["Edit", "There is no tool 'Edit'. The tools are LS, Glob, Grep, Read."],
    ["\u001b[2J", "There is no tool '\\u001b[2J'. The tools are LS, Glob, Grep, Read."],
    ["x".repeat(999), `There is no tool '${"x".repeat(200)}…'. The tools are LS, Glob, Grep, Read.`],
    [7, "The call names no tool. The tools are LS, Glob, Grep, Read."],
  ])("names the tools to one who calls for %s", async (name, message) => {
    const { take, answer } = open({ roots: [fixture().root] });
    take({ id: 1, method: "tools/call", params: { name, arguments: {} } });
    expect((await answer(1))?.error).toEqual({ code: -32_602, message });
  });

  it("lists and calls the tools, one by one or several at once", async () => {
    const { session, take, answer } = open({ roots: [fixture({ "a.txt": "one\n" }).root] });
    take({ id: 1, method: "tools/list" });
    expect((await answer(1))?.result).toMatchObject({
      tools: [{ name: "LS", annotations: { readOnlyHint: true } }, {}, {}, {}],
    });
    const pings = [2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    session.take([...pings, { jsonrpc: "2.0", ...call("four", "Read", { path: "a.txt" }) }, "nonsense"]);
    expect((await answer(3))?.result).toEqual({});
    expect(JSON.stringify(await answer("four"))).toContain("one");
    expect((await answer(null))?.error).toMatchObject({ code: -32_600 });
  });

  it("does not answer a call that was cancelled, and answers the next one", async () => {
    const { sent, take, answer } = open({ roots: [fixture({ "a.txt": "one\n" }).root] });
    take(call(1, "Read", { path: "a.txt" }));
    take({ method: "notifications/cancelled", params: { requestId: 1 } });
    take(call(2, "Read", { path: "a.txt" }));
    await answer(2);
    expect(sent.some(({ id }) => id === 1)).toBe(false);
  });

  it.each([
    ["once, if it tells of changes", { roots: { listChanged: true } }, 1],
    ["for each call, if not", { roots: {} }, 2],
  ])("asks the client for its roots %s", async (_case, capabilities, count) => {
    const { root } = fixture({ "a.txt": "one\n" });
    const { sent, take, answer } = open({}, capabilities);
    const questions = () => sent.filter(({ method }) => method === "roots/list");
    for (const id of [1, 2]) {
      const before = questions().length;
      take(call(id, "LS", {}));
      for (const question of questions().slice(before)) {
        take({ id: question.id, result: { roots: [{ uri: pathToFileURL(root).href }, { uri: "https://x" }, 7] } });
      }
      expect(JSON.stringify(await answer(id))).toContain("a.txt");
    }
    expect(questions()).toHaveLength(count);
    take({ method: "notifications/roots/list_changed" });
    take(call(3, "LS", {}));
    await expect.poll(() => questions().length).toBe(count + 1);
  });

  it("tells a client without roots what to do", async () => {
    const { take, answer } = open({});
    take(call(1, "LS", {}));
    expect(await answer(1)).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(await answer(1))).toContain("No project root is set.");
  });
});
