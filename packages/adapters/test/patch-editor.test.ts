import { existsSync, readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import { Agent, applyPatchTool, type Editor, OpenAIResponsesModel, Runner, setTracingDisabled } from "@openai/agents";
import { generateText, stepCountIs } from "ai";
import OpenAI from "openai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { handlePatchCall, type PatchCallOutput } from "../src/openai.ts";
import { createPatchEditor, type PatchEditor, type PatchOperation } from "../src/openai-agents.ts";
import { containing, providerTools } from "./example-tools.ts";
import { scriptedServer } from "./loopback.ts";

setTracingDisabled(true);

const FILES = { "a.ts": "const a = 1;\nconst b = 2;\n", "old.ts": "old\n" };

function project(options: Partial<Parameters<typeof createToolset>[0]> = {}) {
  const { root, path } = fixture(FILES);
  const toolset = createToolset({ projectRoot: root, tools: ["Read", "Patch"], ...options });
  const editor = createPatchEditor(toolset);
  return {
    path,
    toolset,
    editor,
    content: (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
  };
}

describe("createPatchEditor", () => {
  it("fits the SDKs' own types", () => {
    expectTypeOf<PatchEditor>().toExtend<Editor>();
    expectTypeOf<PatchCallOutput>().toExtend<OpenAI.Responses.ResponseInputItem.ApplyPatchCallOutput>();
    expectTypeOf<OpenAI.Responses.ResponseApplyPatchToolCall>().toExtend<Parameters<typeof handlePatchCall>[1]>();
  });

  it("needs Patch", () => {
    const toolset = createToolset({ projectRoot: fixture({}).root });
    expect(() => createPatchEditor(toolset)).toThrow("apply_patch is made of Patch, which is missing.");
  });
});

// Rule: OpenAI's apply_patch changes the one file that an operation names, by Patch's rules, and no other.
describe("an operation of apply_patch", () => {
  it("creates, changes, moves and deletes a file", async () => {
    const { editor, content } = project();
    expect(await editor.createFile({ type: "create_file", path: "src/new.ts", diff: "+one\n+two\n" })).toEqual({
      status: "completed",
      output: containing("A src/new.ts"),
    });
    expect(content("src/new.ts")).toBe("one\ntwo\n");
    const diff = "@@ const a = 1;\n-const b = 2;\n+const b = 3;";
    expect(await editor.updateFile({ type: "update_file", path: "a.ts", diff })).toEqual({
      status: "completed",
      output: containing("M a.ts (line 2)"),
    });
    expect(content("a.ts")).toBe("const a = 1;\nconst b = 3;\n");
    await editor.updateFile({
      type: "update_file",
      path: "a.ts",
      diff: "-const a = 1;\n+const a = 0;\n",
      moveTo: "b.ts",
    });
    expect([content("a.ts"), content("b.ts")]).toEqual([undefined, "const a = 0;\nconst b = 3;\n"]);
    expect(await editor.deleteFile({ type: "delete_file", path: "old.ts" })).toMatchObject({ status: "completed" });
    expect(content("old.ts")).toBe(undefined);
  });

  it.each<[string, PatchOperation, string]>([
    ["a hunk that is nowhere", { type: "update_file", path: "a.ts", diff: "-const c = 1;\n+x\n" }, "was not found"],
    ["a file that exists", { type: "create_file", path: "a.ts", diff: "+x\n" }, "'a.ts' exists already."],
    ["a missing file", { type: "delete_file", path: "gone.ts" }, "File 'gone.ts' does not exist."],
    ["a path outside", { type: "create_file", path: "../x.ts", diff: "+x\n" }, "Access denied."],
    ["no diff", { type: "update_file", path: "a.ts", diff: "" }, "a.ts"],
    [
      "another file in the diff",
      { type: "update_file", path: "a.ts", diff: "-const a = 1;\n+x\n*** Delete File: old.ts\n" },
      "An operation changes one file.",
    ],
    ...["  ", "\t", "\v", "\u00a0", "\ufeff", "+x\n "].map((blank): [string, PatchOperation, string] => [
      `another file behind ${JSON.stringify(blank)}`,
      { type: "create_file", path: "a.txt", diff: `${blank}*** Delete File: old.ts` },
      "one file",
    ]),
    [
      "another file behind a move",
      { type: "update_file", path: "a.ts", diff: "\n  *** Delete File: old.ts", moveTo: "b.ts" },
      "Hunk 1 of 'a.ts'",
    ],
    [
      "a new name that nobody approved",
      { type: "update_file", path: "a.ts", diff: " *** Move to: b.ts\n@@\n-const a = 1;\n+x\n" },
      "Hunk 1 of 'a.ts'",
    ],
    ["another file in the path", { type: "delete_file", path: "a.ts\n*** Delete File: old.ts" }, "one file"],
    [
      "another file in the new path",
      { type: "update_file", path: "a.ts", diff: "+x\n", moveTo: "b.ts\n*** Delete File: old.ts" },
      "one file",
    ],
  ])("is refused for %s, and nothing is changed", async (_case, operation, problem) => {
    const { editor, content } = project();
    expect(await editor.execute({ operation })).toEqual({ status: "failed", output: containing(problem) });
    expect([content("a.ts"), content("old.ts")]).toEqual([FILES["a.ts"], FILES["old.ts"]]);
  });

  it("may have lines that look like a marker, and deletes nothing but its file", async () => {
    const { editor, content } = project();
    const diff = "+one\n+*** Delete File: old.ts\n";
    await editor.createFile({ type: "create_file", path: "new.txt", diff });
    const change = " *** Delete File: old.ts\n+two\n";
    expect(await editor.updateFile({ type: "update_file", path: "new.txt", diff: change })).toMatchObject({
      status: "completed",
    });
    expect(content("new.txt")).toBe("one\n*** Delete File: old.ts\ntwo\n");
    await editor.deleteFile({ type: "delete_file", path: "new.txt", diff: "  *** Delete File: old.ts" });
    expect([content("new.txt"), content("old.ts")]).toEqual([undefined, FILES["old.ts"]]);
  });

  it("needs no line after its last one", async () => {
    const { editor } = project();
    const diff = "@@\n-const a = 1;\n+const a = 2;\n";
    const { output } = await editor.updateFile({ type: "update_file", path: "a.ts", diff });
    expect(output).not.toContain("Warning");
  });

  it("may bind a hunk to the end of the file", async () => {
    const { editor, content } = project();
    const diff = " const b = 2;\n+const c = 3;\n*** End of File\n";
    expect(await editor.updateFile({ type: "update_file", path: "a.ts", diff })).toMatchObject({ status: "completed" });
    expect(content("a.ts")).toBe("const a = 1;\nconst b = 2;\nconst c = 3;\n");
  });

  it("asks the toolset's confirm", async () => {
    const { editor, content } = project({ confirm: () => false });
    const output = containing("The user declined the change");
    expect(await editor.deleteFile({ type: "delete_file", path: "old.ts" })).toEqual({ status: "failed", output });
    expect(content("old.ts")).toBe("old\n");
  });
});

const outputsSchema = z.array(z.record(z.string(), z.unknown()));

/** A reply of the Responses API. */
function response(id: string, output: object[]) {
  return { id, object: "response", created_at: 1, model: "x", status: "completed", output, usage: USAGE };
}

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

function patchCall(id: string, operation: PatchOperation) {
  return { type: "apply_patch_call", id: `apc_${id}`, call_id: `call_${id}`, status: "completed", operation } as const;
}

const DONE = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Done.", annotations: [] }],
};

describe("apply_patch in loops", () => {
  const calls = [
    patchCall("1", { type: "create_file", path: "new.ts", diff: "+new\n" }),
    patchCall("2", { type: "update_file", path: "a.ts", diff: "@@\n-const a = 1;\n+const a = 7;\n" }),
    patchCall("3", { type: "delete_file", path: "gone.ts" }),
  ];
  const script = [response("resp_1", calls), response("resp_2", [DONE])];
  const outputs = [
    ["call_1", "completed", containing("A new.ts")],
    ["call_2", "completed", containing("M a.ts (line 1)")],
    ["call_3", "failed", containing("File 'gone.ts' does not exist.")],
  ];

  /** What the second request says of the patches. */
  function told(requests: readonly { readonly body: Record<string, unknown> }[]): unknown[] {
    const items = outputsSchema.parse(requests[1]?.body.input);
    return items
      .filter(({ type }) => type === "apply_patch_call_output")
      .map(({ call_id, status, output }) => [call_id, status, output]);
  }

  it("serves a run of an agent", async () => {
    const { editor, content } = project();
    const { baseURL, requests } = await scriptedServer(script);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const model = new OpenAIResponsesModel(client, "x");
    const agent = new Agent({ name: "Tester", model, tools: [applyPatchTool({ editor })] });
    expect((await new Runner().run(agent, "Patch.")).finalOutput).toBe("Done.");
    expect(requests[0]?.body.tools).toEqual([{ type: "apply_patch" }]);
    expect(told(requests)).toEqual(outputs);
    expect([content("new.ts"), content("a.ts")]).toEqual(["new\n", "const a = 7;\nconst b = 2;\n"]);
  });

  it("serves an own loop over Responses", async () => {
    const { toolset, content } = project();
    const { baseURL, requests } = await scriptedServer(script);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const options = { model: "x", tools: [{ type: "apply_patch" as const }] };
    const first = await client.responses.create({ ...options, input: "Patch." });
    const input = [];
    for (const item of first.output)
      if (item.type === "apply_patch_call") input.push(await handlePatchCall(toolset, item));
    const second = await client.responses.create({ ...options, input, previous_response_id: first.id });
    expect(second.output_text).toBe("Done.");
    expect(told(requests)).toEqual(outputs);
    expect([content("new.ts"), content("a.ts")]).toEqual(["new\n", "const a = 7;\nconst b = 2;\n"]);
  });

  it("serves the AI SDK", async () => {
    const { editor, content } = project();
    const { baseURL, requests } = await scriptedServer(script);
    const openai = createOpenAI({ baseURL, apiKey: "none" });
    const { text } = await generateText({
      model: openai.responses("gpt-5.1"),
      tools: providerTools({ apply_patch: openai.tools.applyPatch({ execute: editor.execute }) }),
      stopWhen: stepCountIs(5),
      prompt: "Patch.",
    });
    expect(text).toBe("Done.");
    expect(requests[0]?.body.tools).toEqual([{ type: "apply_patch" }]);
    expect(told(requests)).toEqual(outputs);
    expect([content("new.ts"), content("a.ts")]).toEqual(["new\n", "const a = 7;\nconst b = 2;\n"]);
  });
});
