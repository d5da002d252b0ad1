// Each SDK's own loop over real tools; run by run-sdk-loops.mjs in a folder where the SDKs are installed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import { toChatTools } from "@fstools/adapters/openai";
import { toOpenAIAgentsTools } from "@fstools/adapters/openai-agents";
import { createToolset } from "@fstools/toolset";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent, OpenAIChatCompletionsModel, Runner, setTracingDisabled } from "@openai/agents";
import { generateText, isStepCount, stepCountIs } from "ai";
import OpenAI from "openai";

const projectRoot = mkdtempSync(join(tmpdir(), "fstools-project-"));
writeFileSync(join(projectRoot, "a.txt"), "one\ntwo\n");
const { tools } = createToolset({ projectRoot });
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

/** A model that asks for one call and is done when it has the answer; it speaks Chat Completions, at once or streaming. */
async function scriptedModel(name, args) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    requests.push(body);
    const isDone = body.messages.some(({ role }) => role === "tool");
    const call = { id: "call-1", type: "function", function: { name, arguments: JSON.stringify(args) } };
    const message = isDone ? { content: "Done." } : { content: null, tool_calls: [call] };
    const finish_reason = isDone ? "stop" : "tool_calls";
    const base = { id: "chat-1", created: 1, model: "scripted" };
    if (body.stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const delta = isDone ? message : { tool_calls: [{ index: 0, ...call }] };
      for (const choice of [{ delta: { role: "assistant", ...delta } }, { delta: {}, finish_reason }]) {
        const chunk = { ...base, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] };
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      }
      response.end("data: [DONE]\n\n");
      return;
    }
    const choices = [{ index: 0, message: { role: "assistant", refusal: null, ...message }, finish_reason }];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        ...base,
        object: "chat.completion",
        choices,
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { baseURL: `http://127.0.0.1:${server.address().port}`, requests, close: () => server.close() };
}

function toolAnswer({ requests }) {
  return JSON.stringify(requests.at(-1)?.messages.filter(({ role }) => role === "tool"));
}

const loops = {
  "ai 7, generateText": async () => {
    const script = await scriptedModel("Read", { path: "a.txt" });
    const model = createOpenAICompatible({ name: "scripted", baseURL: script.baseURL })("x");
    const stopWhen = (isStepCount ?? stepCountIs)(3);
    const result = await generateText({ model, tools: toAiSdkTools(tools), prompt: "Look.", stopWhen });
    assert.equal(result.text, "Done.");
    assert.match(toolAnswer(script), /two/u);
    script.close();
  },
  "ai 7, approval": async () => {
    const script = await scriptedModel("Save", {});
    const model = createOpenAICompatible({ name: "scripted", baseURL: script.baseURL })("x");
    const result = await generateText({ model, tools: toAiSdkTools([save]), prompt: "Save." });
    assert.deepEqual(saved, []);
    assert.ok(result.content.some(({ type }) => type === "tool-approval-request"));
    script.close();
  },
  "@mastra/core agent": async () => {
    const script = await scriptedModel("Read", { path: "a.txt" });
    const model = createOpenAICompatible({ name: "scripted", baseURL: script.baseURL })("x");
    const agent = new MastraAgent({ id: "a", name: "a", instructions: "Look.", model, tools: toAiSdkTools(tools) });
    const result = await agent.generate("Look.");
    assert.equal(result.text, "Done.");
    assert.match(toolAnswer(script), /two/u);
    assert.doesNotMatch(toolAnswer(script), /params_input/u);
    script.close();
  },
  "@mastra/core, approval": async () => {
    const script = await scriptedModel("Save", {});
    const model = createOpenAICompatible({ name: "scripted", baseURL: script.baseURL })("x");
    const agent = new MastraAgent({ id: "b", name: "b", instructions: "Save.", model, tools: toAiSdkTools([save]) });
    const result = await agent.generate("Save.");
    assert.deepEqual(saved, []);
    assert.equal(result.finishReason, "suspended");
    script.close();
  },
  "@openai/agents 0.20": async () => {
    setTracingDisabled(true);
    const script = await scriptedModel("Read", { path: "a.txt" });
    const client = new OpenAI({ baseURL: script.baseURL, apiKey: "none" });
    const model = new OpenAIChatCompletionsModel(client, "x");
    const agent = new Agent({ name: "a", model, tools: toOpenAIAgentsTools(tools) });
    assert.equal((await new Runner().run(agent, "Look.")).finalOutput, "Done.");
    assert.match(toolAnswer(script), /two/u);
    script.close();
  },
  "openai 7, runTools": async () => {
    const script = await scriptedModel("Read", { path: "a.txt" });
    const client = new OpenAI({ baseURL: script.baseURL, apiKey: "none" });
    const messages = [{ role: "user", content: "Look." }];
    const runner = client.chat.completions.runTools({ model: "x", messages, tools: toChatTools(tools) });
    assert.equal(await runner.finalContent(), "Done.");
    assert.match(toolAnswer(script), /two/u);
    script.close();
  },
};

let failures = 0;
for (const [name, loop] of Object.entries(loops)) {
  try {
    await loop();
    print(`ok      ${name}`);
  } catch (error) {
    failures += 1;
    print(`failed  ${name}\n${error.stack}`);
  }
}
rmSync(projectRoot, { recursive: true, force: true });
process.exit(failures === 0 ? 0 : 1);

function print(line) {
  process.stdout.write(`${line}\n`);
}
