import { type Tool, type ToolDefinition, type ToolResponse } from "@fstools/protocol";
import { conformant, fixture, link } from "@fstools/testing";
import { createToolset, TOOL_NAMES, toolDefinitions, WRITING_TOOL_NAMES } from "@fstools/toolset";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { connectToolset, type RemoteToolset } from "../src/connect.ts";
import { listeningServer, serverCommand } from "./server.ts";

const TREE = {
  "a.txt": "one\ntwo\nthree\n",
  "tabs.txt": "\tindented\twith tabs\n",
  "bell\u0007.txt": "x\n",
  "empty.txt": "",
  "image.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
  "latin.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  ".env": "SECRET=1\n",
  src: { "index.ts": "export const answer = 42;\n", "other.ts": "// answer\n", deep: { "x.ts": "" } },
  out: link("/etc"),
};

/** Calls that between them see every kind of answer. */
const CALLS: Readonly<Record<string, readonly unknown[]>> = {
  LS: [{}, { path: "src", limit: 1 }, { path: "nowhere" }, { path: "a.txt" }, { limit: 0 }, { directory: "src" }, null],
  Glob: [{ pattern: "**/*.ts" }, { pattern: "*.ts" }, { pattern: "**/*", limit: 2 }, {}, { pattern: "x", path: ".." }],
  Grep: [
    { pattern: "answer" },
    { pattern: "answer", output_mode: "files" },
    { pattern: "(" },
    { pattern: "t", context: 1, limit: 1 },
    { pattern: "with" },
    { pattern: "nothing at all" },
  ],
  Read: [
    { path: "a.txt" },
    { path: "a.txt", start_line: 2, limit: 1 },
    { path: "tabs.txt" },
    { path: "bell\u0007.txt" },
    { path: "empty.txt" },
    { path: "image.png" },
    { path: "latin.txt" },
    { path: ".env" },
    { path: "out/passwd" },
    { path: "../x" },
    { path: "b.txt" },
    { path: "src" },
    { pth: "a.txt" },
    "a.txt",
    '{"path":"a.txt"}',
    ["a.txt"],
  ],
  read: [{ filePath: "src/index.ts" }, { filePath: "src" }, { filePath: "gone.ts" }],
};

const CHANGES: Readonly<Record<string, readonly unknown[]>> = {
  Edit: [
    { path: "a.txt", old_string: "two", new_string: "2", dry_run: true },
    { path: "a.txt", old_string: "two", new_string: "2" },
    { path: "a.txt", old_string: "two", new_string: "2" },
    { path: "tabs.txt", old_string: "with tabs", new_string: "with\tmore\ttabs" },
    { path: "nowhere.txt", old_string: "a", new_string: "b" },
    { path: ".git/config", old_string: "a", new_string: "b" },
    { path: "a.txt", old_string: "x".repeat(5000), new_string: "" },
  ],
  Write: [
    { path: "new/deep/file.txt", content: "new\n" },
    { path: "new/deep/file.txt", content: "newer\n" },
    { path: "tabs.txt", content: "x" },
    { path: "a.txt", content: "whole\n".repeat(2000), dry_run: true },
    { path: "../out.txt", content: "x" },
  ],
};

/** An answer without what differs from call to call. */
function steady(response: ToolResponse<object> | undefined): unknown {
  const text = JSON.stringify(response)
    .replaceAll(/\d+ms/gu, "Nms")
    .replaceAll(/"(?<field>time_ms|file_mtime_ms)":\d+/gu, '"$<field>":0');
  return JSON.parse(text);
}

function toolOf({ tools }: { tools: readonly Tool[] }, name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return tool;
}

const offered = ["--tools", TOOL_NAMES.filter((name) => name in CALLS).join(",")];

describe("connectToolset over a child process", () => {
  const project = fixture(TREE);
  const local = createToolset({ projectRoot: project.root, tools: [...TOOL_NAMES] });
  let remote: RemoteToolset;

  beforeAll(async () => {
    remote = await connectToolset(serverCommand("--root", project.root, ...offered));
  });

  afterAll(async () => {
    await remote.close();
    project.cleanup();
  });

  it("has the same tools, described in the same words", () => {
    const names = TOOL_NAMES.filter((name) => name in CALLS);
    const described = ({ name, description, jsonSchema, effect, aliases }: ToolDefinition) => ({
      name,
      description,
      jsonSchema,
      effect,
      aliases,
    });
    expect(remote.tools.map(described)).toEqual(toolDefinitions(names).map(described));
    expect(toolOf(remote, "Read").aliases).toMatchObject({ file_path: "path" });
  });

  const rows = Object.entries(CALLS).flatMap(([name, inputs]) => inputs.map((input) => ({ name, input })));
  // Rule: Remote answers are the local ones, envelope for envelope, in one round trip a call.
  it.each(rows)("answers $name $input as the local tool does", async ({ name, input }) => {
    const answer = conformant(await toolOf(remote, name).run(input));
    expect(steady(answer)).toEqual(steady(await local.tool(name)?.run(input)));
  });

  it("changes files as the local tools do", async () => {
    const [here, there] = [fixture(TREE), fixture(TREE)];
    const tools = WRITING_TOOL_NAMES;
    const near = createToolset({ projectRoot: here.root, tools });
    const far = await connectToolset(serverCommand("--root", there.root, "--tools", tools.join(",")));
    onTestFinished(() => far.close());
    for (const [name, inputs] of Object.entries(CHANGES)) {
      for (const input of inputs) {
        const answer = conformant(await toolOf(far, name).run(input));
        const expected = await near.tool(name)?.run(input);
        expect(steady(answer), `${name} ${JSON.stringify(input)}`).toEqual(steady(expected));
      }
    }
    for (const file of ["a.txt", "tabs.txt", "new/deep/file.txt"]) {
      expect(readFileSync(there.path(file))).toEqual(readFileSync(here.path(file)));
    }
  });

  it("answers many calls at once, each with its own", async () => {
    const pages = Array.from({ length: 100 }, (_, index) => (index % 3) + 1);
    const answers = await Promise.all(
      pages.map((line) => toolOf(remote, "Read").run({ path: "a.txt", start_line: line })),
    );
    for (const [index, { data }] of answers.entries()) {
      expect(data).toMatchObject({
        content: expect.stringMatching(new RegExp(`^ +${pages[index] ?? 0} `, "u")) as unknown,
      });
    }
  });
});

