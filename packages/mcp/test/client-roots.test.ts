import { conformant, fixture } from "@fstools/testing";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveHttp } from "../src/http/http.ts";
import { createServerFactory } from "../src/server.ts";

/** A client that offers these roots, or does not know of roots at all. */
async function connect(mode: "legacy" | { pin: string }, offers: readonly string[] | undefined, roots: string[] = []) {
  const service = await serveHttp(createServerFactory({ roots, structured: true }), { host: "127.0.0.1", port: 0 });
  onTestFinished(() => service.close());
  const options: ClientOptions = { versionNegotiation: { mode } };
  const client = new Client({ name: "test", version: "1" }, { ...options, capabilities: offers ? { roots: {} } : {} });
  if (offers) client.setRequestHandler("roots/list", () => ({ roots: offers.map((uri) => ({ uri })) }));
  const headers = { authorization: `Bearer ${service.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(service.url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

describe.each([{ mode: "legacy" as const }, { mode: { pin: "2026-07-28" } }])(
  "the client's roots, $mode",
  ({ mode }) => {
    it("are not used when the server has its own", async () => {
      const [own, offered] = [fixture({ "own.txt": "1\n" }), fixture({ "offered.txt": "2\n" })];
      const client = await connect(mode, [pathToFileURL(offered.root).href], [own.root]);
      const listed = await client.callTool({ name: "LS", arguments: {} });
      expect(listed.structuredContent).toMatchObject({ data: { entries: [{ path: "own.txt" }] } });
      const other = await client.callTool({ name: "LS", arguments: { path: offered.root } });
      expect(other.structuredContent).toMatchObject({ error: { code: "ACCESS_DENIED" } });
    });

    it("are used as far as they are there", async () => {
      const offered = fixture({ "offered.txt": "2\n" });
      const client = await connect(mode, ["file:///no/such/directory", pathToFileURL(offered.root).href]);
      const listed = await client.callTool({ name: "LS", arguments: {} });
      expect(listed.structuredContent).toMatchObject({ data: { entries: [{ path: "offered.txt" }] } });
    });

    it.each([
      ["does not know of roots", undefined, "No project root is set."],
      ["has no folder open", [], "No project root is set."],
      ["offers only what is not local", ["file://another-host/share"], "No project root is set."],
      ["offers one that is gone", ["file:///no/such/directory"], "The client's root is not an existing directory."],
    ])("are asked for: a client that %s gets a clear refusal", async (_case, offers, message) => {
      const client = await connect(mode, offers);
      const result = await client.callTool({ name: "LS", arguments: { path: "." } });
      expect(result.isError).toBe(true);
      expect(conformant(result.structuredContent)).toMatchObject({
        error: { code: "ACCESS_DENIED", message },
        context: { params_input: { path: "." } },
      });
    });
  },
);
