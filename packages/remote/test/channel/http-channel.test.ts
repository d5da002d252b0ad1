import { serveOnLoopback } from "@fstools/testing";
import type { RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openHttp } from "../../src/channel/http-channel.ts";

/** A channel to a server that answers like this. */
async function open(handler: RequestListener) {
  return openHttp({ url: `${await serveOnLoopback(handler)}/mcp`, token: "t" });
}

describe("openHttp", () => {
  it.each([
    [401, "refused"],
    [403, "refused"],
    [404, "refused"],
    [413, "refused"],
    [429, "refused"],
    [303, "lost"],
    [400, "lost"],
    [408, "lost"],
    [500, "lost"],
    [504, "lost"],
  ])("takes HTTP status %i for %s", async (status, progress) => {
    const channel = await open((_request, response) => response.writeHead(status).end());
    await expect(channel.request("tools/call", {})).rejects.toMatchObject({ progress });
  });

  it("says that a session is gone only if there was one", async () => {
    let isKnown = true;
    const channel = await open((_request, response) => {
      const headers = { "content-type": "application/json", "mcp-session-id": "s" };
      response.writeHead(isKnown ? 200 : 404, headers).end('{"jsonrpc":"2.0","id":0,"result":{}}');
      isKnown = false;
    });
    await channel.request("initialize", {});
    await expect(channel.request("tools/call", {})).rejects.toThrow("It does not know this session any more.");
    const elsewhere = await open((_request, response) => response.writeHead(404).end());
    await expect(elsewhere.request("initialize", {})).rejects.toThrow("There is no MCP server at this address.");
  });

  it.each([
    ["lines", ["event: message\n", 'data: {"jsonrpc":"2.0","id":0,"result":{"a":1}}\n', "\n"]],
    ["halves of line ends", ['data: {"jsonrpc":"2.0","id":0,"result":{"a":1}}\r\n', "\r", "\n"]],
  ])("reads a stream that comes in %s", async (_case, pieces) => {
    const channel = await open((_request, response) => void sendSlowly(response, pieces));
    // The server leaves its stream open, so the answer is known by its end.
    const signal = AbortSignal.timeout(2000);
    expect(await channel.request("tools/call", {}, signal)).toEqual({ a: 1 });
  });
});

async function sendSlowly(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const piece of pieces) {
    response.write(piece);
    await sleep(20);
  }
}