describe("connectToolset over HTTP", () => {
  it("answers as the local tools do", async () => {
    const { root } = fixture(TREE);
    const local = createToolset({ projectRoot: root, tools: [...TOOL_NAMES] });
    const { url, token } = await listeningServer("--root", root, ...offered);
    const remote = await connectToolset({ url, token });
    onTestFinished(() => remote.close());
    for (const [name, inputs] of Object.entries(CALLS)) {
      for (const input of inputs) {
        const answer = conformant(await toolOf(remote, name).run(input));
        expect(steady(answer), `${name} ${JSON.stringify(input)}`).toEqual(steady(await local.tool(name)?.run(input)));
      }
    }
  });

  it("says so when the server is killed, and comes back when it does", async () => {
    const { root } = fixture(TREE);
    const first = await listeningServer("--root", root);
    const remote = await connectToolset(first);
    onTestFinished(() => remote.close());
    first.kill();
    await expect
      .poll(async () => (await toolOf(remote, "LS").run({})).error?.message, { timeout: 10_000 })
      .toMatch(/cannot be reached|was lost/u);
    conformant(await toolOf(remote, "LS").run({}));
  });

  it("says so when the address is wrong", async () => {
    const { url, token } = await listeningServer("--root", fixture(TREE).root);
    await expect(connectToolset({ url: url.replace("/mcp", "/elsewhere"), token })).rejects.toThrow(
      /^The server cannot be reached\. There is no MCP server at this address\.$/u,
    );
  });

  it("refuses a wrong token at once", async () => {
    const { url } = await listeningServer("--root", fixture(TREE).root);
    await expect(connectToolset({ url, token: "wrong" })).rejects.toThrow("It does not accept the token.");
  });
});

describe("connectToolset", () => {
  it.each([
    ["a command that is not there", { command: "/no/such/command" }, "cannot be run (ENOENT)"],
    ["one that ends at once", { command: process.execPath, args: ["-e", "console.error('no\\u001b[2J good')"] }, "no"],
    ["a token over plain http", { url: "http://example.com/mcp", token: "t" }, "https or to a loopback address only"],
    ["a URL with a password", { url: "https://user:pass@example.com/mcp", token: "t" }, "user name or a password"],
    [
      "a port where nobody listens",
      { url: "http://127.0.0.1:45999/mcp", token: "t" },
      /^The server cannot be reached\. Nothing answers at this address \(ECONNREFUSED\)\.$/u,
    ],
    ["a program that fails", { command: "false" }, "The server's process ended (exit code 1)."],
  ])("refuses %s, with the reason", async (_case, options, message) => {
    await expect(connectToolset(options)).rejects.toThrow(message);
  });

  it("says so too in a call from a timer, where the command fails before anything is sent", async () => {
    const connecting = new Promise((settle) => {
      setImmediate(() => {
        settle(connectToolset({ command: "/no/such/command" }));
      });
    });
    await expect(connecting).rejects.toThrow("cannot be run (ENOENT)");
  });

  it("shows what the server said when it could not start", async () => {
    await expect(connectToolset(serverCommand("--root", "/no/such"))).rejects.toThrow(
      "'/no/such' is not an existing directory.",
    );
  });

  it("refuses a server that was started without --structured", async () => {
    const { command, args } = serverCommand("--root", fixture(TREE).root);
    const plain = args.filter((argument) => argument !== "--structured");
    await expect(connectToolset({ command, args: plain })).rejects.toThrow(
      "The server sends no envelopes. Start it with --structured.",
    );
  });

  it("asks nobody to repeat a call after close()", async () => {
    const remote = await connectToolset(serverCommand("--root", fixture(TREE).root));
    await remote.close();
    const { text } = conformant(await toolOf(remote, "LS").run({}));
    expect(text).toBe("The connection was closed. These tools cannot be used any more: tell the user.");
  });

  it("shows nothing of what a program prints as it is", async () => {
    const args = ["-e", "console.error('\\u001b[2Jgone')"];
    await expect(connectToolset({ command: process.execPath, args })).rejects.toThrow("\\u001b[2Jgone");
  });
});
