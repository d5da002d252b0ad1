import { rmSync } from "node:fs";
import { conformant, fixture } from "@fstools/testing";
import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { createEditTool } from "@fstools/edit";
import { createLsTool } from "@fstools/ls";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { ToolName } from "../src/tools.ts";
import { createToolset, type Toolset } from "../src/toolset.ts";

const TREE = { "a.txt": "one\ntwo\n", "secret.pem": "key\n", src: { "index.ts": "export {};\n" } };

describe("createToolset", () => {
  it("holds the tools that only look", async () => {
    const toolset = createToolset({ projectRoot: fixture(TREE).root });
    expect(toolset.tools.map(({ name }) => name)).toEqual(["LS", "Glob", "Grep", "Read"]);
    const calls = { LS: {}, Glob: { pattern: "**/*.ts" }, Grep: { pattern: "export" }, Read: { path: "a.txt" } };
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

  it("types a tool by its name: there, with its own data, if it was asked for", () => {
    const options = { projectRoot: fixture().root };
    const { tool } = createToolset({ ...options, tools: ["Read", "Edit"] });
    expectTypeOf(tool("Read")).toEqualTypeOf<ReturnType<typeof createReadTool>>();
    expectTypeOf(tool("Edit")).toEqualTypeOf<ReturnType<typeof createEditTool>>();
    expectTypeOf(tool("LS")).toEqualTypeOf<Tool | undefined>();
    expectTypeOf(createToolset(options).tool("LS")).toEqualTypeOf<ReturnType<typeof createLsTool>>();
    const names: ToolName[] = ["LS"];
    expectTypeOf(createToolset({ ...options, tools: names }).tool("LS")).toEqualTypeOf<Tool | undefined>();
    const any: Toolset = createToolset(options);
    expect(any.tool("LS")?.name).toBe("LS");
  });

  it("passes on who is asked before anything is written, unless a tool has one of its own", async () => {
    const project = fixture({ "a.txt": "one\n" });
    const tools = ["Edit", "Write"] as const;
    const asked: string[] = [];
    const confirm = ({ tool }: { readonly tool: string }) => asked.push(tool) === 0;
    const { tool } = createToolset({ projectRoot: project.root, tools, confirm, write: { confirm: () => true } });
    const change = { path: "a.txt", old_string: "one", new_string: "two" };
    expect(conformant(await tool("Edit").run(change))).toMatchObject({ error: { code: "ACCESS_DENIED" } });
    expect(conformant(await tool("Write").run({ path: "b.txt", content: "" }))).toMatchObject({ status: "success" });
    expect(asked).toEqual(["Edit"]);
  });

  it("passes each tool its own options, and all of them the project's", async () => {
    const { root } = fixture(TREE);
    const { tool } = createToolset({
      projectRoot: root,
      workingDir: "src",
      deny: ["secret.pem"],
      defaultDeny: false,
      tools: ["LS", "Glob", "Grep", "Read", "read"],
      grep: { maxLineChars: 3 },
      glob: { maxVisitedEntries: 1 },
      read: { maxLineChars: 2 },
      readOpencode: { version: "1.18" },
    });
    expect(await tool("LS").run({})).toMatchObject({ context: { cwd: "src", path_resolved: "src" } });
    expect(await tool("Glob").run({ pattern: "**/*" })).toMatchObject({ data: { aborted_reason: "count_limit" } });
    expect(await tool("Read").run({ path: "a.txt" })).toMatchObject({ data: { content: "   1 | on\n" } });
    expect(await tool("read").run({ filePath: "../a.txt" })).toMatchObject({
      data: { content: expect.stringContaining("(End of file - total 2 lines)") as unknown },
    });
    expect(await tool("Grep").run({ pattern: "export", path: "." })).toMatchObject({
      data: { matches: [{ file: "src/index.ts", text: "exp" }] },
    });
    expect(await tool("Read").run({ path: "secret.pem" })).toMatchObject({ error: { code: "ACCESS_DENIED" } });
  });

  // Rule: What people call secrets is hidden by default, in whatever way a tool was made.
  it("hides secrets, unless the host says otherwise, and whatever else it denies", async () => {
    const { root } = fixture({ ".env": "KEY=1\n", ".env.example": "KEY=\n", "mine.txt": "KEY\n" });
    const options = { projectRoot: root, deny: ["mine.txt"] };
    const open = { ...options, defaultDeny: false };
    const statuses = async (tool: Tool | undefined) => {
      const answers = [".env", ".env.example", "mine.txt"].map(async (path) => conformant(await tool?.run({ path })));
      return (await Promise.all(answers)).map((answer) => answer?.status);
    };
    for (const made of [options, { sandbox: createSandbox(options) }]) {
      expect(await statuses(createToolset(made).tool("Read"))).toEqual(["error", "success", "error"]);
      expect(await statuses(createReadTool(made))).toEqual(["error", "success", "error"]);
    }
    for (const made of [open, { sandbox: createSandbox(open) }]) {
      expect(await statuses(createToolset(made).tool("Read"))).toEqual(["success", "success", "error"]);
      expect(await statuses(createReadTool(made))).toEqual(["success", "success", "error"]);
    }
  });

  it("takes a sandbox as it is", () => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    expect(createToolset({ sandbox }).sandbox).toBe(sandbox);
  });

  it("gives its tools one memory of files, or the host's", async () => {
    const project = fixture({ "a.txt": "one\n" });
    const versions = createFileVersions();
    const [one, two] = [1, 2].map(() => createToolset({ projectRoot: project.root, versions }));
    await one?.tool("Read").run({ path: "a.txt" });
    project.write({ "a.txt": "one and two\n" });
    expect(await two?.tool("Read").run({ path: "a.txt" })).toMatchObject({ data: { modified_externally: true } });
    const own = createToolset({ projectRoot: project.root });
    expect((await own.tool("Read").run({ path: "a.txt" })).data).not.toHaveProperty("modified_externally");
  });

  it("lets Edit and Write know what Read has shown", async () => {
    const project = fixture({ "a.txt": "one\n", "b.txt": "one\n" });
    const tools = ["Read", "Edit", "Write"] as const;
    const { tool } = createToolset({ projectRoot: project.root, tools, edit: { requireRead: true } });
    const whole = { path: "b.txt", content: "two\n" };
    expect(conformant(await tool("Write").run(whole))).toMatchObject({ error: { code: "CONFLICT" } });
    await tool("Read").run({ path: "b.txt" });
    expect(conformant(await tool("Write").run(whole))).toMatchObject({ status: "success" });
    const change = { path: "a.txt", old_string: "one", new_string: "two" };
    expect(conformant(await tool("Edit").run(change))).toMatchObject({ error: { code: "INVALID_PARAM" } });
    await tool("Read").run({ path: "a.txt" });
    expect(conformant(await tool("Edit").run(change))).toMatchObject({ status: "success", data: { applied: true } });
  });

  // Rule: A hint names only tools that the model has.
  it("names no tool in a hint that it does not hold", async () => {
    const project = fixture({ src: { "index.ts": "" } });
    const alone = createToolset({ projectRoot: project.root, tools: ["Read"] });
    const together = createToolset({ projectRoot: project.root });
    expect((await alone.tool("Read").run({ path: "src/x.ts" })).text).not.toContain("LS");
    expect((await together.tool("Read").run({ path: "src/x.ts" })).text).toContain("LS");
  });

  it("cuts a long answer only when the host asks for it, and keeps the rest where the host says", async () => {
    const project = fixture({ "long.txt": `needle ${"x".repeat(290)}\n`.repeat(200) });
    const saved: string[] = [];
    const store = {
      save: (tool: string) => {
        saved.push(tool);
        return Promise.resolve("tool-output/x.json");
      },
    };
    const { tool, truncate } = createToolset({ projectRoot: project.root, store });
    const whole = conformant(await tool("Grep").run({ pattern: "needle", limit: 200 }));
    expect(whole).toMatchObject({ status: "success", stats: { matched_lines: 200 } });
    expect(saved).toEqual([]);
    const cut = conformant(await truncate("Grep", whole));
    expect(cut).toMatchObject({ status: "partial", data: { truncation: { full_output_path: "tool-output/x.json" } } });
    expect(saved).toEqual(["Grep"]);
    const next = conformant(await tool("Grep").run(cut.context.next_call?.params));
    expect(next.text).toContain(`  ${1 + Number(cut.context.next_call?.params.offset)}: needle`);
  });

  it("shows the sandbox that its tools use", async () => {
    const { root } = fixture(TREE);
    const { sandbox } = createToolset({ projectRoot: root, deny: ["*.txt"] });
    expect(sandbox.root.absolute).toBe(root);
    await expect(sandbox.resolve("a.txt")).rejects.toThrow();
  });

  it("answers NOT_FOUND from every tool when the project root was removed", async () => {
    const { path } = fixture({ root: TREE });
    const toolset = createToolset({ projectRoot: path("root") });
    rmSync(path("root"), { recursive: true });
    const calls = { LS: {}, Glob: { pattern: "*" }, Grep: { pattern: "export" }, Read: { path: "a.txt" } };
    for (const [name, input] of Object.entries(calls)) {
      const answer = conformant(await toolset.tool(name)?.run(input));
      expect(answer, name).toMatchObject({ error: { code: "NOT_FOUND" } });
      expect(answer?.text, name).toMatch(/exist\. The project root itself does not exist any more; tell the user\.$/u);
    }
  });

  it("throws at once for a project root that is not there, and for a tool that does not exist", () => {
    expect(() => createToolset({ projectRoot: "/no/such/directory" })).toThrow("/no/such/directory");
    const tools = ["LS", "Bash"] as never[];
    expect(() => createToolset({ projectRoot: fixture().root, tools })).toThrow(
      "There is no tool 'Bash'. Choose from LS, Glob, Grep, Read, read, Edit, Write, Patch, Move, Delete.",
    );
  });
});
