import { Agent, type FunctionTool, OpenAIChatCompletionsModel, Runner, setTracingDisabled } from "@openai/agents";
import OpenAI from "openai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type OpenAIAgentsTool, toOpenAIAgentsTools } from "../src/openai-agents.ts";
import { containing, projectTools, tightTruncate, waitingTool, writingTool } from "./example-tools.ts";
import { chatCall, chatReply, scriptedServer } from "./loopback.ts";

setTracingDisabled(true);

const DONE = chatReply({ content: "Done." }, "stop");

/** A real agent whose model says what the script says. */
async function agentWith(tools: OpenAIAgentsTool[], replies: readonly object[]) {
  const { baseURL, requests } = await scriptedServer(replies);
  const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
  return { agent: new Agent({ name: "Tester", model: new OpenAIChatCompletionsModel(client, "x"), tools }), requests };
}

describe("toOpenAIAgentsTools", () => {
  it("fits the SDK's own type", () => {
    expectTypeOf<OpenAIAgentsTool>().toExtend<FunctionTool>();
  });

  it("serves a run of a real agent", async () => {
    const call = chatCall("Read", '{"path":"a.txt","limit":null}');
    const { agent, requests } = await agentWith(toOpenAIAgentsTools(projectTools()), [
      chatReply({ tool_calls: [call] }, "tool_calls"),
      DONE,
    ]);
    const result = await new Runner().run(agent, "Look.");
    expect(result.finalOutput).toBe("Done.");
    expect(requests[0]?.body.tools).toMatchObject([{ function: { name: "LS", strict: true } }, {}]);
    expect(requests[1]?.body.messages).toContainEqual(
      expect.objectContaining({ role: "tool", content: containing("two\n") }),
    );
  });

  it.each([
    ["wrong arguments", chatCall("Read", '{"path":"a.txt","limt":2}'), "Did you mean 'limit'?"],
    ["half an object", chatCall("LS", '{"path": "s'), "The arguments are not valid JSON."],
  ])("tells the model about %s", async (_case, { function: { name, arguments: json } }, expected) => {
    const tool = toOpenAIAgentsTools(projectTools()).find((candidate) => candidate.name === name);
    expect(await tool?.invoke({}, json)).toContain(expected);
  });

  it("waits for approval before a tool that writes", async () => {
    const { tool, calls } = writingTool();
    const { agent } = await agentWith(toOpenAIAgentsTools([tool]), [
      chatReply({ tool_calls: [chatCall("Save", "{}")] }, "tool_calls"),
      DONE,
    ]);
    const runner = new Runner();
    const waiting = await runner.run(agent, "Save.");
    const [interruption] = waiting.interruptions;
    expect(calls).toEqual([]);
    if (interruption === undefined) throw new Error("The run was not interrupted.");
    waiting.state.approve(interruption);
    expect((await runner.run(agent, waiting.state)).finalOutput).toBe("Done.");
    expect(calls).toHaveLength(1);
  });

  it("does not wait for a dry run, for a tool that reads, or where the host says so", async () => {
    const { tool } = writingTool();
    const [save, ls] = toOpenAIAgentsTools([tool, ...projectTools()]);
    expect(await save?.needsApproval({}, { dry_run: true })).toBe(false);
    expect(await save?.needsApproval({}, {})).toBe(true);
    expect(await ls?.needsApproval({}, {})).toBe(false);
    expect(await toOpenAIAgentsTools([tool], { approval: false })[0]?.needsApproval({}, {})).toBe(false);
  });

  it("passes the abort signal on", async () => {
    const { tool, started, stopped } = waitingTool();
    const { agent } = await agentWith(toOpenAIAgentsTools([tool]), [
      chatReply({ tool_calls: [chatCall("Wait", "{}")] }, "tool_calls"),
      DONE,
    ]);
    const abort = new AbortController();
    const settled = Promise.allSettled([new Runner().run(agent, "Wait.", { signal: abort.signal })]);
    await started;
    abort.abort(new Error("enough"));
    await settled;
    expect(stopped).toHaveLength(1);
  });

  it("sends the plain schema and shortens answers, where the host wants that", async () => {
    const [ls] = projectTools();
    const [tool] = toOpenAIAgentsTools([ls], { strict: false, truncate: tightTruncate });
    expect(tool).toMatchObject({ strict: false, parameters: ls.jsonSchema });
    expect(await tool?.invoke({}, "{}")).toContain("[Output too large: ");
  });
});
