import { readFileSync, symlinkSync } from "node:fs";
import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { createHistory } from "@fstools/sandbox";
import { fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import { generateText, stepCountIs } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createMemory, handleToolUses, type MemoryTool } from "../src/anthropic.ts";
import { providerTools } from "./example-tools.ts";
import { anthropicReply, scriptedServer, toolResults, toolUse } from "./loopback.ts";

const TOOLS = ["LS", "Read", "Edit", "Write", "Move", "Delete"] as const;
const FILES = {
  "secret.txt": "no\n",
  agent: { memory: { "notes.txt": "Hello World\ntwo\nHello\n", old: { "a.md": "a\n", deep: { "b.md": "b\n" } } } },
};

function project(files: Parameters<typeof fixture>[0] = FILES) {
  const { root, path } = fixture(files);
  const memory = createMemory(createToolset({ projectRoot: root, tools: TOOLS }), { directory: "agent/memory" });
  const ask = async (input: object) => {
    const { text, failed } = await memory.answer(input);
    return failed ? { failed: text } : text;
  };
  return { path, memory, ask, content: (name: string) => readFileSync(path("agent", "memory", name), "utf8") };
}

describe("createMemory", () => {
  it("fits the SDK's own types", () => {
    expectTypeOf<MemoryTool>().toExtend<Anthropic.MemoryTool20250818>();
    expectTypeOf<MemoryTool>().toExtend<Anthropic.Beta.BetaMemoryTool20250818>();
  });

  it.each(["", ".", "/tmp", "../memory", "a/../../b"])("refuses the directory '%s'", (directory) => {
    const toolset = createToolset({ projectRoot: fixture({}).root, tools: TOOLS });
    expect(() => createMemory(toolset, { directory })).toThrow("directory must be a path below the project root.");
  });

  it("needs the tools that it is made of", () => {
    const toolset = createToolset({ projectRoot: fixture({}).root });
    expect(() => createMemory(toolset, { directory: "memory" })).toThrow("the toolset has no Edit.");
  });
});

