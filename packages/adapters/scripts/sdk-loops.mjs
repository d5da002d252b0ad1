// Each SDK's own loop over real tools; run by run-sdk-loops.mjs in a folder where the SDKs are installed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createSdkMcpServer } from "@anthropic-ai/claude-agent-sdk";
import Anthropic from "@anthropic-ai/sdk";
import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import { createMemory, createTextEditor, handleToolUses, toAnthropicTools } from "@fstools/adapters/anthropic";
import { toLangChainTools } from "@fstools/adapters/langchain";
import { registerTools } from "@fstools/adapters/mcp";
import { handlePatchCall, handleToolCall, toChatTools, toResponsesTools } from "@fstools/adapters/openai";
import { createPatchEditor, toOpenAIAgentsTools } from "@fstools/adapters/openai-agents";
import { createToolset } from "@fstools/toolset";
import { ChatOpenAI } from "@langchain/openai";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryTransport1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import {
  Agent,
  applyPatchTool,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
} from "@openai/agents";
import { generateText, isStepCount, stepCountIs } from "ai";
import { createAgent } from "langchain";
import OpenAI from "openai";

setTracingDisabled(true);
const projectRoot = mkdtempSync(join(tmpdir(), "fstools-project-"));
const file = (name) => join(projectRoot, name);
const looking = createToolset({ projectRoot });
const writing = createToolset({ projectRoot, tools: ["LS", "Read", "Edit", "Write", "Patch", "Move", "Delete"] });
const { tools } = looking;
const stopWhen = (isStepCount ?? stepCountIs)(3);
const READ = { name: "Read", input: { path: "a.txt" } };
const saved = [];
const save = {
  name: "Save",
  description: "Saves.",
  jsonSchema: { type: "object", properties: {}, required: [], additionalProperties: false },
  effect: "write",
  run: (input) => {
    saved.push(input);
    return tools[0].run({});
  },
};

/** A server on loopback that answers with what `reply` makes of each request, and keeps the requests. */
async function scriptedServer(reply) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    requests.push(body);
    const { stream, json } = reply(body, requests.length);
    response.writeHead(200, { "content-type": stream === undefined ? "application/json" : "text/event-stream" });
    response.end(stream ?? JSON.stringify(json));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  // What the last request says, in which the answers of tools are.
  const told = () => JSON.stringify(requests.at(-1)).replaceAll("\\\\", "\\");
  return { baseURL: `http://127.0.0.1:${port}`, requests, told, close: () => server.close() };
}

/** A model that asks for one call and is done when it has the answer; it speaks Chat Completions, at once or streaming. */
function chatModel({ name, input }) {
  return scriptedServer((body, count) => {
    const isDone = body.messages.some(({ role }) => role === "tool");
    const call = { id: "call-1", type: "function", function: { name, arguments: JSON.stringify(input) } };
    const message = isDone ? { content: "Done." } : { content: null, tool_calls: [call] };
    const finish_reason = isDone ? "stop" : "tool_calls";
    const base = { id: `chat-${count}`, created: 1, model: "scripted" };
    if (body.stream === true) {
      const delta = isDone ? message : { tool_calls: [{ index: 0, ...call }] };
      const chunks = [{ delta: { role: "assistant", ...delta } }, { delta: {}, finish_reason }].map((choice) => {
        return `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] })}\n\n`;
      });
      return { stream: `${chunks.join("")}data: [DONE]\n\n` };
    }
    const choices = [{ index: 0, message: { role: "assistant", refusal: null, ...message }, finish_reason }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return { json: { ...base, object: "chat.completion", choices, usage } };
  });
}

/** The same in the Responses API, with items of any type. */
function responsesModel(...items) {
  const content = [{ type: "output_text", text: "Done.", annotations: [] }];
  const done = { type: "message", id: "m", role: "assistant", status: "completed", content };
  const usage = {
    input_tokens: 1,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 2,
  };
  return scriptedServer((_body, count) => {
    const base = { id: `resp-${count}`, object: "response", created_at: 1, model: "x", status: "completed", usage };
    return { json: { ...base, output: count === 1 ? items : [done] } };
  });
}

function patchCall(operation) {
  return { type: "apply_patch_call", id: "p", call_id: "call-1", status: "completed", operation };
}

/** The same in Anthropic's Messages API, one call after the other. */
function anthropicModel(...calls) {
  const usage = { input_tokens: 1, output_tokens: 1 };
  return scriptedServer((_body, count) => {
    const call = calls[count - 1];
    const content =
      call === undefined ? { type: "text", text: "Done." } : { type: "tool_use", id: `toolu_${count}`, ...call };
    const stop_reason = call === undefined ? "end_turn" : "tool_use";
    const base = { id: `msg_${count}`, type: "message", role: "assistant", model: "x", stop_sequence: null, usage };
    return { json: { ...base, content: [content], stop_reason } };
  });
}

const EDITOR = "str_replace_based_edit_tool";
const EDIT = { name: EDITOR, input: { command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" } };
const REMEMBER = { name: "memory", input: { command: "create", path: "/memories/a.md", file_text: "a\n" } };
const PATCH = patchCall({ type: "update_file", path: "a.txt", diff: "@@ one\n-two\n+2\n" });
const user = [{ role: "user", content: "Look." }];
const anthropicClient = ({ baseURL }) => new Anthropic({ baseURL, apiKey: "none", maxRetries: 0 });
const openaiClient = ({ baseURL }) => new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });

function compatible({ baseURL }) {
  return createOpenAICompatible({ name: "scripted", baseURL })("x");
}

/** A loop over MCP: a real client that lists the tools and calls one. */
async function mcpLoop(client, server, [near, far]) {
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tools: listed } = await client.listTools();
  assert.ok(listed.some(({ name }) => name === "Read"));
  const { content, isError } = await client.callTool({ name: "Read", arguments: READ.input });
  assert.ok(isError !== true);
  assert.match(content[0].text, /two/u);
  await client.close();
}

