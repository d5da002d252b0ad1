import OpenAI from "openai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type ChatTool,
  type ChatToolCall,
  type ChatToolMessage,
  handleToolCall,
  type ResponsesTool,
  type ResponsesToolCall,
  type ResponsesToolOutput,
  toChatTools,
  toResponsesTools,
} from "../src/openai.ts";
import { containing, projectTools, tightTruncate, waitingTool } from "./example-tools.ts";
import { chatCall, chatReply, scriptedServer } from "./loopback.ts";

function responsesReply(output: object[]) {
  return { id: "response-1", object: "response", created_at: 1, model: "scripted", status: "completed", output };
}

describe("toChatTools and toResponsesTools", () => {
  it("fit the SDK's own types", () => {
    expectTypeOf<ChatTool>().toExtend<OpenAI.ChatCompletionTool>();
    expectTypeOf<ChatToolMessage>().toExtend<OpenAI.ChatCompletionMessageParam>();
    expectTypeOf<ResponsesTool>().toExtend<OpenAI.Responses.Tool>();
    expectTypeOf<ResponsesToolOutput>().toExtend<OpenAI.Responses.ResponseInputItem>();
    expectTypeOf<OpenAI.ChatCompletionMessageToolCall>().toExtend<ChatToolCall>();
    expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall>().toExtend<ResponsesToolCall>();
  });

  it("describe the tools strictly, unless told otherwise", () => {
    const [ls] = projectTools();
    const [strict] = toChatTools([ls]);
    expect(strict?.function).toMatchObject({ name: "LS", strict: true, description: ls.description });
    expect(strict?.function.parameters.required).toEqual(Object.keys(strict?.function.parameters.properties ?? {}));
    expect(toChatTools([ls], { strict: false })[0]?.function).toMatchObject({
      strict: false,
      parameters: ls.jsonSchema,
    });
    const [response] = toResponsesTools([ls]);
    expect({ ...response, function: strict?.function.function }).toEqual({ type: "function", ...strict?.function });
  });
});

describe("toChatTools in runTools", () => {
  it("serves the real runner", async () => {
    const { baseURL, requests } = await scriptedServer([
      chatReply({ tool_calls: [chatCall("Read", '{"path":"a.txt","limit":null}')] }, "tool_calls"),
      chatReply({ tool_calls: [chatCall("Read", '{"path":"gone.txt"}')] }, "tool_calls"),
      chatReply({ content: "Done." }, "stop"),
    ]);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const tools = toChatTools(projectTools());
    const runner = client.chat.completions.runTools({ model: "x", messages: [{ role: "user", content: "?" }], tools });
    expect(await runner.finalContent()).toBe("Done.");
    const sent = z.array(z.object({ role: z.string(), content: z.unknown() })).parse(requests[2]?.body.messages);
    expect(sent.filter(({ role }) => role === "tool").map(({ content }) => content)).toEqual([
      containing("two\n"),
      containing("gone.txt"),
    ]);
  });

  it("stops the tool when the runner is aborted", async () => {
    const { tool, started, stopped } = waitingTool();
    const { baseURL } = await scriptedServer([chatReply({ tool_calls: [chatCall("Wait", "{}")] }, "tool_calls")]);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "?" }];
    const runner = client.chat.completions.runTools({ model: "x", messages, tools: toChatTools([tool]) });
    const settled = Promise.allSettled([runner.finalContent()]);
    await started;
    runner.abort();
    await settled;
    expect(stopped).toHaveLength(1);
  });

  it("shortens answers with the truncator that it is given", async () => {
    const [ls] = toChatTools(projectTools(), { truncate: tightTruncate });
    expect(await ls?.function.function("{}")).toContain("[Output too large: ");
  });
});

describe("toResponsesTools", () => {
  it("passes on what else the API can be told, for all tools or for each", () => {
    const fields = { allowed_callers: ["programmatic" as const], defer_loading: true };
    for (const tool of toResponsesTools(projectTools(), { fields })) expect(tool).toMatchObject(fields);
    const [ls, read] = toResponsesTools(projectTools(), { fields: ({ name }) => (name === "LS" ? {} : fields) });
    expect(ls).not.toHaveProperty("defer_loading");
    expect(read).toMatchObject(fields);
  });
});

