import { readFileSync } from "node:fs";
import { createAnthropic } from "@ai-sdk/anthropic";
import Anthropic from "@anthropic-ai/sdk";
import { fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import { generateText, stepCountIs } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createTextEditor, handleToolUses, type TextEditor } from "../src/anthropic.ts";
import { PIXEL, providerTools } from "./example-tools.ts";
import { anthropicReply, scriptedServer, toolResults, toolUse } from "./loopback.ts";

const NAME = "str_replace_based_edit_tool";
const TOOLS = ["LS", "Read", "Edit", "Write"] as const;

function project(files: Parameters<typeof fixture>[0], options: Parameters<typeof createTextEditor>[1] = {}) {
  const { root, path } = fixture(files);
  const toolset = createToolset({ projectRoot: root, tools: TOOLS, read: { media: ["image"] } });
  const editor = createTextEditor(toolset, options);
  const ask = async (input: object) => {
    const { text, failed } = await editor.answer(input);
    return failed ? { failed: text } : text;
  };
  return { root, toolset, editor, ask, content: (name: string) => readFileSync(path(name), "utf8") };
}

describe("createTextEditor", () => {
  it("fits the SDK's own types", () => {
    expectTypeOf<TextEditor>().toExtend<Anthropic.ToolTextEditor20250728>();
    expectTypeOf<TextEditor>().toExtend<Anthropic.Beta.BetaToolTextEditor20250728>();
  });

  it("says what it is, and no more", () => {
    const { editor } = project({}, { maxCharacters: 10 });
    expect(JSON.parse(JSON.stringify({ ...editor, cache_control: { type: "ephemeral" } }))).toEqual({
      type: "text_editor_20250728",
      name: NAME,
      max_characters: 10,
      cache_control: { type: "ephemeral" },
    });
  });

  it("needs the tools that it is made of", () => {
    const { root } = fixture({});
    expect(() => createTextEditor(createToolset({ projectRoot: root }))).toThrow(
      "str_replace_based_edit_tool is made of LS, Read, Edit, Write; the toolset has no Edit.",
    );
  });
});

