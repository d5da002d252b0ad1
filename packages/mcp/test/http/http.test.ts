import { fixture } from "@fstools/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HttpService, serveHttp } from "../../src/http/http.ts";
import { createServerFactory } from "../../src/server.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

async function listen(): Promise<HttpService> {
  const { root } = fixture({ "a.txt": "one\n" });
  const service = await serveHttp(createServerFactory({ roots: [root] }), { host: "127.0.0.1", port: 0 });
  onTestFinished(() => service.close());
  return service;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends what no well-behaved client would. */
async function send(service: HttpService, { method = "POST", path, headers = {}, body }: Sent) {
  const url = new URL(path ?? "/mcp", service.url);
  const defaults = {
    authorization: `Bearer ${service.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const outgoing = request(url, { method, headers: { ...defaults, ...headers } });
  return new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      void text(incoming).then((answer) => {
        resolve({ status: incoming.statusCode ?? 0, body: answer, headers: incoming.headers });
      }, reject);
    });
    outgoing.end(body ?? JSON.stringify(INITIALIZE));
  });
}

// Rule: HTTP needs the token, a loopback Host and, if any, a loopback Origin.
describe("serveHttp", () => {
  it.each<[string, Sent, number]>([
    ["no token", { headers: { authorization: "" } }, 401],
    ["a wrong token", { headers: { authorization: "Bearer wrong" } }, 401],
    ["another scheme", { headers: { authorization: "Basic dXNlcg==" } }, 401],
    ["a foreign Host (DNS rebinding)", { headers: { host: "evil.example" } }, 403],
    ["a Host that only begins like ours", { headers: { host: "127.0.0.1.evil.example" } }, 403],
    ["a foreign Origin", { headers: { origin: "https://evil.example" } }, 403],
    ["an opaque Origin", { headers: { origin: "null" } }, 403],
    ["another path", { path: "/" }, 404],
    ["a session that is not there", { headers: { "mcp-session-id": "made-up" } }, 404],
    ["a call before the handshake", { body: JSON.stringify(PING) }, 400],
    ["no JSON", { body: "{" }, 400],
    ["a body of 97 MiB", { body: "x".repeat(97 * 1024 * 1024) }, 413],
  ])("refuses %s", async (_case, sent, status) => {
    expect((await send(await listen(), sent)).status).toBe(status);
  });

  it("asks for a token in the standard way, before it tells anything else", async () => {
    const service = await listen();
    const refused = await send(service, { path: "/nothing", headers: { authorization: "Bearer wrong" } });
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(refused.body).not.toContain(service.token);
  });

  it("serves who has the token, from a loopback page too", async () => {
    const service = await listen();
    expect((await send(service, {})).status).toBe(200);
    expect((await send(service, { headers: { host: "localhost", origin: "http://localhost:5173" } })).status).toBe(200);
  });

  it("makes a token that cannot be guessed", async () => {
    const [one, two] = [await listen(), await listen()];
    expect(one.token).not.toBe(two.token);
    expect(one.token).toMatch(/^[\w-]{32,}$/u);
  });

  // Rule: HTTP listens on loopback only.
  it.each(["0.0.0.0", "::", "example.com", ""])("does not listen on '%s', which others could reach", async (host) => {
    await expect(serveHttp(createServerFactory(), { host, port: 0 })).rejects.toThrow("is not a loopback address");
  });

  it.each(["", " ", "two words", "é"])("does not start with the token '%s'", async (token) => {
    const address = { host: "127.0.0.1", port: 0 };
    await expect(serveHttp(createServerFactory(), { ...address, token })).rejects.toThrow("The token must be");
  });

  it("tells what is wrong when it cannot listen", async () => {
    const { url } = await listen();
    const taken = { host: "127.0.0.1", port: Number(new URL(url).port) };
    await expect(serveHttp(createServerFactory(), taken)).rejects.toThrow("EADDRINUSE");
  });

  it("remembers what was read by the name of a client that has no session", async () => {
    const { root, write } = fixture({ "a.txt": "one\n" });
    const factory = createServerFactory({ roots: [root], tools: ["Read", "Write"] });
    const service = await serveHttp(factory, { host: "127.0.0.1", port: 0 });
    onTestFinished(() => service.close());
    const connect = async (name: string) => {
      const client = new Client({ name, version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      const requestInit = { headers: { authorization: `Bearer ${service.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(service.url), { requestInit }));
      onTestFinished(() => client.close());
      return async (tool: string, input: object) => {
        const answer = await client.callTool({ name: tool, arguments: { path: "a.txt", ...input } });
        return JSON.stringify(answer.content);
      };
    };
    const [one, again, other] = [await connect("one"), await connect("one"), await connect("other")];
    await one("Read", {});
    expect(await other("Write", { content: "two\n" })).toContain("was not read");
    write({ "a.txt": "changed\n" });
    expect(await other("Read", {})).not.toContain("modified externally");
    expect(await again("Read", {})).toContain("modified externally");
    expect(await again("Write", { content: "two\n" })).toContain("Updated");
  });

  it("ends open streams when it closes", async () => {
    const service = await listen();
    const requestInit = { headers: { authorization: `Bearer ${service.token}` } };
    const old = new OldClient({ name: "test", version: "1" });
    await old.connect(new OldTransport(new URL(service.url), { requestInit }));
    const current = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await current.connect(new StreamableHTTPClientTransport(new URL(service.url), { requestInit }));
    await service.close();
    await expect(old.listTools()).rejects.toThrow();
    await expect(current.listTools()).rejects.toThrow();
    await Promise.allSettled([old.close(), current.close()]);
  });
});
