import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createToolset } from "../src/toolset.ts";

const TREE = { "a.txt": "one\ntwo\n", "secret.pem": "key\n", src: { "index.ts": "export {};\n" } };

describe("createToolset", () => {
  it("holds the tools that only look", async () => {
    const toolset = createToolset({ projectRoot: fixture(TREE).root });
    expect(toolset.tools.map(({ name }) => name)).toEqual(["LS", "Glob", "Read"]);
    const calls = { LS: {}, Glob: { pattern: "**/*.ts" }, Read: { path: "a.txt" } };
    for (const [name, input] of Object.entries(calls)) {
      expect(conformant(await toolset.tool(name)?.run(input)), name).toMatchObject({ status: "success" });
    }
  });

  it("holds what the host names, in its order, each once", () => {
    const { tools, tool } = createToolset({ projectRoot: fixture().root, tools: ["read", "LS", "read"] });
    expect(tools.map(({ name }) => name)).toEqual(["read", "LS"]);
    expect(tool("read")).toBe(tools[0]);
    expect(tool("Read")).toBeUndefined();
  });

  it("passes each tool its own options, and all of them the project's", async () => {
    const { root } = fixture(TREE);
    const { tool } = createToolset({
      projectRoot: root,
      workingDir: "src",
      deny: ["*.pem"],
      tools: ["LS", "Glob", "Read", "read"],
      glob: { maxVisitedEntries: 1 },
      read: { maxLineChars: 2 },
      readOpencode: { version: "1.18" },
    });
    expect(await tool("LS")?.run({})).toMatchObject({ context: { cwd: "src", path_resolved: "src" } });
    expect(await tool("Glob")?.run({ pattern: "**/*" })).toMatchObject({ data: { aborted_reason: "count_limit" } });
    expect(await tool("Read")?.run({ path: "a.txt" })).toMatchObject({ data: { content: "   1 | on\n" } });
    expect(await tool("read")?.run({ filePath: "../a.txt" })).toMatchObject({
      data: { content: expect.stringContaining("(End of file - total 2 lines)") as unknown },
    });
    expect(await tool("Read")?.run({ path: "secret.pem" })).toMatchObject({ error: { code: "ACCESS_DENIED" } });
  });

  it("cuts a long answer only when the host asks for it, and keeps the rest where the host says", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}-${"x".repeat(200)}`);
    const project = fixture({ [names[0] ?? ""]: Object.fromEntries(names.map((name) => [name, ""])) });
    const saved: string[] = [];
    const store = {
      save: (tool: string) => {
        saved.push(tool);
        return Promise.resolve("tool-output/x.json");
      },
    };
    const { tool, truncate } = createToolset({ projectRoot: project.root, store });
    const whole = conformant(await tool("LS")?.run({ path: names[0], limit: 200 }));
    expect(whole).toMatchObject({ status: "success", stats: { returned: 200 } });
    expect(saved).toEqual([]);
    if (whole === undefined) throw new Error("There is no LS.");
    expect(conformant(await truncate("LS", whole))).toMatchObject({
      status: "partial",
      data: { truncation: { full_output_path: "tool-output/x.json" } },
    });
    expect(saved).toEqual(["LS"]);
  });

  it("shows the sandbox that its tools use", async () => {
    const { root } = fixture(TREE);
    const { sandbox } = createToolset({ projectRoot: root, deny: ["*.pem"] });
    expect(sandbox.root.absolute).toBe(root);
    await expect(sandbox.resolve("secret.pem")).rejects.toThrow();
  });

  it("throws at once for a project root that is not there, and for a tool that does not exist", () => {
    expect(() => createToolset({ projectRoot: "/no/such/directory" })).toThrow("/no/such/directory");
    const tools = ["LS", "Bash"] as never[];
    expect(() => createToolset({ projectRoot: fixture().root, tools })).toThrow(
      "There is no tool 'Bash'. Choose from LS, Glob, Read, read.",
    );
  });
});
