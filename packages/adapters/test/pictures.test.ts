import Anthropic from "@anthropic-ai/sdk";
import { createSdkMcpServer } from "@anthropic-ai/claude-agent-sdk";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryTransport1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { Client, InMemoryTransport, type Transport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { Agent, OpenAIResponsesModel, Runner, setTracingDisabled } from "@openai/agents";
import { ToolMessage } from "@langchain/core/messages";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import OpenAI from "openai";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { toAiSdkTools } from "../src/ai-sdk.ts";
import { toAnthropicTools } from "../src/anthropic.ts";
import { toLangChainTools } from "../src/langchain.ts";
import { registerTools } from "../src/mcp.ts";
import {
  type ChatMediaMessage,
  handleToolCall,
  handleToolCalls,
  toChatTools,
  toResponsesTools,
} from "../src/openai.ts";
import { toOpenAIAgentsTools } from "../src/openai-agents.ts";
import { containing, PDF, pictureTools, PIXEL } from "./example-tools.ts";
import { chatCall, scriptedServer } from "./loopback.ts";

setTracingDisabled(true);

const READ = { filePath: "a.png" };
const SAID = "Image read successfully";
const URL_OF_PIXEL = `data:image/png;base64,${PIXEL}`;
const image = { type: "image", mimeType: "image/png", data: PIXEL };

function responsesReply(output: object[]) {
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: {},
    output_tokens_details: {},
  };
  return { id: "r", object: "response", created_at: 1, status: "completed", model: "x", output, usage };
}

const RESPONSES = [
  responsesReply([
    {
      type: "function_call",
      id: "i",
      call_id: "call-1",
      name: "read",
      arguments: JSON.stringify(READ),
      status: "completed",
    },
  ]),
  responsesReply([
    {
      type: "message",
      id: "m",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Done.", annotations: [] }],
    },
  ]),
];

// Rule: A picture reaches the model with the bytes of the file, in the SDK's own form.
describe("a picture", () => {
  it("reaches the model through the AI SDK", async () => {
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      doGenerate: [
        {
          content: [{ type: "tool-call", toolCallId: "1", toolName: "read", input: JSON.stringify(READ) }],
          finishReason: { unified: "tool-calls", raw: undefined },
          usage,
          warnings: [],
        },
        {
          content: [{ type: "text", text: "Done." }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        },
      ],
    });
    await generateText({ model, tools: toAiSdkTools(pictureTools()), prompt: "Look.", stopWhen: stepCountIs(3) });
    expect(model.doGenerateCalls[1]?.prompt.at(-1)?.content).toMatchObject([
      {
        output: {
          type: "content",
          value: [
            { type: "text", text: containing(SAID) },
            { type: "image-data", data: PIXEL, mediaType: "image/png" },
          ],
        },
      },
    ]);
  });

  it("reaches the model through Anthropic's toolRunner", async () => {
    const reply = (content: object[], stop_reason: string) => {
      const usage = { input_tokens: 1, output_tokens: 1 };
      return {
        id: "m",
        type: "message",
        role: "assistant",
        model: "x",
        content,
        stop_reason,
        stop_sequence: null,
        usage,
      };
    };
    const { baseURL, requests } = await scriptedServer([
      reply([{ type: "tool_use", id: "1", name: "read", input: READ }], "tool_use"),
      reply([{ type: "text", text: "Done." }], "end_turn"),
    ]);
    const client = new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
    const tools = toAnthropicTools(pictureTools());
    await client.beta.messages.toolRunner({
      model: "x",
      max_tokens: 99,
      messages: [{ role: "user", content: "Look." }],
      tools,
    });
    expect(requests[1]?.body.messages).toContainEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            { type: "text", text: containing(SAID) },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
          ],
        },
      ],
    });
    const [read] = tools;
    expect(await read?.run({ filePath: "a.pdf" })).toMatchObject([
      { type: "text" },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } },
    ]);
  });

  it("follows the answers in Chat Completions, which hold text alone", async () => {
    expectTypeOf<ChatMediaMessage>().toExtend<OpenAI.ChatCompletionUserMessageParam>();
    const toolset = pictureTools();
    const two = ["a.png", "a.pdf"].map((filePath) => chatCall("read", JSON.stringify({ filePath })));
    expect(await handleToolCalls(toolset, two)).toEqual([
      { role: "tool", tool_call_id: "call-1", content: containing(SAID) },
      { role: "tool", tool_call_id: "call-1", content: containing("PDF read successfully") },
      {
        role: "user",
        content: [
          { type: "text", text: "From tool call call-1:" },
          { type: "image_url", image_url: { url: URL_OF_PIXEL } },
          { type: "text", text: "From tool call call-1:" },
          { type: "file", file: { filename: "document.pdf", file_data: `data:application/pdf;base64,${PDF}` } },
        ],
      },
    ]);
    const listed = await handleToolCalls(toolset, [chatCall("read", '{"filePath":"."}')]);
    expect(listed).toHaveLength(1);
  });

  it("reaches the model through the Responses API", async () => {
    const { baseURL, requests } = await scriptedServer(RESPONSES);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const toolset = pictureTools();
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Look." }];
    const first = await client.responses.create({ model: "x", input, tools: toResponsesTools(toolset) });
    for (const item of first.output) {
      if (item.type === "function_call") input.push(item, await handleToolCall(toolset, item));
    }
    await client.responses.create({ model: "x", input });
    expect(requests[1]?.body.input).toContainEqual({
      type: "function_call_output",
      call_id: "call-1",
      output: [
        { type: "input_text", text: containing(SAID) },
        { type: "input_image", image_url: URL_OF_PIXEL },
      ],
    });
  });

  it("reaches the model through the Agents SDK", async () => {
    const { baseURL, requests } = await scriptedServer(RESPONSES);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const tools = toOpenAIAgentsTools(pictureTools());
    const agent = new Agent({ name: "Tester", model: new OpenAIResponsesModel(client, "x"), tools });
    expect((await new Runner().run(agent, "Look.")).finalOutput).toBe("Done.");
    expect(JSON.stringify(requests[1]?.body.input)).toContain(URL_OF_PIXEL);
  });

  it("reaches the model through LangChain", async () => {
    const [read] = toLangChainTools(pictureTools());
    const message: unknown = await read?.invoke({ type: "tool_call", id: "1", name: "read", args: READ });
    if (!ToolMessage.isInstance(message)) throw new Error("not a ToolMessage");
    expect(message.contentBlocks).toEqual([{ type: "text", text: containing(SAID) }, image]);
  });

  it("reaches clients of MCP SDK 2, as a PDF does", async () => {
    const server = registerTools(new McpServer({ name: "test", version: "1.0.0" }), pictureTools());
    const client = new Client({ name: "test", version: "1.0.0" });
    const [near, far]: [Transport, Transport] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    onTestFinished(() => client.close());
    const call = async (filePath: string) => (await client.callTool({ name: "read", arguments: { filePath } })).content;
    expect(await call("a.png")).toEqual([{ type: "text", text: containing(SAID) }, image]);
    expect(await call("a.pdf")).toMatchObject([
      { type: "text" },
      { type: "resource", resource: { uri: "fstools:///a.pdf", mimeType: "application/pdf", blob: PDF } },
    ]);
  });

  it("reaches clients of MCP SDK 1, through the Claude Agent SDK", async () => {
    const { instance } = registerTools(createSdkMcpServer({ name: "fstools" }), pictureTools());
    const client = new Client1({ name: "test", version: "1.0.0" });
    const [near, far] = InMemoryTransport1.createLinkedPair();
    await Promise.all([instance.connect(far), client.connect(near)]);
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: "read", arguments: READ });
    expect(content).toEqual([{ type: "text", text: containing(SAID) }, image]);
  });
});

