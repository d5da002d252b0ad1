import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type AgentTool,
  type AnthropicTool,
  handleToolUse,
  handleToolUses,
  toAnthropicTools,
  type ToolResultBlock,
} from "../src/anthropic.ts";
import { containing, projectTools, tightTruncate, waitingTool } from "./example-tools.ts";
import { anthropicReply, scriptedServer, toolUse } from "./loopback.ts";

describe("toAnthropicTools", () => {
  it("fits the SDK's own types", () => {
    expectTypeOf<AnthropicTool>().toExtend<Anthropic.Tool>();
    expectTypeOf<ToolResultBlock>().toExtend<Anthropic.ToolResultBlockParam>();
    expectTypeOf<Anthropic.ToolUseBlock>().toExtend<Parameters<typeof handleToolUse>[1]>();
  });

  it("describes the tools", () => {
    const [ls] = projectTools();
    expect(JSON.parse(JSON.stringify(toAnthropicTools([ls])))).toEqual([
      { name: "LS", description: ls.description, input_schema: ls.jsonSchema },
    ]);
  });
});

describe("fields of the API", () => {
  it("are passed on for all tools", () => {
    const fields = { allowed_callers: ["code_execution_20260120" as const] };
    for (const tool of toAnthropicTools(projectTools(), { fields })) expect(tool).toMatchObject(fields);
  });

  it("are passed on for each tool", () => {
    const fields = ({ name }: AgentTool) => (name === "LS" ? {} : { defer_loading: true });
    const tools = toAnthropicTools(projectTools(), { fields });
    expect(tools.map(({ defer_loading }) => defer_loading)).toEqual([undefined, true]);
  });
});

describe("toAnthropicTools in toolRunner", () => {
  it("serves the real runner, with parallel calls", async () => {
    const { baseURL, requests } = await scriptedServer([
      anthropicReply([toolUse("1", "LS", {}), toolUse("2", "Read", { path: "gone.txt" })], "tool_use"),
      anthropicReply([{ type: "text", text: "Done." }], "end_turn"),
    ]);
    const client = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
    const message = await client.beta.messages.toolRunner({
      model: "x",
      max_tokens: 99,
      messages: [{ role: "user", content: "Look." }],
      tools: toAnthropicTools(projectTools()),
    });
    expect(message.content).toMatchObject([{ text: "Done." }]);
    const results = [
      { type: "tool_result", tool_use_id: "1", content: containing("src/") },
      { type: "tool_result", tool_use_id: "2", is_error: true, content: containing("gone.txt") },
    ];
    expect(requests[1]?.body.messages).toContainEqual({ role: "user", content: results });
  });

  it("stops the tool when the signal aborts, and shortens answers", async () => {
    const { tool, started, stopped } = waitingTool();
    const abort = new AbortController();
    const [wait, ls] = toAnthropicTools([tool, ...projectTools()], { truncate: tightTruncate });
    const settled = Promise.allSettled([wait?.run({}, { signal: abort.signal })]);
    await started;
    abort.abort(new Error("enough"));
    expect((await settled)[0]).toMatchObject({ status: "rejected" });
    expect(stopped).toEqual([new Error("enough")]);
    expect(await ls?.run({})).toContain("[Output too large: ");
  });
});

describe("handleToolUses", () => {
  it("serves a loop of the real client, with parallel calls", async () => {
    const tools = projectTools();
    const { baseURL, requests } = await scriptedServer([
      anthropicReply(
        [
          { type: "text", text: "Let me look." },
          toolUse("1", "LS", {}),
          toolUse("2", "Read", { path: "gone.txt" }),
          toolUse("3", "Read", { path: "a.txt" }),
        ],
        "tool_use",
      ),
      anthropicReply([{ type: "text", text: "Done." }], "end_turn"),
    ]);
    const client = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Look." }];
    let stop: string | null = "tool_use";
    while (stop === "tool_use") {
      const message = await client.messages.create({
        model: "x",
        max_tokens: 99,
        messages,
        tools: toAnthropicTools(tools),
      });
      messages.push({ role: "assistant", content: message.content });
      const results = await handleToolUses(tools, message.content);
      if (results.length > 0) messages.push({ role: "user", content: results });
      stop = message.stop_reason;
    }
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(toAnthropicTools(tools))));
    expect(messages[2]?.content).toEqual([
      { type: "tool_result", tool_use_id: "1", is_error: false, content: containing("src/") },
      { type: "tool_result", tool_use_id: "2", is_error: true, content: containing("gone.txt") },
      { type: "tool_result", tool_use_id: "3", is_error: false, content: containing("two\n") },
    ]);
    expect(messages.at(-1)?.content).toEqual([{ type: "text", text: "Done." }]);
  });
});

describe("handleToolUse", () => {
  it("tells the model about an unknown tool", async () => {
    expect(await handleToolUse(projectTools(), toolUse("1", "Bash", {}))).toEqual({
      type: "tool_result",
      tool_use_id: "1",
      content: "Unknown tool 'Bash'. Call one of: LS, Read.",
      is_error: true,
    });
  });

  it("stops the tool when the signal aborts", async () => {
    const { tool, started, stopped } = waitingTool();
    const abort = new AbortController();
    const running = handleToolUse([tool], toolUse("1", "Wait", {}), { signal: abort.signal });
    await started;
    abort.abort(new Error("enough"));
    expect(await running).toMatchObject({ is_error: true, content: containing("Aborted by the caller.") });
    expect(stopped).toEqual([new Error("enough")]);
  });

  it("shortens answers with the truncator that it is given", async () => {
    const result = await handleToolUse(projectTools(), toolUse("1", "LS", {}), { truncate: tightTruncate });
    expect(result).toMatchObject({ is_error: false, content: containing("[Output too large: ") });
  });
});
