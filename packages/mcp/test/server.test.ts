import { conformant, fixture } from "@fstools/testing";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServerFactory, type McpServerOptions } from "../src/server.ts";
import { TOOL_NAMES } from "../src/tool-names.ts";

async function connect(options: McpServerOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
  await Promise.all([createServerFactory(options)().connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

describe("createServerFactory", () => {
  it("offers every tool that is named, once", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const client = await connect({ roots: [root], tools: [...TOOL_NAMES, "LS"] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["LS", "Glob", "Read", "read"]);
    const calls = { LS: {}, Glob: { pattern: "**/*" }, Read: { path: "a.txt" }, read: { filePath: "a.txt" } };
    for (const [name, input] of Object.entries(calls)) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError, name).toBe(false);
      expect(conformant(result.structuredContent), name).toMatchObject({ status: "success" });
    }
  });

  it("leaves no file behind: a long answer is cut, not spilled", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}-${"x".repeat(200)}`);
    const project = fixture({ deep: { [names[0] ?? ""]: Object.fromEntries(names.map((name) => [name, ""])) } });
    const client = await connect({ roots: [project.root] });
    const result = await client.callTool({ name: "LS", arguments: { path: `deep/${names[0] ?? ""}`, limit: 200 } });
    expect(result.structuredContent).toMatchObject({ status: "partial", data: { truncated: true } });
    expect(JSON.stringify(result.structuredContent)).not.toContain("full_output_path");
    const after = await client.callTool({ name: "LS", arguments: { include_hidden: true } });
    expect(after.structuredContent).toMatchObject({ data: { entries: [{ path: "deep" }] } });
  });

  it("names the roots when there are several", async () => {
    const [one, two] = [fixture({ "1.txt": "" }), fixture({ "2.txt": "" })];
    const client = await connect({ roots: [one.root, two.root] });
    expect(client.getInstructions()).toContain(`Roots: ${one.root}, ${two.root}.`);
    const second = await client.callTool({ name: "LS", arguments: { path: two.root } });
    expect(second.structuredContent).toMatchObject({ data: { entries: [{ path: "2.txt" }] } });
    expect((await connect({ roots: [one.root] })).getInstructions()).not.toContain(one.root);
  });

  it("takes roots relative to the process, and a call names them by their absolute path", async () => {
    const [one, two] = [fixture({ "1.txt": "" }), fixture({ "2.txt": "" })];
    const client = await connect({ roots: [relative("", one.root), relative("", two.root)] });
    expect(client.getInstructions()).toContain(`Roots: ${one.root}, ${two.root}.`);
    const second = await client.callTool({ name: "LS", arguments: { path: two.root } });
    expect(second.structuredContent).toMatchObject({ data: { entries: [{ path: "2.txt" }] } });
  });

  it("does not take an empty root for the current directory", () => {
    expect(() => createServerFactory({ roots: [""] })).toThrow("existing directory");
  });

  it("throws at once when a root is not a directory", () => {
    expect(() => createServerFactory({ roots: ["/no/such/directory"] })).toThrow("/no/such/directory");
  });
});