// Rule: What an SDK can't carry is said in text.
describe("a picture that is not sent", () => {
  it.each([
    ["in runTools", async () => await toChatTools(pictureTools())[0]?.function.function(JSON.stringify(READ))],
    [
      "in a single message",
      async () => (await handleToolCall(pictureTools(), chatCall("read", JSON.stringify(READ)))).content,
    ],
    [
      "where the host says so",
      async () => await toOpenAIAgentsTools(pictureTools(), { media: false })[0]?.invoke({}, JSON.stringify(READ)),
    ],
  ])("is said in text %s", async (_case, answer) => {
    expect(await answer()).toContain("[Not delivered: image/png, which cannot be sent here.]");
  });

  // Providers refuse a whole conversation because of one.
  it("is said in text if it is too large for providers", async () => {
    const [read] = toAnthropicTools(pictureTools());
    expect(await read?.run({ filePath: "wide.png" })).toContain(
      "[Not delivered: image/png, which is too large to show (2001x1, at most 2000x2000).]",
    );
  });

  it.each([
    ["too many bytes", "A".repeat(5_242_884), "which is too large to show (3932163 bytes, at most 3750000)"],
    ["no header", "AAAA", "which has no readable header"],
  ])("is said in text if it has %s", async (_case, data, reason) => {
    const context = { cwd: ".", params_input: {} };
    const response = {
      status: "success" as const,
      data: { content: "", media: { mime_type: "image/png", data, width: 1, height: 1 } },
      text: "Read image.",
      stats: { time_ms: 1 },
      context,
    };
    const tool = {
      name: "Read",
      description: "",
      jsonSchema: { type: "object" },
      run: () => Promise.resolve(response),
    };
    expect(await toAnthropicTools([tool])[0]?.run({})).toBe(`Read image.\n\n[Not delivered: image/png, ${reason}.]`);
  });
});

// Rule: Given a toolset, an adapter cuts and numbers as the toolset does.
it("takes the truncator and the line numbers of a toolset", async () => {
  const toolset = { ...pictureTools(), lineNumbers: "none" as const };
  const cut: string[] = [];
  const truncate: typeof toolset.truncate = (tool, response) => {
    cut.push(tool);
    return toolset.truncate(tool, response);
  };
  await toAnthropicTools({ ...toolset, truncate })[0]?.run(READ);
  expect(cut).toEqual(["read"]);
  const numbered = {
    status: "success" as const,
    data: { content: "   1 | a\n" },
    text: "Read 1 lines from 'a' (Lines 1-1).",
    stats: { time_ms: 1 },
    context: { cwd: ".", params_input: {} },
  };
  const tool = { name: "Read", description: "", jsonSchema: { type: "object" }, run: () => Promise.resolve(numbered) };
  expect(await toAnthropicTools({ ...toolset, tools: [tool] })[0]?.run({})).toBe("1 line\n\na\n");
  expect(await toAnthropicTools({ ...toolset, tools: [tool] }, { lineNumbers: "all" })[0]?.run({})).toBe("1\ta\n");
  expect(await toAnthropicTools([tool])[0]?.run({})).toBe("1\ta\n");
});