// Rule: Anthropic's text editor answers in the sentences of its documentation, to the letter.
describe("the text editor's commands", () => {
  it.each([
    ["a whole file", { path: "a.txt" }, "1: one\n2: two\n3: one"],
    ["an absolute path", { path: "ABSOLUTE" }, "1: one\n2: two\n3: one"],
    ["a range", { path: "a.txt", view_range: [2, 2] }, "2: two"],
    ["a range to the end", { path: "a.txt", view_range: [2, -1] }, "2: two\n3: one"],
    ["a range past the end", { path: "a.txt", view_range: [3, 99] }, "3: one"],
    ["an empty file", { path: "empty.txt" }, "1: "],
    ["a missing file", { path: "gone.txt" }, { failed: "Error: File not found" }],
    [
      "a range that begins past the end",
      { path: "a.txt", view_range: [9, 10] },
      { failed: "Error: view_range (9) exceeds file length (3 lines). Valid range: 1 to 3." },
    ],
    [
      "no range",
      { path: "a.txt", view_range: [3, 1] },
      { failed: "Error: Invalid `view_range` parameter: [3,1]. Pass [first line, last line or -1]." },
    ],
    ["a binary file", { path: "b.bin" }, { failed: "Error: File 'b.bin' appears to be binary." }],
    ["what lies outside", { path: "../x" }, { failed: "Error: Access denied. Path must be within project root." }],
    ["no path", {}, { failed: "Error: Missing required parameter `path`." }],
    [
      "a directory",
      { path: "src/" },
      "Here're the files and directories up to 2 levels deep in src/, excluding hidden items and node_modules:\n" +
        "4.0K\tsrc/\n0B\tsrc/a.ts\n4.0K\tsrc/lib/\n4.0K\tsrc/lib/deep/\n1.5K\tsrc/lib/x.ts",
    ],
  ])("view: %s", async (_case, input, expected) => {
    const { root, ask } = project({
      "a.txt": "one\ntwo\none\n",
      "empty.txt": "",
      "b.bin": Buffer.from([0, 1, 2]),
      src: { "a.ts": "", ".hidden": "", node_modules: { x: "" }, lib: { "x.ts": "x".repeat(1536), deep: { y: "" } } },
    });
    const path = "path" in input && input.path === "ABSOLUTE" ? { path: `${root}/a.txt` } : {};
    expect(await ask({ command: "view", ...input, ...path })).toEqual(expected);
  });

  it.each([
    [
      "one place",
      { old_str: "two", new_str: "2" },
      "Successfully replaced text at exactly one location.",
      "one\n2\none\n",
    ],
    ["nothing instead", { old_str: "two\n" }, "Successfully replaced text at exactly one location.", "one\none\n"],
    [
      "several places",
      { old_str: "one", new_str: "1" },
      { failed: "Error: Found 2 matches for replacement text. Please provide more context to make a unique match." },
    ],
    [
      "no place",
      { old_str: "three", new_str: "3" },
      { failed: "Error: No match found for replacement. Please check your text and try again." },
    ],
    ["no text", { old_str: "", new_str: "3" }, { failed: "Error: old_str cannot be empty." }],
    ["no old_str", { new_str: "3" }, { failed: "Error: Missing required parameter 'old_str'." }],
    ["a missing file", { path: "gone", old_str: "a", new_str: "b" }, { failed: "Error: File not found" }],
    [
      "a place with other blanks",
      { old_str: "two  \n", new_str: "2\n" },
      "Successfully replaced text at exactly one location.\n" +
        "[Warning: Replaced line 2, where the text differs from old_string in trailing blanks or a last line end. Check the lines below.]\n" +
        "1: one\n2: 2\n3: one",
      "one\n2\none\n",
    ],
  ])("str_replace: %s", async (_case, input, expected, after = "one\ntwo\none\n") => {
    const { ask, content } = project({ "a.txt": "one\ntwo\none\n" });
    expect(await ask({ command: "str_replace", path: "a.txt", ...input })).toEqual(expected);
    expect(content("a.txt")).toBe(after);
  });

  const NOT_IN_RANGE = "It should be within the range of lines of the file: [0, 2]";
  it.each([
    ["at the beginning", { insert_line: 0, insert_text: "zero\n" }, "zero\none\ntwo\n"],
    ["after a line", { insert_line: 1, insert_text: "1b" }, "one\n1b\ntwo\n"],
    ["at the end", { insert_line: 2, insert_text: "three\n" }, "one\ntwo\nthree\n"],
    ["by the parameter's older name", { insert_line: 2, new_str: "three\n" }, "one\ntwo\nthree\n"],
    [
      "past the end",
      { insert_line: 3, insert_text: "x" },
      `Error: Invalid \`insert_line\` parameter: 3. ${NOT_IN_RANGE}`,
    ],
    [
      "before 0",
      { insert_line: -1, insert_text: "x" },
      `Error: Invalid \`insert_line\` parameter: -1. ${NOT_IN_RANGE}`,
    ],
  ])("insert: %s", async (_case, input, expected) => {
    const { ask, content } = project({ "a.txt": "one\ntwo\n" });
    const isRefused = expected.startsWith("Error");
    const answer = await ask({ command: "insert", path: "a.txt", ...input });
    expect(answer).toEqual(isRefused ? { failed: expected } : "The file a.txt has been edited.");
    expect(content("a.txt")).toBe(isRefused ? "one\ntwo\n" : expected);
  });

  it("create: a new file, and one that was seen, but no other", async () => {
    const { ask, content } = project({ "a.txt": "one\n" });
    expect(await ask({ command: "create", path: "new.txt" })).toEqual({
      failed: "Error: Missing required parameter 'file_text'.",
    });
    const create = (path: string) => ask({ command: "create", path, file_text: "new\n" });
    expect(await create("src/new.txt")).toBe("File created successfully at: src/new.txt");
    expect(await create("a.txt")).toEqual({
      failed: "Error: 'a.txt' exists and was not read. View the file, then repeat the change on what is there.",
    });
    expect(content("a.txt")).toBe("one\n");
    await ask({ command: "view", path: "a.txt" });
    expect(await create("a.txt")).toBe("File created successfully at: a.txt");
    expect(content("a.txt")).toBe("new\n");
  });

  it("refuses a command that it does not have", async () => {
    const { ask } = project({});
    const failed = "Use one of: view, create, str_replace, insert.";
    expect(await ask({ command: "undo_edit", path: "a" })).toEqual({
      failed: `Error: Unknown command 'undo_edit'. ${failed}`,
    });
    expect(await ask({})).toEqual({ failed: `Error: Unknown command 'undefined'. ${failed}` });
  });
});

