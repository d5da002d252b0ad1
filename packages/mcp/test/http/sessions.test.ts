import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { createSessions } from "../../src/http/sessions.ts";

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function post(message: object, session?: string): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: { ...HEADERS, ...(session === undefined ? {} : { "mcp-session-id": session }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });
}

async function initialize(sessions: ReturnType<typeof createSessions>): Promise<string> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const response = await sessions.fetch(post({ method: "initialize", params }));
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

async function ping(sessions: ReturnType<typeof createSessions>, session: string): Promise<number> {
  const response = await sessions.fetch(post({ method: "ping" }, session));
  await response.text();
  return response.status;
}

describe("createSessions", () => {
  const create = () => createSessions(() => new McpServer({ name: "test", version: "1" }));

  it("keeps a session until the client ends it", async () => {
    const sessions = create();
    const id = await initialize(sessions);
    expect(await ping(sessions, id)).toBe(200);
    const headers = { ...HEADERS, "mcp-session-id": id };
    await sessions.fetch(new Request("http://localhost/mcp", { method: "DELETE", headers }));
    expect(await ping(sessions, id)).toBe(404);
  });

  it("lets the session give way that was silent longest", async () => {
    const sessions = create();
    const [first, second] = [await initialize(sessions), await initialize(sessions)];
    for (let count = 2; count < 64; count += 1) await initialize(sessions);
    expect(await ping(sessions, first)).toBe(200);
    const last = await initialize(sessions);
    expect([await ping(sessions, second), await ping(sessions, first), await ping(sessions, last)]).toEqual([
      404, 200, 200,
    ]);
  });

  it("ends all of them when it closes", async () => {
    const sessions = create();
    const id = await initialize(sessions);
    await sessions.close();
    expect(await ping(sessions, id)).toBe(404);
  });
});
