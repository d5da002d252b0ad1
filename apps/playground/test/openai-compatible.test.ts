import { renderForModel } from "@fstools/protocol";
import { fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseModel, modelSettingsFrom } from "../src/agent/model.ts";
import { openProject } from "../src/project.ts";
import { startChatEndpoint, type ChatRequest, type Reply } from "./support/chat-endpoint.ts";
import { askIn, type AskOptions, type Run } from "./support/ask.ts";

const KEY = "sk-test-3f8a1c";

const DOT = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const sources = (more: Tree = {}) =>
  fixture({
    "README.md": "# Title\n\nHello.\n",
    src: { "main.ts": "export const answer = 42;\n", "other.ts": "" },
    "dot.gif": DOT,
    ...more,
  });

type Tree = Parameters<typeof fixture>[0];

interface Options extends AskOptions {
  readonly key?: string;
  readonly maxSteps?: number;
  readonly vision?: boolean;
  readonly tree?: Tree;
}

async function ask(script: (request: ChatRequest, index: number) => Reply, options: Options = {}) {
  const endpoint = await startChatEndpoint(KEY, script);
  onTestFinished(() => endpoint.close());
  const { key = KEY, vision } = options;
  const chosen = chooseModel({ baseUrl: endpoint.baseUrl, model: "test-model", apiKey: key, vision });
  const conversation = openProject({ root: sources(options.tree).root }).converse({
    chosen,
    maxSteps: options.maxSteps ?? 6,
  });
  return { ...(await askIn(conversation, "What is the answer?", options)), endpoint, conversation };
}

const lookAround: Reply = {
  text: ["Let me ", "look."],
  calls: [
    { id: "call_a", name: "LS", pieces: ["{}"] },
    { id: "call_b", name: "Read", pieces: ['{"pa', 'th":"src/', 'main.ts"}'] },
  ],
};

const answer: Reply = { text: ["It is ", "42 (`src/main.ts:1`)."] };

const types = ({ chunks }: Run) =>
  chunks.map(({ type }) => type).filter((type) => /^(?:start-step|tool-.*able|finish)$/u.test(type));