// Rule: Anthropic's memory tool answers in the sentences of its documentation, to the letter.
describe("the memory tool's commands", () => {
  const LISTED = "Here're the files and directories up to 2 levels deep in";
  it.each([
    [
      "the memory",
      { command: "view", path: "/memories" },
      `${LISTED} /memories, excluding hidden items and node_modules:\n` +
        "4.0K\t/memories\n22B\t/memories/notes.txt\n4.0K\t/memories/old/\n2B\t/memories/old/a.md\n4.0K\t/memories/old/deep/",
    ],
    [
      "a directory in it",
      { command: "view", path: "/memories/old/" },
      `${LISTED} /memories/old/, excluding hidden items and node_modules:\n` +
        "4.0K\t/memories/old/\n2B\t/memories/old/a.md\n4.0K\t/memories/old/deep/\n2B\t/memories/old/deep/b.md",
    ],
    [
      "a file",
      { command: "view", path: "/memories/notes.txt" },
      "Here's the content of /memories/notes.txt with line numbers:\n     1\tHello World\n     2\ttwo\n     3\tHello",
    ],
    [
      "lines of a file",
      { command: "view", path: "/memories/notes.txt", view_range: [2, 2] },
      "Here's the content of /memories/notes.txt with line numbers:\n     2\ttwo",
    ],
    [
      "a missing file",
      { command: "view", path: "/memories/gone" },
      { failed: "The path /memories/gone does not exist. Please provide a valid path." },
    ],
    [
      "a new file",
      { command: "create", path: "/memories/new/n.txt", file_text: "n\n" },
      "File created successfully at: /memories/new/n.txt",
    ],
    [
      "a file that is there",
      { command: "create", path: "/memories/notes.txt", file_text: "n\n" },
      { failed: "Error: File /memories/notes.txt already exists" },
    ],
    [
      "a file that is there and is the same",
      { command: "create", path: "/memories/notes.txt", file_text: "Hello World\ntwo\nHello\n" },
      { failed: "Error: File /memories/notes.txt already exists" },
    ],
    [
      "a file in place of a directory",
      { command: "create", path: "/memories/old", file_text: "n\n" },
      { failed: "Error: File /memories/old already exists" },
    ],
    [
      "a replacement",
      { command: "str_replace", path: "/memories/notes.txt", old_str: "two", new_str: "2" },
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
        "     1\tHello World\n     2\t2\n     3\tHello",
    ],
    [
      "a replacement in a missing file",
      { command: "str_replace", path: "/memories/gone", old_str: "two", new_str: "2" },
      { failed: "Error: The path /memories/gone does not exist. Please provide a valid path." },
    ],
    [
      "a replacement in a directory",
      { command: "str_replace", path: "/memories/old", old_str: "two", new_str: "2" },
      { failed: "Error: The path /memories/old does not exist. Please provide a valid path." },
    ],
    [
      "a replacement of nothing",
      { command: "str_replace", path: "/memories/notes.txt", old_str: "three", new_str: "2" },
      {
        failed: "No replacement was performed, old_str `three` did not appear verbatim in /memories/notes.txt.",
      },
    ],
    [
      "a replacement of several",
      { command: "str_replace", path: "/memories/notes.txt", old_str: "Hello", new_str: "2" },
      {
        failed:
          "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. Please ensure it is unique",
      },
    ],
    [
      "an insertion",
      { command: "insert", path: "/memories/notes.txt", insert_line: 2, insert_text: "- Review\n" },
      "The file /memories/notes.txt has been edited.",
    ],
    [
      "an insertion past the end",
      { command: "insert", path: "/memories/notes.txt", insert_line: 9, insert_text: "x" },
      {
        failed: "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 3]",
      },
    ],
    [
      "an insertion into a missing file",
      { command: "insert", path: "/memories/gone", insert_line: 0, insert_text: "x" },
      { failed: "Error: The path /memories/gone does not exist" },
    ],
    ["a deletion", { command: "delete", path: "/memories/notes.txt" }, "Successfully deleted /memories/notes.txt"],
    ["a deletion of a directory", { command: "delete", path: "/memories/old" }, "Successfully deleted /memories/old"],
    [
      "a deletion of nothing",
      { command: "delete", path: "/memories/gone" },
      { failed: "Error: The path /memories/gone does not exist" },
    ],
    [
      "a deletion of everything",
      { command: "delete", path: "/memories/./" },
      { failed: "Error: Cannot delete the /memories directory itself" },
    ],
    [
      "a new name",
      { command: "rename", old_path: "/memories/old", new_path: "/memories/archive/old" },
      "Successfully renamed /memories/old to /memories/archive/old",
    ],
    [
      "a new name for nothing",
      { command: "rename", old_path: "/memories/gone", new_path: "/memories/b" },
      { failed: "Error: The path /memories/gone does not exist" },
    ],
    [
      "a name that is taken",
      { command: "rename", old_path: "/memories/old", new_path: "/memories/notes.txt" },
      { failed: "Error: The destination /memories/notes.txt already exists" },
    ],
    [
      "a new name for everything",
      { command: "rename", old_path: "/memories", new_path: "/memories/b" },
      { failed: "Error: Cannot rename the /memories directory itself" },
    ],
    [
      "an unknown command",
      { command: "undo" },
      { failed: "Error: Unknown command 'undo'. Use one of: view, create, str_replace, insert, delete, rename." },
    ],
  ])("%s", async (_case, input, expected) => {
    expect(await project().ask(input)).toEqual(expected);
  });

  it("change the files of the directory", async () => {
    const { ask, content } = project();
    await ask({ command: "insert", path: "/memories/notes.txt", insert_line: 1, insert_text: "one and a half" });
    await ask({ command: "str_replace", path: "/memories/notes.txt", old_str: "Hello W", new_str: "W" });
    await ask({ command: "rename", old_path: "/memories/notes.txt", new_path: "/memories/new/notes.txt" });
    expect(content("new/notes.txt")).toBe("World\none and a half\ntwo\nHello\n");
    expect(() => content("notes.txt")).toThrow("ENOENT");
  });

  it("begin with a memory that is not there yet", async () => {
    const { ask, content } = project({});
    expect(await ask({ command: "view", path: "/memories" })).toBe(
      `${LISTED} /memories, excluding hidden items and node_modules:\n4.0K\t/memories`,
    );
    await ask({ command: "create", path: "/memories/a.txt", file_text: "a\n" });
    expect(content("a.txt")).toBe("a\n");
  });

  it("do not show a file of too many lines", async () => {
    const { ask } = project({ agent: { memory: { "long.txt": "\n".repeat(1_000_000) } } });
    expect(await ask({ command: "view", path: "/memories/long.txt", view_range: [1, 2] })).toEqual({
      failed: "File /memories/long.txt exceeds maximum line limit of 999,999 lines.",
    });
  });
});