const INFO = { name: "test", version: "1.0.0" };

const loops = {
  "AI SDK 7": async () => {
    const script = await chatModel(READ);
    const result = await generateText({
      model: compatible(script),
      tools: toAiSdkTools(tools),
      prompt: "Look.",
      stopWhen,
    });
    assert.equal(result.text, "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "AI SDK 7, approval": async () => {
    const script = await chatModel({ name: "Save", input: {} });
    const result = await generateText({ model: compatible(script), tools: toAiSdkTools([save]), prompt: "Save." });
    assert.deepEqual(saved, []);
    assert.ok(result.content.some(({ type }) => type === "tool-approval-request"));
    script.close();
  },
  "AI SDK 7, Anthropic's text editor and memory": async () => {
    const script = await anthropicModel(EDIT, REMEMBER);
    const { tools: shapes } = createAnthropic({ baseURL: script.baseURL, apiKey: "none" });
    const result = await generateText({
      model: createAnthropic({ baseURL: script.baseURL, apiKey: "none" })("claude-sonnet-4-5"),
      tools: {
        [EDITOR]: shapes.textEditor_20250728({ execute: createTextEditor(writing).execute }),
        memory: shapes.memory_20250818({ execute: createMemory(writing, { directory: "m" }).execute }),
      },
      prompt: "Edit.",
      stopWhen,
    });
    assert.equal(result.text, "Done.");
    assert.match(script.told(), /File created successfully at: \/memories\/a\.md/u);
    assert.equal(readFileSync(file("a.txt"), "utf8"), "one\n2\n");
    script.close();
  },
  "AI SDK 7, OpenAI's apply_patch": async () => {
    const script = await responsesModel(PATCH);
    const openai = createOpenAI({ baseURL: script.baseURL, apiKey: "none" });
    const apply_patch = openai.tools.applyPatch({ execute: createPatchEditor(writing).execute });
    const result = await generateText({
      model: openai.responses("gpt-5.1"),
      tools: { apply_patch },
      prompt: "Patch.",
      stopWhen,
    });
    assert.equal(result.text, "Done.");
    assert.equal(readFileSync(file("a.txt"), "utf8"), "one\n2\n");
    script.close();
  },
  Mastra: async () => {
    const script = await chatModel(READ);
    const about = { id: "a", name: "a", instructions: "Look." };
    const agent = new MastraAgent({ ...about, model: compatible(script), tools: toAiSdkTools(tools) });
    assert.equal((await agent.generate("Look.")).text, "Done.");
    assert.match(script.told(), /two/u);
    assert.doesNotMatch(script.told(), /params_input/u);
    script.close();
  },
  "Mastra, approval": async () => {
    const script = await chatModel({ name: "Save", input: {} });
    const about = { id: "b", name: "b", instructions: "Save." };
    const agent = new MastraAgent({ ...about, model: compatible(script), tools: toAiSdkTools([save]) });
    assert.equal((await agent.generate("Save.")).finishReason, "suspended");
    assert.deepEqual(saved, []);
    script.close();
  },
  "OpenAI 7, runTools": async () => {
    const script = await chatModel(READ);
    const options = { model: "x", messages: user, tools: toChatTools(tools) };
    assert.equal(await openaiClient(script).chat.completions.runTools(options).finalContent(), "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "OpenAI 7, Chat Completions in an own loop": async () => {
    const script = await chatModel(READ);
    const client = openaiClient(script);
    const options = { model: "x", tools: toChatTools(tools) };
    const { message } = (await client.chat.completions.create({ ...options, messages: user })).choices[0];
    const answers = await Promise.all(message.tool_calls.map((call) => handleToolCall(looking, call)));
    const messages = [...user, message, ...answers];
    const last = await client.chat.completions.create({ ...options, messages });
    assert.equal(last.choices[0].message.content, "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "OpenAI 7, Responses in an own loop, with apply_patch": async () => {
    const { name, input } = READ;
    const call = { type: "function_call", id: "f", call_id: "call-2", name, arguments: JSON.stringify(input) };
    const script = await responsesModel(call, PATCH);
    const client = openaiClient(script);
    const options = { model: "x", tools: [...toResponsesTools(tools), { type: "apply_patch" }] };
    const { id, output } = await client.responses.create({ ...options, input: "Look." });
    const answers = [];
    for (const item of output) {
      if (item.type === "function_call") answers.push(await handleToolCall(looking, item));
      if (item.type === "apply_patch_call") answers.push(await handlePatchCall(writing, item));
    }
    const last = await client.responses.create({ ...options, input: answers, previous_response_id: id });
    assert.equal(last.output_text, "Done.");
    assert.match(script.told(), /two/u);
    assert.equal(readFileSync(file("a.txt"), "utf8"), "one\n2\n");
    script.close();
  },
  "OpenAI Agents 0.20": async () => {
    const script = await chatModel(READ);
    const model = new OpenAIChatCompletionsModel(openaiClient(script), "x");
    const agent = new Agent({ name: "a", model, tools: toOpenAIAgentsTools(tools) });
    assert.equal((await new Runner().run(agent, "Look.")).finalOutput, "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "OpenAI Agents 0.20, apply_patch": async () => {
    const script = await responsesModel(PATCH);
    const model = new OpenAIResponsesModel(openaiClient(script), "x");
    const editor = createPatchEditor(writing);
    const agent = new Agent({ name: "a", model, tools: [applyPatchTool({ editor })] });
    assert.equal((await new Runner().run(agent, "Patch.")).finalOutput, "Done.");
    assert.equal(readFileSync(file("a.txt"), "utf8"), "one\n2\n");
    script.close();
  },
  "Anthropic 1.10, toolRunner, with the text editor and memory": async () => {
    const script = await anthropicModel(READ, EDIT, REMEMBER);
    const shapes = [createTextEditor(writing), createMemory(writing, { directory: "m" })];
    const offered = [...toAnthropicTools(looking), ...shapes];
    const runner = anthropicClient(script).beta.messages.toolRunner({
      model: "x",
      max_tokens: 99,
      messages: user,
      tools: offered,
    });
    assert.equal((await runner).content[0].text, "Done.");
    assert.match(JSON.stringify(script.requests), /two/u);
    assert.match(script.told(), /File created successfully at: \/memories\/a\.md/u);
    assert.equal(readFileSync(file("a.txt"), "utf8"), "one\n2\n");
    script.close();
  },
  "Anthropic 1.10 in an own loop": async () => {
    const script = await anthropicModel(READ);
    const client = anthropicClient(script);
    const options = { model: "x", max_tokens: 99, tools: toAnthropicTools(looking) };
    const { content } = await client.messages.create({ ...options, messages: user });
    const results = await handleToolUses(looking, content);
    const messages = [...user, { role: "assistant", content }, { role: "user", content: results }];
    assert.equal((await client.messages.create({ ...options, messages })).content[0].text, "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "Claude Agent SDK": async () => {
    const { instance } = registerTools(createSdkMcpServer({ name: "fs" }), looking);
    await mcpLoop(new Client1(INFO), instance, InMemoryTransport1.createLinkedPair());
  },
  LangChain: async () => {
    const script = await chatModel(READ);
    const model = new ChatOpenAI({ model: "x", apiKey: "none", configuration: { baseURL: script.baseURL } });
    const agent = createAgent({ model, tools: toLangChainTools(tools) });
    const { messages } = await agent.invoke({ messages: user });
    assert.equal(messages.at(-1).content, "Done.");
    assert.match(script.told(), /two/u);
    script.close();
  },
  "MCP SDK 1": () => {
    const server = registerTools(new McpServer1(INFO), looking);
    return mcpLoop(new Client1(INFO), server, InMemoryTransport1.createLinkedPair());
  },
  "MCP SDK 2": () => {
    const server = registerTools(new McpServer(INFO), looking);
    return mcpLoop(new Client(INFO), server, InMemoryTransport.createLinkedPair());
  },
};

let failures = 0;
for (const [name, loop] of Object.entries(loops)) {
  try {
    writeFileSync(file("a.txt"), "one\ntwo\n");
    rmSync(file("m"), { recursive: true, force: true });
    await loop();
    print(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    print(`failed  ${name}\n${error.stack}`);
  }
}
rmSync(projectRoot, { recursive: true, force: true });
print(failures === 0 ? `All ${Object.keys(loops).length} loops pass.` : `${failures} failed.`);
process.exit(failures === 0 ? 0 : 1);

function print(line) {
  process.stdout.write(`${line}\n`);
}
