import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixture, nodeArguments } from "@fstools/testing";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { exampleFile, runExample, scriptedModel } from "./run.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const examples = readdirSync(here).filter((name) => name.endsWith(".ts") && !name.startsWith("vitest"));

describe("examples", () => {
  it.each(examples)("%s has fewer than 60 lines, and its command", (name) => {
    const lines = readFileSync(`${here}${name}`, "utf8").split("\n");
    expect(lines.length).toBeLessThan(60);
    expect(lines[1]).toContain(`npx tsx ${name}`);
  });
});

function chatReply(message: object, finish_reason: string) {
  return {
    id: "1",
    created: 1,
    model: "x",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  };
}

function chatCall(name: string, input: object) {
  const call = { id: "call-1", type: "function", function: { name, arguments: JSON.stringify(input) } };
  return chatReply({ content: null, tool_calls: [call] }, "tool_calls");
}

describe("ai-sdk-approval", () => {
  const edit = chatCall("Edit", { path: "a.txt", old_string: "teh", new_string: "the" });

  it.each([
    ["y", "the\n"],
    ["n", "teh\n"],
  ])("shows the change, and makes it only if the user says so: %s", async (answer, content) => {
    const { root, path } = fixture({ "a.txt": "teh\n" });
    const { url, requests } = await scriptedModel([edit, chatReply({ content: "Done." }, "stop")]);
    const printed = await runExample("ai-sdk-approval", {
      cwd: root,
      args: ["Correct it."],
      env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none" },
      input: `${answer}\n`,
    });
    expect(printed).toContain("-teh\n+the\n");
    expect(printed).toContain("Done.");
    expect(readFileSync(path("a.txt"), "utf8")).toBe(content);
    expect(requests).toHaveLength(2);
  });
});

describe("anthropic-loop", () => {
  it("calls the tools that the model asks for, until it is done", async () => {
    const reply = (content: object[], stop_reason: string) => {
      const usage = { input_tokens: 1, output_tokens: 1 };
      return { id: "m", type: "message", role: "assistant", model: "x", content, stop_reason, usage };
    };
    const call = { type: "tool_use", id: "1", name: "Read", input: { path: "a.txt" } };
    const { url, requests } = await scriptedModel([
      reply([call], "tool_use"),
      reply([{ type: "text", text: "It says one." }], "end_turn"),
    ]);
    const printed = await runExample("anthropic-loop", {
      cwd: fixture({ "a.txt": "one\n" }).root,
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" },
    });
    expect(printed).toMatch(/^Read \{"path":"a.txt"\}: success, \d+ms\nIt says one.\n$/u);
    expect(JSON.stringify(requests[1])).toContain(String.raw`1\tone\n`);
  });
});

describe("openai-agents-patch", () => {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = (id: string, output: object[]) => ({ id, object: "response", status: "completed", output, usage });
  const text = { type: "output_text", text: "Done.", annotations: [] };
  const message = { type: "message", id: "m", role: "assistant", status: "completed", content: [text] };

  it.each([
    ["y", "the\n", "M a.txt (line 1)"],
    ["n", "teh\n", "The user declined the change"],
  ])("shows the patch, and applies it only if the user says so: %s", async (answer, content, told) => {
    const { root, path } = fixture({ "a.txt": "teh\n" });
    const operation = { type: "update_file", path: "a.txt", diff: "@@\n-teh\n+the\n" };
    const call = { type: "apply_patch_call", id: "p", call_id: "call-1", status: "completed", operation };
    const { url, requests } = await scriptedModel([response("1", [call]), response("2", [message])]);
    const printed = await runExample("openai-agents-patch", {
      cwd: root,
      args: ["Correct it."],
      env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "none", OPENAI_AGENTS_DISABLE_TRACING: "1" },
      input: `${answer}\n`,
    });
    expect(printed).toContain("-teh\n+the\n");
    expect(printed).toContain("Done.");
    expect(readFileSync(path("a.txt"), "utf8")).toBe(content);
    expect(JSON.stringify(requests[1])).toContain(told);
  });
});

describe("mcp-own-tool", () => {
  it("offers its own tool beside ours, in the same sandbox", async () => {
    const { root } = fixture({ "a.txt": "one two\nthree\n" });
    const client = new Client({ name: "test", version: "1.0.0" });
    const args = [...nodeArguments(exampleFile("mcp-own-tool")), root];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(["LS", "Glob", "Grep", "Read", "Words"]);
      const words = async (path: string) => client.callTool({ name: "Words", arguments: { path } });
      expect(await words("a.txt")).toMatchObject({ content: [{ text: "3 words in 'a.txt'." }], isError: false });
      expect(await words("../b.txt")).toMatchObject({ isError: true });
    } finally {
      await client.close();
    }
  });
});

describe("remote-container", () => {
  it("looks at files where a child process has them", async () => {
    const { root } = fixture({ "a.txt": "one\n" });
    const server = fileURLToPath(import.meta.resolve("@fstools/mcp/package.json")).replace(
      "package.json",
      "src/bin.ts",
    );
    const command = [process.execPath, ...nodeArguments(server), "--root", root, "--structured"];
    const printed = await runExample("remote-container", {
      cwd: here,
      args: command,
      input: 'Read {"path":"a.txt"}\nRead {"path":"../b.txt"}\nNothing\n',
    });
    expect(printed).toBe(
      "LS, Glob, Grep, Read\n1\tone\n\nAccess denied. Path must be within project root. Use a path inside the project root: run LS on '.' to see what is there.\nThere is no tool 'Nothing'.\n",
    );
  });
});