// Rule: Anthropic's memory tool reaches nothing outside its directory, also through links into the same project.
describe("what lies outside the memory", () => {
  const OUTSIDE = "Error: Path would escape /memories directory via symlink";
  it.each([
    ["/secret.txt", "Error: Path must start with /memories, got: /secret.txt"],
    ["secret.txt", "Error: Path must start with /memories, got: secret.txt"],
    ["memories/notes.txt", "Error: Path must start with /memories, got: memories/notes.txt"],
    ["/memories_old/a", "Error: Path must start with /memories, got: /memories_old/a"],
    ["/memories/../secret.txt", "Error: Path /memories/../secret.txt would escape /memories directory"],
    [
      "/memories/old/../../../secret.txt",
      "Error: Path /memories/old/../../../secret.txt would escape /memories directory",
    ],
    ["/memories\\..\\..\\secret.txt", "Error: Path /memories\\..\\..\\secret.txt would escape /memories directory"],
    ["/memories/file", OUTSIDE],
    ["/memories/folder/secret.txt", OUTSIDE],
    ["/memories/folder/new.txt", OUTSIDE],
    ["/memories/far", "Error: Access denied. Path must be within project root."],
  ])("%s", async (path, failed) => {
    const { path: real, ask } = project();
    symlinkSync("../../secret.txt", real("agent", "memory", "file"));
    symlinkSync("../..", real("agent", "memory", "folder"));
    symlinkSync("/etc", real("agent", "memory", "far"));
    const commands = [
      { command: "view", path },
      { command: "create", path, file_text: "x" },
      { command: "str_replace", path, old_str: "no", new_str: "yes" },
      { command: "insert", path, insert_line: 0, insert_text: "x" },
      { command: "delete", path },
      { command: "rename", old_path: path, new_path: "/memories/mine" },
      { command: "rename", old_path: "/memories/notes.txt", new_path: path },
    ];
    const isFar = path === "/memories/far";
    for (const command of isFar ? commands.slice(0, 4) : commands) expect(await ask(command)).toEqual({ failed });
    expect(readFileSync(real("secret.txt"), "utf8")).toBe("no\n");
  });

  it("is not written through a link to nothing", async () => {
    const { path, ask } = project();
    symlinkSync("../../new.txt", path("agent", "memory", "link"));
    expect(await ask({ command: "create", path: "/memories/link", file_text: "x" })).toEqual({ failed: OUTSIDE });
    expect(() => readFileSync(path("new.txt"))).toThrow("ENOENT");
  });
});

describe("a history", () => {
  it("keeps what the memory tool changed, and undoes it", async () => {
    const { root, path } = fixture(FILES);
    const history = createHistory({ directory: fixture({}).path("history") });
    const toolset = createToolset({ projectRoot: root, tools: TOOLS, history });
    const memory = createMemory(toolset, { directory: "agent/memory" });
    await memory.answer({ command: "str_replace", path: "/memories/notes.txt", old_str: "two", new_str: "2" });
    await memory.answer({ command: "delete", path: "/memories/old" });
    const changes = await history.changes();
    expect(changes.map(({ tool }) => tool)).toEqual(["Delete", "Edit"]);
    await history.undo({ since: changes[1]?.id ?? "" });
    expect(readFileSync(path("agent", "memory", "notes.txt"), "utf8")).toBe("Hello World\ntwo\nHello\n");
    expect(readFileSync(path("agent", "memory", "old", "deep", "b.md"), "utf8")).toBe("b\n");
  });
});

describe("the memory tool in loops", () => {
  const steps = [
    { command: "view", path: "/memories" },
    { command: "create", path: "/memories/a.txt", file_text: "blue\n" },
    { command: "str_replace", path: "/memories/a.txt", old_str: "red", new_str: "green" },
    { command: "rename", old_path: "/memories/a.txt", new_path: "/memories/b.txt" },
    { command: "delete", path: "/memories/c.txt" },
  ];
  const calls = steps.map((input, index) => toolUse(String(index + 1), "memory", input));
  const script = [
    ...calls.map((call) => anthropicReply([call], "tool_use")),
    anthropicReply([{ type: "text", text: "Done." }], "end_turn"),
  ];
  const notVerbatim = "No replacement was performed, old_str `red` did not appear verbatim in /memories/a.txt.";
  const answers = (problem: string) => [
    [expect.stringContaining("4.0K\t/memories"), false],
    ["File created successfully at: /memories/a.txt", false],
    [problem, true],
    ["Successfully renamed /memories/a.txt to /memories/b.txt", false],
    ["Error: The path /memories/c.txt does not exist", true],
  ];

  it("serves the SDK's runner, which puts a word in front of errors", async () => {
    const { memory, content } = project({});
    const { baseURL, requests } = await scriptedServer(script);
    const message = await new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 }).beta.messages.toolRunner({
      model: "x",
      max_tokens: 99,
      messages: [{ role: "user", content: "Remember." }],
      tools: [memory],
    });
    expect(message.content).toMatchObject([{ text: "Done." }]);
    expect(requests[0]?.body.tools).toEqual([{ type: "memory_20250818", name: "memory" }]);
    expect(toolResults(requests)).toEqual(answers(`Error: ${notVerbatim}`));
    expect(content("b.txt")).toBe("blue\n");
  });

  it("serves an own loop", async () => {
    const { memory } = project({});
    const results = [];
    for (const call of calls) results.push(...(await handleToolUses([memory], [call])));
    expect(results.map(({ content, is_error }) => [content, is_error])).toEqual(answers(notVerbatim));
  });

  it("serves the AI SDK", async () => {
    const { memory, content } = project({});
    const { baseURL, requests } = await scriptedServer(script);
    const anthropic = createAnthropic({ baseURL, apiKey: "none" });
    const { text } = await generateText({
      model: anthropic("claude-sonnet-4-5"),
      tools: providerTools({ memory: anthropic.tools.memory_20250818({ execute: memory.execute }) }),
      stopWhen: stepCountIs(9),
      prompt: "Remember.",
    });
    expect(text).toBe("Done.");
    expect(toolResults(requests)).toEqual(answers(notVerbatim));
    expect(content("b.txt")).toBe("blue\n");
  });
});
