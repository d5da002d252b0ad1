import { conformant } from "@fstools/testing";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { McpServer, type CallToolResult, type Tool } from "@modelcontextprotocol/server";
import { Ajv } from "ajv";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { type McpTool, type McpToolResult, registerTools, toMcpToolResult, toMcpTools } from "../src/mcp.ts";
import { containing, projectTools, tightTruncate, waitingTool } from "./example-tools.ts";

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
  it("offers the tools as read-only, with both schemas", async () => {
    const tools = projectTools();
    const client = await connect(tools);
    const listed = await client.listTools();
    expect(listed.tools).toEqual(toMcpTools(tools));
    expect(listed.tools[0]).toMatchObject({
      name: "LS",
      inputSchema: tools[0].jsonSchema,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });

  it("lets a tool that writes say so", async () => {
    const client = await connect([waitingTool().tool], { annotations: { readOnlyHint: false } });
    expect((await client.listTools()).tools[0]?.annotations).toEqual({ readOnlyHint: false });
  });

  it("answers with the text, and the envelope beside it", async () => {
    const client = await connect(projectTools());
    await client.listTools(); // from here on the client checks answers against the output schema
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
    expect(result.content).toEqual([{ type: "text", text: containing("   1 | one\n   2 | two") }]);
    expect(result.isError).toBe(false);
    conformant(result.structuredContent, "read");
  });

  it("marks an error, with the tool's own advice", async () => {
    const client = await connect(projectTools());
    await client.listTools();
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt", start_lin: 2 } });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([{ type: "text", text: containing("Did you mean 'start_line'?") }]);
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
    const client = await connect(projectTools(), { truncate: tightTruncate });
    await client.listTools();
    const result = await client.callTool({ name: "LS", arguments: {} });
    expect(result.content).toEqual([{ type: "text", text: containing("⚠️ 输出过大已截断") }]);
    expect(result.structuredContent).toMatchObject({ data: { truncated: true } });
  });
});

describe("toMcpTools and toMcpToolResult", () => {
  it("fit the SDK's own types", () => {
    expectTypeOf<McpTool>().toExtend<Tool>();
    expectTypeOf<McpToolResult>().toExtend<CallToolResult>();
  });

  it("describe the envelope: a schema that takes every answer and nothing else", async () => {
    const [ls, read] = projectTools();
    const [described] = toMcpTools([ls]);
    const fits = new Ajv({ strict: true, allowUnionTypes: true }).compile(described?.outputSchema ?? {});
    const answers = [
      await ls.run({}),
      await read.run({ path: "a.txt" }),
      await read.run({}),
      await ls.run({ limit: 1 }),
    ];
    for (const answer of [...answers, await tightTruncate("LS", await ls.run({}))]) {
      expect(fits(toMcpToolResult(answer).structuredContent), JSON.stringify(fits.errors)).toBe(true);
    }
    const { status, ...headless } = await ls.run({});
    expect([status, fits(headless)]).toEqual(["success", false]);
    expect(fits({ ...headless, status, extra: 1 })).toBe(false);
    expect(fits({ ...headless, status, error: "Error: boom" })).toBe(false);
    expect(fits({ ...headless, status: "fine" })).toBe(false);
  });
});
