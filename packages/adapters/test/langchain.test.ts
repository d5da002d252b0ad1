import { conformant } from "@fstools/testing";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { toLangChainTools } from "../src/langchain.ts";
import { containing, projectTools, tightTruncate, waitingTool } from "./example-tools.ts";

function toolCall(name: string, args: Record<string, unknown>) {
  return { type: "tool_call", id: "call-1", name, args } as const;
}

/** The tool of that name, invoked as LangChain's agents do it. */
async function invoke(name: string, args: Record<string, unknown>, options = {}): Promise<ToolMessage> {
  const tool = toLangChainTools(projectTools(), options).find((candidate) => candidate.name === name);
  const message: unknown = await tool?.invoke(toolCall(name, args));
  if (!ToolMessage.isInstance(message)) throw new Error("not a ToolMessage");
  return message;
}

/** A chat model that says what the script says. */
class ScriptedModel extends BaseChatModel {
  readonly seen: BaseMessage[][] = [];
  readonly script: AIMessage[];

  constructor(script: AIMessage[]) {
    super({});
    this.script = script;
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(): this {
    return this;
  }

  _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.seen.push(messages);
    const message = this.script[this.seen.length - 1] ?? new AIMessage("The script is over.");
    return Promise.resolve({ generations: [{ text: "", message }] });
  }
}

describe("toLangChainTools in createAgent", () => {
  it("serves the agent's loop", async () => {
    const call = toolCall("Read", { path: "a.txt" });
    const model = new ScriptedModel([new AIMessage({ content: "", tool_calls: [call] }), new AIMessage("Done.")]);
    const agent = createAgent({ model, tools: toLangChainTools(projectTools()) });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Look." }] });
    expect(messages.at(-1)?.content).toBe("Done.");
    const answer = model.seen[1]?.find((message) => ToolMessage.isInstance(message));
    expect(answer).toMatchObject({ status: "success", content: containing("two\n") });
    conformant<unknown>(answer?.artifact, "read");
  });
});

describe("toLangChainTools", () => {
  it("shows the model the tool's JSON Schema, as it is", () => {
    const [ls] = projectTools();
    const [tool] = toLangChainTools([ls]);
    if (tool === undefined) throw new Error("no tool");
    expect(convertToOpenAITool(tool)).toEqual({
      type: "function",
      function: { name: "LS", description: ls.description, parameters: ls.jsonSchema },
    });
  });

  it("answers a tool call with the rendered text, and the envelope as artifact", async () => {
    const message = await invoke("Read", { path: "a.txt" });
    expect(message).toMatchObject({ status: "success", tool_call_id: "call-1", name: "Read" });
    expect(message.content).toContain("two\n");
    conformant<unknown>(message.artifact, "read");
  });

  it.each([
    ["a missing file", { path: "gone.txt" }, "gone.txt"],
    ["a wrong parameter", { path: "a.txt", limt: 2 }, "Did you mean 'limit'?"],
    ["a wrong type", { path: 7 }, "path must be a string."],
  ])("marks %s as an error, with the tool's own advice", async (_case, args, expected) => {
    const message = await invoke("Read", args);
    expect(message.status).toBe("error");
    expect(message.content).toContain(expected);
  });

  it("takes null for an optional parameter, as strict models send it", async () => {
    expect(await invoke("Read", { path: "a.txt", limit: null })).toMatchObject({ status: "success" });
  });

  it("answers bare arguments with the text", async () => {
    const [ls] = toLangChainTools(projectTools());
    expect(await ls?.invoke({ path: "src" })).toContain("index.ts");
  });

  it("passes the abort signal on", async () => {
    const { tool, started, stopped } = waitingTool();
    const abort = new AbortController();
    const running = toLangChainTools([tool])[0]?.invoke(toolCall("Wait", {}), { signal: abort.signal });
    const settled = Promise.allSettled([running]);
    await started;
    abort.abort(new Error("enough"));
    const [outcome] = await settled;
    expect(outcome.status).toBe("rejected");
    await expect.poll(() => stopped, { timeout: 20_000 }).toHaveLength(1);
  });

  it("shortens answers with the truncator that it is given", async () => {
    expect((await invoke("LS", {}, { truncate: tightTruncate })).content).toContain("[Output too large: ");
  });
});
