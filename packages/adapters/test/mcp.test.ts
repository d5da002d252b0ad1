import { conformant, fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { McpServer, type CallToolResult, type Tool } from "@modelcontextprotocol/server";
import { Ajv } from "ajv";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { type McpTool, type McpToolResult, registerTools, toMcpToolResult, toMcpTools } from "../src/mcp.ts";
import { containing, projectTools, tightTruncate, waitingTool, writingTool } from "./example-tools.ts";

/** For a machine that has other things to do. */
const PATIENT = { timeout: 20_000 };

async function connect(
  ...parameters: Parameters<typeof registerTools> extends [unknown, ...infer Rest] ? Rest : never
) {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  registerTools(server, ...parameters);
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

describe("registerTools", () => {
  it("offers the tools as read-only, with both schemas if asked", async () => {
    const tools = projectTools();
    expect((await (await connect(tools)).listTools()).tools).toEqual(toMcpTools(tools));
    const listed = await (await connect(tools, { structured: true })).listTools();
    expect(listed.tools).toEqual(toMcpTools(tools, { structured: true }));
    expect(listed.tools[0]).toMatchObject({
      name: "LS",
      title: "List directory",
      inputSchema: tools[0].jsonSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });

  it("says of a tool that writes that it may destroy", async () => {
    const client = await connect([writingTool().tool]);
    expect((await client.listTools()).tools[0]?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
  });

  it.each([
    ["of all tools", { readOnlyHint: false }],
    ["of each tool", ({ name }: { name: string }) => ({ title: name, readOnlyHint: false })],
  ])("says %s what the host says", async (_case, annotations) => {
    const client = await connect([waitingTool().tool], { annotations });
    expect((await client.listTools()).tools[0]?.annotations).toMatchObject({ readOnlyHint: false });
  });

  // Rule: Who watches calls sees where the client's trace has them.
  it("passes the client's trace on, if it is one", async () => {
    const calls: unknown[] = [];
    const toolset = createToolset({ projectRoot: fixture().root, onCall: (call) => calls.push(call.traceparent) });
    const client = await connect(toolset);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const _meta of [{ traceparent }, { traceparent: "00-x\n" }, {}]) {
      await client.callTool({ name: "LS", arguments: {}, _meta });
    }
    expect(calls).toEqual([traceparent, undefined, undefined]);
  });

  it("answers with the text alone", async () => {
    const client = await connect(projectTools());
    const { content, isError, structuredContent } = await client.callTool({ name: "LS", arguments: {} });
    expect(content).toEqual([{ type: "text", text: containing("a.txt") }]);
    expect(isError).toBe(false);
    expect(structuredContent).toBeUndefined();
  });

  it("puts the envelope beside it, if asked", async () => {
    const client = await connect(projectTools(), { structured: true });
    await client.listTools(); // from here on the client checks answers against the output schema
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
    expect(result.content).toEqual([{ type: "text", text: containing("two\n") }]);
    expect(result.isError).toBe(false);
    conformant(result.structuredContent, "read");
  });

  it("marks an error, with the tool's own advice", async () => {
    const client = await connect(projectTools(), { structured: true });
    await client.listTools();
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt", limt: 2 } });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([{ type: "text", text: containing("Did you mean 'limit'?") }]);
    expect(conformant(result.structuredContent)).toMatchObject({ status: "error", error: { code: "INVALID_PARAM" } });
  });

  it("stops the tool when the client cancels", async () => {
    const { tool, started, stopped } = waitingTool();
    const client = await connect([tool]);
    const abort = new AbortController();
    const running = client.callTool({ name: "Wait", arguments: {} }, { signal: abort.signal });
    const settled = Promise.allSettled([running]);
    await started;
    abort.abort();
    expect((await settled)[0].status).toBe("rejected");
    await expect.poll(() => stopped, PATIENT).toHaveLength(1);
  });

  it("reports progress that grows, to a client that asks", async () => {
    const { tool, stopped } = waitingTool();
    const client = await connect([tool]);
    const abort = new AbortController();
    const heard: { progress: number; message?: string | undefined }[] = [];
    const running = client.callTool(
      { name: "Wait", arguments: {} },
      { signal: abort.signal, onprogress: (progress) => heard.push(progress) },
    );
    const settled = Promise.allSettled([running]);
    await expect.poll(() => heard.length, PATIENT).toBeGreaterThan(1);
    abort.abort();
    await settled;
    expect(heard[1]?.progress).toBeGreaterThan(heard[0]?.progress ?? Infinity);
    expect(heard[0]?.message).toMatch(/^Wait is at work \(\d+\.\d s\)\.$/u);
    await expect.poll(() => stopped, PATIENT).toHaveLength(1);
    const count = heard.length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(heard).toHaveLength(count);
  });

  it("shortens answers with the truncator that it is given", async () => {
    const client = await connect(projectTools(), { truncate: tightTruncate, structured: true });
    await client.listTools();
    const result = await client.callTool({ name: "LS", arguments: {} });
    expect(result.content).toEqual([{ type: "text", text: containing("[Output too large: ") }]);
    // Programs get the envelope as the tool made it.
    expect(result.structuredContent).toMatchObject({ status: "success", data: { entries: [{}, {}] } });
  });

  it("refuses what is not a server", () => {
    expect(() => registerTools({} as never, projectTools())).toThrow("Expected an McpServer");
  });
});

describe("toMcpTools and toMcpToolResult", () => {
  it("fit the SDK's own types", () => {
    expectTypeOf<McpTool>().toExtend<Tool>();
    expectTypeOf<McpToolResult>().toExtend<CallToolResult>();
  });

  it("describe the envelope: a schema that takes every answer and nothing else", async () => {
    const [ls, read] = projectTools();
    const [described] = toMcpTools([ls], { structured: true });
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(described?.outputSchema ?? {});
    const answers = [
      await ls.run({}),
      await read.run({ path: "a.txt" }),
      await read.run({}),
      await ls.run({ limit: 1 }),
    ];
    for (const answer of [...answers, await tightTruncate("LS", await ls.run({}))]) {
      expect(fits(toMcpToolResult(answer, { structured: true }).structuredContent), JSON.stringify(fits.errors)).toBe(
        true,
      );
    }
    const { status, ...headless } = await ls.run({});
    expect([status, fits(headless)]).toEqual(["success", false]);
    expect(fits({ ...headless, status, extra: 1 })).toBe(false);
    expect(fits({ ...headless, status, error: "Error: boom" })).toBe(false);
    expect(fits({ ...headless, status: "fine" })).toBe(false);
  });
});
