import { createSdkMcpServer } from "@anthropic-ai/claude-agent-sdk";
import { conformant, fixture } from "@fstools/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createToolset } from "@fstools/toolset";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentTool } from "../src/agent-tool.ts";
import { type McpToolOptions, registerTools, toMcpTools } from "../src/mcp.ts";
import { containing, projectTools, waitingTool } from "./example-tools.ts";

const INFO = { name: "test", version: "1.0.0" };

/** A client of SDK 1 that is connected to a server which holds the tools. */
async function connect(server: McpServer): Promise<Client> {
  const client = new Client(INFO);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

const SERVERS = [
  {
    kind: "McpServer of MCP SDK 1",
    serve: (tools: readonly AgentTool[], options?: McpToolOptions) =>
      registerTools(new McpServer(INFO), tools, options),
  },
  {
    kind: "createSdkMcpServer of the Claude Agent SDK",
    serve: (tools: readonly AgentTool[], options?: McpToolOptions) =>
      registerTools(createSdkMcpServer({ name: "fstools" }), tools, options).instance,
  },
];

describe.each(SERVERS)("registerTools with $kind", ({ serve }) => {
  // Rule: Who watches calls sees where the client's trace has them.
  it("passes the client's trace on, if it is one", async () => {
    const calls: unknown[] = [];
    const toolset = createToolset({ projectRoot: fixture().root, onCall: (call) => calls.push(call.traceparent) });
    const client = await connect(serve(toolset.tools));
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const _meta of [{ traceparent }, { traceparent: "00-x\n" }, {}]) {
      await client.callTool({ name: "LS", arguments: {}, _meta });
    }
    expect(calls).toEqual([traceparent, undefined, undefined]);
  });

  it("offers the tools as they are", async () => {
    const tools = projectTools();
    const listed = await (await connect(serve(tools, { structured: true }))).listTools();
    expect(listed.tools).toMatchObject(toMcpTools(tools, { structured: true }));
    expect(listed.tools[0]?.inputSchema).toMatchObject(tools[0].jsonSchema);
  });

  it("answers with the text, marks errors, and leaves the checking of parameters to the tool", async () => {
    const client = await connect(serve(projectTools()));
    const read = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
    expect(read).toEqual({ content: [{ type: "text", text: containing("two\n") }], isError: false });
    const wrong = await client.callTool({ name: "Read", arguments: { path: "a.txt", limt: 2 } });
    expect(wrong).toEqual({ content: [{ type: "text", text: containing("Did you mean 'limit'?") }], isError: true });
  });

  it("puts the envelope beside the text, if asked", async () => {
    const client = await connect(serve(projectTools(), { structured: true }));
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: "LS", arguments: {} });
    expect(conformant(structuredContent, "ls")).toMatchObject({ status: "success" });
  });

  it("stops the tool when the client cancels, and reports progress until then", async () => {
    const { tool, started, stopped } = waitingTool();
    const client = await connect(serve([tool]));
    const abort = new AbortController();
    const heard: unknown[] = [];
    const options = { signal: abort.signal, onprogress: (progress: unknown) => heard.push(progress) };
    const settled = Promise.allSettled([client.callTool({ name: "Wait", arguments: {} }, undefined, options)]);
    await started;
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0);
    abort.abort();
    expect((await settled)[0].status).toBe("rejected");
    await expect.poll(() => stopped, { timeout: 20_000 }).toHaveLength(1);
  });
});
