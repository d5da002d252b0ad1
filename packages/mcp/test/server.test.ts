import { conformant, fixture } from "@fstools/testing";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { TOOL_NAMES, type ToolName, WRITING_TOOL_NAMES } from "@fstools/toolset";
import { writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServerFactory } from "../src/server.ts";
import type { McpServerOptions } from "../src/service.ts";

async function connect(options: McpServerOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
  await Promise.all([createServerFactory({ structured: true, ...options })().connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

/** A picture of one pixel, in base64. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

function isWriting(name: ToolName): boolean {
  return WRITING_TOOL_NAMES.includes(name);
}

describe("createServerFactory", () => {
  it("offers every tool that is named, once", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const client = await connect({ roots: [root], tools: [...TOOL_NAMES, "LS"] });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES);
    const calls = {
      LS: {},
      Glob: { pattern: "**/*" },
      Grep: { pattern: "one" },
      Read: { path: "a.txt" },
      read: { filePath: "a.txt" },
      Edit: { path: "a.txt", old_string: "one", new_string: "two" },
      Write: { path: "new/b.txt", content: "b\n" },
      Patch: { patch: "*** Begin Patch\n*** Update File: a.txt\n-two\n+2\n*** End Patch" },
      Move: { from: "new/b.txt", to: "c.txt" },
      Delete: { path: "c.txt" },
    };
    for (const [name, input] of Object.entries(calls)) {
      const result = await client.callTool({ name, arguments: input });
      expect(result.isError, name).toBe(false);
      expect(conformant(result.structuredContent), name).toMatchObject({ status: "success" });
    }
  });

  it("answers with the text alone, unless told otherwise", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const client = await connect({ roots: [root], structured: false });
    expect((await client.listTools()).tools[0]).not.toHaveProperty("outputSchema");
    const result = await client.callTool({ name: "Read", arguments: { path: "a.txt" } });
    expect(result.content).toMatchObject([{ type: "text" }]);
    expect(result.structuredContent).toBeUndefined();
  });

  it("says of each tool what it does to files", async () => {
    const client = await connect({ roots: [fixture().root], tools: [...TOOL_NAMES] });
    const { tools } = await client.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]);
    expect(hints).toEqual(TOOL_NAMES.map((name) => [name, !isWriting(name), isWriting(name)]));
    expect(tools.filter(({ annotations }) => annotations?.idempotentHint === false).map(({ name }) => name)).toEqual([
      "Edit",
      "Patch",
      "Move",
    ]);
    expect(client.getInstructions()).toContain("change them");
  });

  it("hides secrets and what git ignores, as told", async () => {
    const { root } = fixture({ ".env": "KEY=1\n", ".gitignore": "*.log\n", "a.log": "", "a.txt": "" });
    const list = async (options: McpServerOptions) => {
      const client = await connect({ roots: [root], ...options });
      const { structuredContent } = await client.callTool({
        name: "Glob",
        arguments: { pattern: "*", include_hidden: true },
      });
      return structuredContent;
    };
    expect(await list({})).toMatchObject({ data: { paths: [".gitignore", "a.log", "a.txt"] } });
    expect(await list({ gitignore: true })).toMatchObject({ data: { paths: [".gitignore", "a.txt"] } });
    expect(await list({ defaultDeny: false })).toMatchObject({
      data: { paths: [".env", ".gitignore", "a.log", "a.txt"] },
    });
  });

  it("shows pictures, and reads PDF files, if told so", async () => {
    const pixel = Buffer.from(PIXEL, "base64");
    const { root } = fixture({ "a.png": pixel, "a.pdf": "%PDF-1.7\nrubbish" });
    const show = async (path: string, options: McpServerOptions) => {
      const client = await connect({ roots: [root], structured: false, ...options });
      return (await client.callTool({ name: "Read", arguments: { path } })).content;
    };
    expect(await show("a.png", { media: true })).toEqual([
      { type: "text", text: `Read image 'a.png' (PNG, 1x1, ${pixel.length} bytes).` },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ]);
    expect(await show("a.pdf", { media: true })).toMatchObject([
      { text: expect.stringContaining("but broken") as string },
    ]);
    expect(await show("a.png", {})).toMatchObject([{ text: expect.stringContaining("It is a PNG image.") as string }]);
  });

  it("remembers what was read for one connection only", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const createServer = createServerFactory({ roots: [root], structured: true });
    const read = async () => {
      const client = new Client({ name: "test", version: "1.0.0" });
      const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
      await Promise.all([createServer().connect(far), client.connect(near)]);
      onTestFinished(() => client.close());
      return async () => (await client.callTool({ name: "Read", arguments: { path: "a.txt" } })).structuredContent;
    };
    const [one, two] = [await read(), await read()];
    await one();
    writeFileSync(join(root, "a.txt"), "one and two\n");
    expect(await two()).not.toMatchObject({ data: { modified_externally: true } });
    expect(await one()).toMatchObject({ data: { modified_externally: true } });
  });

  it("leaves no file behind: a long answer is cut, not spilled; programs get it whole", async () => {
    const project = fixture({ deep: { "long.txt": `needle ${"x".repeat(290)}\n`.repeat(200) } });
    const client = await connect({ roots: [project.root] });
    const result = await client.callTool({ name: "Grep", arguments: { pattern: "needle", limit: 200 } });
    expect(JSON.stringify(result.content)).toContain("[Output too large: ");
    expect(JSON.stringify(result)).not.toContain("full_output_path");
    expect(conformant(result.structuredContent)).toMatchObject({ status: "success", stats: { matched_lines: 200 } });
    const after = await client.callTool({ name: "LS", arguments: { include_hidden: true } });
    expect(after.structuredContent).toMatchObject({ data: { entries: [{ path: "deep" }] } });
  });

  it("needs no directory of its own: a client supplies the roots", async () => {
    const offered = fixture({ "offered.txt": "1\n" });
    const gone = fixture();
    const before = process.cwd();
    process.chdir(gone.root);
    onTestFinished(() => {
      process.chdir(before);
    });
    gone.cleanup();
    const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { roots: {} } });
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(offered.root).href }] }));
    const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
    await Promise.all([createServerFactory()().connect(far), client.connect(near)]);
    onTestFinished(() => client.close());
    const result = await client.callTool({ name: "LS", arguments: {} });
    expect(JSON.stringify(result.content)).toContain("offered.txt");
  });

  it("names the roots when there are several", async () => {
    const [one, two] = [fixture({ "1.txt": "" }), fixture({ "2.txt": "" })];
    const client = await connect({ roots: [relative("", one.root), two.root] });
    expect(client.getInstructions()).toContain(`Roots: ${basename(one.root)}, ${basename(two.root)}.`);
    const second = await client.callTool({ name: "LS", arguments: { path: two.root } });
    expect(second.structuredContent).toMatchObject({ data: { entries: [{ path: `${basename(two.root)}/2.txt` }] } });
    expect((await connect({ roots: [one.root] })).getInstructions()).not.toContain(basename(one.root));
  });

  it("searches all roots in one call, and changes nothing in those that are only read", async () => {
    const { path } = fixture({ web: { "a.txt": "needle\n" }, docs: { "b.txt": "needle\n" } });
    const client = await connect({ roots: [path("web")], readRoots: [path("docs")], tools: ["Grep", "Write", "Move"] });
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content } = await client.callTool({ name, arguments: input });
      return JSON.stringify(content);
    };
    expect(await call("Grep", { pattern: "needle" })).toContain("docs/b.txt\\n1:needle\\n\\nweb/a.txt\\n1:needle");
    expect(await call("Write", { path: "docs/c.txt", content: "" })).toContain(
      "Writing to 'docs/c.txt' is not allowed.",
    );
    expect(await call("Write", { path: "web/c.txt", content: "" })).toContain("Created 'web/c.txt'");
    expect(await call("Move", { from: "docs/b.txt", to: "web/b.txt" })).toContain("not allowed");
    expect(await call("Move", { from: "docs/b.txt", to: "web/b.txt", copy: true })).toContain("Copied 'docs/b.txt'");
  });

  it("escapes the name of a root where the model reads it", async () => {
    const { path } = fixture({ "evil\nname": { "a.txt": "" }, other: {} });
    const client = await connect({ roots: [path("evil\nname"), path("other")] });
    expect(client.getInstructions()).toContain("Roots: evil\\nname, ");
  });

  it("does not take an empty root for the current directory", () => {
    expect(() => createServerFactory({ roots: [""] })).toThrow("existing directory");
  });

  it("throws at once when a root is not a directory", () => {
    expect(() => createServerFactory({ roots: ["/no/such/directory"] })).toThrow("/no/such/directory");
  });
});
