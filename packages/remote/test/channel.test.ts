import { z } from "@fstools/protocol";
import { serveOnLoopback } from "@fstools/testing";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Channel, openChannel } from "../src/channel.ts";

const HELLO = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "scripted", version: "1" } };
const SHORT = { timeoutMs: 5000 };

/** Says hello as a server does, and leaves the rest to `handler`, which is told the id of the request. */
async function open(
  handler: (id: unknown, response: ServerResponse, request: IncomingMessage) => void,
  unanswered = "",
) {
  const listener: RequestListener = (request, response) => {
    void text(request).then((body) => {
      const { id, method } = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string };
      if (method === unanswered) return;
      const headers = { "content-type": "application/json", "mcp-session-id": "s" };
      if (method === "initialize")
        response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: "2.0", id, result: HELLO }));
      else if (method === "notifications/initialized") response.writeHead(202).end();
      else handler(id, response, request);
    });
  };
  const channel = await openChannel({ url: `${await serveOnLoopback(listener)}/mcp`, token: "t" });
  onTestFinished(() => channel.close());
  return channel;
}

function call(channel: Channel, signal?: AbortSignal): Promise<unknown> {
  return channel.request("tools/call", { name: "LS", arguments: {} }, { ...SHORT, signal });
}

describe("openChannel to a URL", () => {
  it.each([
    [401, "refused"],
    [403, "refused"],
    [404, "not_sent"],
    [413, "refused"],
    [429, "refused"],
    [303, "lost"],
    [400, "lost"],
    [408, "lost"],
    [500, "lost"],
    [504, "lost"],
  ])("takes HTTP status %i for %s", async (status, progress) => {
    const channel = await open((_id, response) => response.writeHead(status).end());
    await expect(call(channel)).rejects.toMatchObject({ progress });
    expect(channel.isOpen).toBe(progress === "refused");
  });

  it.each([
    [-32_600, "refused"],
    [-32_601, "refused"],
    [-32_602, "refused"],
    [-32_700, "refused"],
    [-32_603, "invalid"],
    [-32_000, "invalid"],
    [7, "invalid"],
  ])("takes the error %i for %s", async (code, progress) => {
    const channel = await open((id, response) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: "Why." } }));
    });
    await expect(call(channel)).rejects.toMatchObject({
      progress,
      message: expect.stringMatching(/Why\.$/u) as unknown,
    });
  });

  it.each([
    ["lines", (id: unknown) => ["event: message\n", `data: {"jsonrpc":"2.0","id":${String(id)},"result":{}}\n`, "\n"]],
    [
      "halves of line ends",
      (id: unknown) => [`data: {"jsonrpc":"2.0","id":${String(id)},"result":{}}\r\n`, "\r", "\n"],
    ],
  ])("reads a stream that comes in %s, and is left open", async (_case, pieces) => {
    const channel = await open((id, response) => void sendSlowly(response, pieces(id)));
    expect(await call(channel)).toEqual({});
  });

  it("answers no question of the server, however many there are, and opens no stream for them", async () => {
    let requests = 0;
    const channel = await open((id, response) => {
      requests += 1;
      response.setHeader("content-type", "text/event-stream");
      response.write(`data: {"jsonrpc":"2.0","id":"q","method":"ping"}\n\n`.repeat(10_000));
      response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result: {} })}\n\n`);
    });
    await call(channel);
    await sleep(100);
    expect(requests).toBe(1);
  });

  it("cancels an aborted request there, and hangs up", async () => {
    const abort = new AbortController();
    const seen: string[] = [];
    const channel = await open((id, response) => {
      seen.push(id === undefined ? "cancelled" : "called");
      response.on("close", () => seen.push("hung up"));
      if (id === undefined) response.writeHead(202).end();
      else abort.abort();
    });
    await expect(call(channel, abort.signal)).rejects.toThrow();
    await expect.poll(() => seen).toEqual(expect.arrayContaining(["called", "cancelled", "hung up"]));
    expect(channel.isOpen).toBe(true);
  });

  it("says that a session is gone only if there was one", async () => {
    const channel = await open((_id, response) => response.writeHead(404).end());
    await expect(call(channel)).rejects.toThrow("It does not know this session any more.");
    const url = `${await serveOnLoopback((_request, response) => response.writeHead(404).end())}/mcp`;
    await expect(openChannel({ url, token: "t" })).rejects.toThrow("There is no MCP server at this address.");
  });

  it("does not wait for ever for a notice to be taken", { timeout: 30_000 }, async () => {
    const opening = open(() => undefined, "notifications/initialized");
    await expect(opening).rejects.toThrow("The connection broke off (TimeoutError).");
  });

  it("does not wait for ever for a goodbye", { timeout: 20_000 }, async () => {
    const channel = await open(() => undefined);
    await channel.close();
    expect(channel.isOpen).toBe(false);
  });
});

describe("openChannel to a program", () => {
  it("waits for the exit code of a program that stops reading before it ends", async () => {
    const opening = openChannel({ command: "sh", args: ["-c", "exec 0<&-; sleep 0.3; exit 3"] });
    await expect(opening).rejects.toThrow("The server's process ended (exit code 3).");
  });

  it("does not wait for one that goes on, but reads no more", async () => {
    const hello = JSON.stringify({ jsonrpc: "2.0", id: 0, result: HELLO });
    const args = ["-c", `read line; exec 0<&-; printf '%s\\n' '${hello}'; exec sleep 20`];
    const channel = await openChannel({ command: "sh", args });
    onTestFinished(() => channel.close());
    await expect.poll(() => call(channel).catch(String)).toContain("no longer reads what is sent to it");
  });

  it("stops answering one that asks and asks, and reads no answer", async () => {
    const pings = 200_000;
    const channel = await openChannel(
      script(`
        process.stdin.pause();
        for (let id = 0; id < ${pings}; id += 1) say({ id, method: "ping" });
        hello();
        let read = "";
        process.stdin.on("data", (chunk) => {
          read += chunk;
          const asked = /"method":"count".*"id":(\\d+)/.exec(read);
          if (asked) say({ id: Number(asked[1]), result: { answers: read.split('"result":{}').length - 1 } });
        });
        process.stdout.write("All was taken.\\n", () => process.stdin.resume());`),
    );
    onTestFinished(() => channel.close());
    const result = await channel.request("count", {}, { timeoutMs: 60_000 });
    const { answers } = z.object({ answers: z.number() }).parse(result);
    expect(answers).toBeGreaterThan(0);
    expect(answers).toBeLessThan(pings / 10);
  });

  it("does not wait for what it started, either", async () => {
    const opening = openChannel({ command: "sh", args: ["-c", "sleep 20 & exit 3"] });
    await expect(opening).rejects.toThrow("The server's process ended (exit code 3).");
  });
});

/** A program that does this when it gets its first message, which asks for its name. */
function script(body: string) {
  const code = `
    const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    process.stdin.once("data", (line) => {
      const hello = () => say({ id: JSON.parse(line).id, result: ${JSON.stringify(HELLO)} });
      ${body}
    });`;
  return { command: process.execPath, args: ["-e", code] };
}

async function sendSlowly(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) {
    response.write(piece);
    await sleep(20);
  }
}