describe("the agent with an OpenAI-compatible model", () => {
  it("runs streamed tool calls and answers", async () => {
    const run = await ask((_, index) => (index === 0 ? lookAround : answer));
    expect(types(run)).toEqual([
      ...["start-step", "tool-input-available", "tool-input-available"],
      ...["tool-output-available", "tool-output-available", "start-step", "finish"],
    ]);
    expect([...run.calls].sort()).toEqual(["LS {}", 'Read {"path":"src/main.ts"}']);
    expect(run.answer).toBe("It is 42 (`src/main.ts:1`).");
    expect(run.ending).toBe("stop");
    expect(run.conversation.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("sends the tools' schemas, and their answers as renderForModel words them", async () => {
    const run = await ask((_, index) => (index === 0 ? lookAround : answer));
    const [first, second] = run.endpoint.requests;
    expect(first).toMatchObject({ model: "test-model", stream: true });
    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(["LS", "Glob", "Grep", "Read"]);
    const sent = second?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(sent?.toSorted()).toEqual(run.responses.map((response) => renderForModel(response)).toSorted());
  });

  it("tells the model of a picture, which Chat Completions would send as letters", async () => {
    const look: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path":"dot.gif"}'] }] };
    const run = await ask((_, index) => (index === 0 ? look : answer));
    const told = run.endpoint.requests[1]?.messages.at(-1)?.content;
    expect(told).toBe(
      "Read image 'dot.gif' (GIF, 1x1, 42 bytes).\n\n[Not delivered: image/gif, which cannot be sent here.]",
    );
    expect(run.responses[0]?.data).toMatchObject({ media: { mime_type: "image/gif" } });
  });

  it("sends a picture to a model that can see, below the tool's answer", async () => {
    const look: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path":"dot.gif"}'] }] };
    const run = await ask((_, index) => (index === 0 ? look : answer), { vision: true });
    const [told, shown] = run.endpoint.requests[1]?.messages.slice(-2) ?? [];
    expect(told).toMatchObject({ role: "tool", content: "Read image 'dot.gif' (GIF, 1x1, 42 bytes)." });
    const url = expect.stringMatching(/^data:image\/gif;base64,R0lGOD/u) as string;
    expect(shown).toMatchObject({
      role: "user",
      content: [{ type: "text" }, { type: "image_url", image_url: { url } }],
    });
  });

  it("tells the model at the next question what a person has undone", async () => {
    const { path } = fixture({ project: { "a.txt": "red\n" }, kept: {} });
    const edit = JSON.stringify({ path: "a.txt", old_string: "red", new_string: "blue" });
    const change: Reply = { calls: [{ id: "call_a", name: "Edit", pieces: [edit] }] };
    const endpoint = await startChatEndpoint(KEY, (_, index) => (index === 0 ? change : answer));
    onTestFinished(() => endpoint.close());
    const chosen = chooseModel({ baseUrl: endpoint.baseUrl, model: "test-model", apiKey: KEY });
    const project = openProject({ root: path("project"), history: path("kept"), writable: true });
    const conversation = project.converse({ chosen, maxSteps: 6 });
    await askIn(conversation, "Make it blue.", { approve: () => true });
    const { changeId = "" } = conversation.messages.at(-1)?.metadata?.calls?.call_a ?? {};
    expect((await project.history?.undo(changeId))?.status).toBe("success");
    conversation.undone(changeId);
    await askIn(conversation, "And now?");
    expect(endpoint.requests.at(-2)?.messages[0]?.content).not.toContain("undone");
    expect(endpoint.requests.at(-1)?.messages[0]?.content).toContain("The user has undone your change of a.txt.");
  });

  it("measures what the model would see, and leaves whole what fits", async () => {
    const names = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`${index}-${"x".repeat(230)}`, ""]));
    const list: Reply = { calls: [{ id: "call_a", name: "LS", pieces: ['{"path":"many","limit":200}'] }] };
    const run = await ask((_, index) => (index === 0 ? list : answer), { tree: { many: names } });
    expect(run.responses[0]).toMatchObject({ status: "success" });
    expect(run.endpoint.requests[1]?.messages.at(-1)?.content).toContain("190 entries");
  });

  it("tells the model of a call that is not JSON, and goes on", async () => {
    const broken: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path": '] }] };
    const run = await ask((_, index) => (index === 0 ? broken : answer));
    expect(run.chunks.some(({ type }) => type === "tool-input-error")).toBe(true);
    expect(run.ending).toBe("stop");
    const told = run.endpoint.requests[1]?.messages.at(-1);
    expect(told).toMatchObject({ role: "tool" });
  });

  it("tells the model of a tool that does not exist, and goes on", async () => {
    const unknown: Reply = { calls: [{ id: "call_a", name: "Write", pieces: ["{}"] }] };
    const run = await ask((_, index) => (index === 0 ? unknown : answer));
    const bad = run.chunks.find((chunk) => chunk.type === "tool-input-error");
    expect(bad?.errorText).toContain("Write");
    expect(run.ending).toBe("stop");
  });

  it("lets the tool itself refuse wrong parameters", async () => {
    const wrong: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path":"README.md","limit":"ten"}'] }] };
    const run = await ask((_, index) => (index === 0 ? wrong : answer));
    expect(run.responses[0]?.error?.code).toBe("INVALID_PARAM");
    expect(run.ending).toBe("stop");
  });

  // Rule: Steps are bounded; the last answer gets no tools.
  it("stops a model that never stops calling", async () => {
    const again: Reply = { calls: [{ id: "call_a", name: "LS", pieces: ["{}"] }] };
    const run = await ask(() => again, { maxSteps: 3 });
    expect(run.ending).toBe("tool-calls");
    expect(run.endpoint.requests).toHaveLength(3);
    expect(run.endpoint.requests.map(({ tools = [] }) => tools.length)).toEqual([4, 4, 0]);
  });

  it("reports an answer that was cut at the model's length limit", async () => {
    const run = await ask(() => ({ text: ["It is"], reason: "length" }));
    expect(run.ending).toBe("length");
  });

  // Rule: A wrong key is reported, the key is not shown.
  it("reports a wrong key without showing it", async () => {
    const run = await ask(() => answer, { key: "sk-wrong-77aa" });
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("answered 401");
    expect(run.errors[0]).toContain("Check the API key.");
    expect(JSON.stringify([run.chunks, run.conversation.messages])).not.toContain("sk-wrong-77aa");
  });

  it.each(["socket", "end"] as const)("reports a stream that breaks off (%s)", async (broken) => {
    const run = await ask(() => ({ text: ["It is "], broken }));
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("broke off");
  });

  it("reports an endpoint that is not there", async () => {
    const chosen = chooseModel({ baseUrl: "http://127.0.0.1:9/v1", model: "test-model" });
    const run = await askIn(openProject({ root: sources().root }).converse({ chosen, maxSteps: 2 }), "Hello?");
    expect(run.errors[0]).toContain("Cannot reach the model endpoint at 127.0.0.1:9");
  });

  it("closes the connection when it is stopped", async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 300);
    const run = await ask(() => ({ text: ["Well"], hangs: true }), { signal: controller.signal });
    expect(run.chunks.at(-1)?.type).toBe("abort");
    expect(run.errors).toEqual([]);
    await run.endpoint.clientLeft;
  });
});

describe("the choice of the model", () => {
  it("is the offline agent unless a model is named", () => {
    expect(chooseModel(modelSettingsFrom({}, { OPENAI_API_KEY: "sk-1" })).offline).toBe(true);
    const chosen = chooseModel(
      modelSettingsFrom({}, { PLAYGROUND_MODEL: "m", PLAYGROUND_BASE_URL: "http://127.0.0.1:1/v1" }),
    );
    expect(chosen).toMatchObject({ offline: false, label: "m at 127.0.0.1:1" });
  });

  it("gives OpenAI's key to OpenAI's endpoint only", () => {
    const environment = { OPENAI_API_KEY: "sk-1" };
    expect(modelSettingsFrom({ model: "m" }, environment).apiKey).toBe("sk-1");
    expect(modelSettingsFrom({ model: "m", baseUrl: "https://api.openai.com/v1" }, environment).apiKey).toBe("sk-1");
    expect(modelSettingsFrom({ model: "m", baseUrl: "http://127.0.0.1:1/v1" }, environment).apiKey).toBeUndefined();
    expect(
      modelSettingsFrom({ model: "m", baseUrl: "https://api.openai.com.evil.test/v1" }, environment).apiKey,
    ).toBeUndefined();
  });

  it.each([
    [{ baseUrl: "http://127.0.0.1:1/v1" }, "--base-url needs --model"],
    [{ baseUrl: "ftp://x", model: "m" }, "must be an http(s) URL"],
    [{ baseUrl: "nonsense", model: "m" }, "must be an http(s) URL"],
    [{ baseUrl: "http://user:pass@127.0.0.1/v1", model: "m" }, "must not hold a user or password"],
  ])("refuses %j", (settings, message) => {
    expect(() => chooseModel(settings)).toThrow(message);
  });
});