describe("handleToolCall", () => {
  it("serves a Chat Completions loop of the real client", async () => {
    const tools = projectTools();
    const { baseURL, requests } = await scriptedServer([
      chatReply({ tool_calls: [chatCall("Read", '{"path":"a.txt","limit":null}')] }, "tool_calls"),
      chatReply({ content: "Done." }, "stop"),
    ]);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Look." }];
    let answer: string | null | undefined;
    while (answer === undefined) {
      const { choices } = await client.chat.completions.create({ model: "x", messages, tools: toChatTools(tools) });
      const message = choices[0]?.message;
      if (message === undefined) throw new Error("no choice");
      messages.push(message);
      if (message.tool_calls === undefined) answer = message.content;
      for (const call of message.tool_calls ?? []) messages.push(await handleToolCall(tools, call));
    }
    expect(answer).toBe("Done.");
    expect(requests.map(({ path }) => path)).toEqual(["/chat/completions", "/chat/completions"]);
    expect(requests[0]?.body.tools).toEqual(JSON.parse(JSON.stringify(toChatTools(tools))));
    expect(messages[2]).toEqual({
      role: "tool",
      tool_call_id: "call-1",
      content: containing("two\n"),
    });
  });

  it("serves a Responses loop of the real client", async () => {
    const tools = projectTools();
    const call = { type: "function_call", id: "item-1", call_id: "call-1", name: "LS", arguments: "{}" };
    const text = { type: "output_text", text: "Done.", annotations: [] };
    const { baseURL, requests } = await scriptedServer([
      responsesReply([{ ...call, status: "completed" }]),
      responsesReply([{ type: "message", id: "item-2", role: "assistant", status: "completed", content: [text] }]),
    ]);
    const client = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Look." }];
    let answer = "";
    while (answer === "") {
      const response = await client.responses.create({ model: "x", input, tools: toResponsesTools(tools) });
      for (const item of response.output) {
        if (item.type === "function_call") input.push(item, await handleToolCall(tools, item));
      }
      answer = response.output_text;
    }
    expect(answer).toBe("Done.");
    expect(requests[1]?.body.input).toContainEqual({
      type: "function_call_output",
      call_id: "call-1",
      output: containing("a.txt"),
    });
  });

  it.each([
    ["an unknown tool", chatCall("Write", "{}"), "Unknown tool 'Write'. Call one of: LS, Read."],
    ["a custom tool", { id: "call-1", type: "custom" }, "Unknown tool 'custom'. Call one of: LS, Read."],
    ["half an object", chatCall("LS", '{"path": "s'), "The arguments are not valid JSON."],
    ["a wrong parameter", chatCall("Read", '{"path":"a.txt","limt":2}'), "Did you mean 'limit'?"],
    ["no arguments at all", chatCall("LS", ""), "2 entries"],
  ])("tells the model about %s", async (_case, call, expected) => {
    const { content } = await handleToolCall(projectTools(), call);
    expect(content).toContain(expected);
  });

  it.each([
    ["nothing", null],
    ["the object itself", { path: "." }],
  ])("takes %s as arguments, from a server that sends that", async (_case, sent) => {
    const call = z.custom<ChatToolCall>().parse({ ...chatCall("LS", ""), function: { name: "LS", arguments: sent } });
    expect((await handleToolCall(projectTools(), call)).content).toContain("2 entries");
  });

  it("stops the tool when the signal aborts", async () => {
    const { tool, started, stopped } = waitingTool();
    const abort = new AbortController();
    const running = handleToolCall([tool], chatCall("Wait", "{}"), { signal: abort.signal });
    await started;
    abort.abort(new Error("enough"));
    expect((await running).content).toContain("Aborted by the caller.");
    expect(stopped).toEqual([new Error("enough")]);
  });

  it("shortens answers with the truncator that it is given", async () => {
    const { content } = await handleToolCall(projectTools(), chatCall("LS", "{}"), { truncate: tightTruncate });
    expect(content).toContain("[Output too large: ");
  });
});