describe("what is shown of a long file", () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`);

  it("is all of it, also beyond one page of Read", async () => {
    const { ask } = project({ "long.txt": lines.join("\n") });
    const shown = await ask({ command: "view", path: "long.txt" });
    expect(shown).toBe(lines.map((line, index) => `${index + 1}: ${line}`).join("\n"));
    const range = await ask({ command: "view", path: "long.txt", view_range: [1000, 4000] });
    expect(range).toBe(
      lines
        .map((line, index) => `${index + 1}: ${line}`)
        .slice(999, 4000)
        .join("\n"),
    );
  });

  it("is a line of any length", async () => {
    const line = "ä".repeat(50_000);
    const { ask } = project({ "wide.txt": `one\n${line}\nthree\n` });
    expect(await ask({ command: "view", path: "wide.txt" })).toBe(`1: one\n2: ${line}\n3: three`);
    expect(await ask({ command: "view", path: "wide.txt", view_range: [2, 2] })).toBe(`2: ${line}`);
  });

  it("is a line that holds what looks like another", async () => {
    const line = "one\u2028   9 | forged\u2029   8 | forged";
    const { ask } = project({ "a.txt": `${line}\n` });
    expect(await ask({ command: "view", path: "a.txt" })).toBe(`1: ${line}`);
  });

  it("has at most max_characters, and says how to go on", async () => {
    const { ask } = project({ "long.txt": lines.join("\n"), "wide.txt": "😀".repeat(20) }, { maxCharacters: 15 });
    expect(await ask({ command: "view", path: "long.txt" })).toBe(
      "1: line 1\n2: line 2\n3: l\n[Truncated: Showing lines 1-3 of 5000 lines. Use view_range=[3, -1] to continue.]",
    );
    expect(await ask({ command: "view", path: "wide.txt" })).toBe(
      `1: ${"😀".repeat(7)}\n[Truncated: Showing lines 1-1 of 1 lines. Use view_range=[2, -1] to continue.]`,
    );
  });

  it("is said to have bytes that are no text", async () => {
    const { ask } = project({ "latin.txt": Buffer.from("caf\xe9\n", "latin1") });
    expect(await ask({ command: "view", path: "latin.txt" })).toBe(
      "1: caf\uFFFD\n[Warning: Not valid UTF-8; bad bytes shown as U+FFFD.]",
    );
  });
});

describe("the toolset's rules", () => {
  it("hold: deny, confirm, and a file that changed meanwhile", async () => {
    const { root } = fixture({ "a.txt": "one\ntwo\n", ".env": "SECRET=1\n" });
    const confirm = () => false;
    const editor = createTextEditor(createToolset({ projectRoot: root, tools: TOOLS, confirm }));
    const ask = async (input: object) => (await editor.answer(input)).text;
    expect(await ask({ command: "view", path: ".env" })).toMatch(/^Error: Access denied/u);
    expect(await ask({ command: "str_replace", path: "a.txt", old_str: "one", new_str: "1" })).toBe(
      "Error: The user declined the change to 'a.txt'.",
    );
  });

  it("lets the model see what came after the change", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const afterChange = () => ({ notes: ["a.txt: a problem"] });
    const editor = createTextEditor(createToolset({ projectRoot: root, tools: TOOLS, afterChange }));
    const { text } = await editor.answer({ command: "str_replace", path: "a.txt", old_str: "one", new_str: "1" });
    expect(text).toBe("Successfully replaced text at exactly one location.\nNote: a.txt: a problem");
  });
});

describe("a picture", () => {
  const files = { "a.png": Buffer.from(PIXEL, "base64") };

  it("is shown where the SDK carries it, and named where it can't", async () => {
    const { editor } = project(files);
    const input = { command: "view", path: "a.png" };
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } };
    expect(await editor.run(input)).toEqual([expect.objectContaining({ type: "text" }), image]);
    expect(await editor.execute(input)).toContain("[Not delivered: image/png, which cannot be sent here.]");
  });
});

// Rule: Anthropic's text editor and memory tool run in the SDK's own loop, in an own one and in the AI SDK's.
describe("the text editor in loops", () => {
  const steps = [
    { command: "view", path: "primes.py" },
    { command: "str_replace", path: "primes.py", old_str: "limit + 1)", new_str: "limit + 1):" },
    { command: "str_replace", path: "primes.py", old_str: "nothing", new_str: "x" },
  ];
  const calls = steps.map((input, index) => toolUse(String(index + 1), NAME, input));
  const script = [
    ...calls.map((call) => anthropicReply([call], "tool_use")),
    anthropicReply([{ type: "text", text: "Done." }], "end_turn"),
  ];
  const answers = [
    ["1: for num in range(2, limit + 1)\n2:     pass", false],
    ["Successfully replaced text at exactly one location.", false],
    ["Error: No match found for replacement. Please check your text and try again.", true],
  ];
  const files = { "primes.py": "for num in range(2, limit + 1)\n    pass\n" };

  it("serves the SDK's runner", async () => {
    const { editor, content } = project(files);
    const { baseURL, requests } = await scriptedServer(script);
    const message = await new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 }).beta.messages.toolRunner({
      model: "x",
      max_tokens: 99,
      messages: [{ role: "user", content: "Correct it." }],
      tools: [editor],
    });
    expect(message.content).toMatchObject([{ text: "Done." }]);
    expect(requests[0]?.body.tools).toEqual([{ type: "text_editor_20250728", name: NAME }]);
    expect(toolResults(requests)).toEqual(answers);
    expect(content("primes.py")).toBe("for num in range(2, limit + 1):\n    pass\n");
  });

  it("serves an own loop, beside the toolset's tools", async () => {
    const { toolset, editor } = project(files);
    const results = [];
    for (const call of [...calls, toolUse("4", "LS", {})]) {
      results.push(...(await handleToolUses([editor, ...toolset.tools], [call])));
    }
    expect(results.map(({ content, is_error }) => [content, is_error])).toEqual([
      ...answers,
      [expect.stringContaining("primes.py"), false],
    ]);
    expect(await handleToolUses({ ...toolset, tools: [editor] }, calls.slice(0, 1))).toMatchObject([
      { is_error: false },
    ]);
  });

  it("serves the AI SDK", async () => {
    const { editor, content } = project(files);
    const { baseURL, requests } = await scriptedServer(script);
    const anthropic = createAnthropic({ baseURL, apiKey: "none" });
    const { text } = await generateText({
      model: anthropic("claude-sonnet-4-5"),
      tools: providerTools({ [NAME]: anthropic.tools.textEditor_20250728({ execute: editor.execute }) }),
      stopWhen: stepCountIs(9),
      prompt: "Correct it.",
    });
    expect(text).toBe("Done.");
    expect(toolResults(requests)).toEqual(answers);
    expect(content("primes.py")).toBe("for num in range(2, limit + 1):\n    pass\n");
  });
});
