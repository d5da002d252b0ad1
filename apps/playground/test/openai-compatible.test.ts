import { renderForModel } from "@fstools/protocol";
import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseModel, modelSettingsFrom } from "../src/agent/model.ts";
import { openProject } from "../src/project.ts";
import { startChatEndpoint, type ChatRequest, type Reply } from "./support/chat-endpoint.ts";
import { collect, type Run } from "./support/run.ts";

const KEY = "sk-test-3f8a1c";

const sources = () =>
  fixture({ "README.md": "# Title\n\nHello.\n", src: { "main.ts": "export const answer = 42;\n", "other.ts": "" } });

interface Options {
  readonly key?: string;
  readonly maxSteps?: number;
  readonly signal?: AbortSignal;
}

async function ask(script: (request: ChatRequest, index: number) => Reply, options: Options = {}) {
  const endpoint = await startChatEndpoint(KEY, script);
  onTestFinished(() => endpoint.close());
  const project = openProject({ root: sources().root });
  const run = await collect({
    chosen: chooseModel({ baseUrl: endpoint.baseUrl, model: "test-model", apiKey: options.key ?? KEY }),
    tools: project.toolsWith("standard"),
    truncate: project.createTruncator(),
    measure: project.createMeasure(),
    history: [],
    question: "What is the answer?",
    maxSteps: options.maxSteps ?? 6,
    signal: options.signal ?? new AbortController().signal,
  });
  return { ...run, endpoint };
}

const lookAround: Reply = {
  text: ["Let me ", "look."],
  calls: [
    { id: "call_a", name: "LS", pieces: ["{}"] },
    { id: "call_b", name: "Read", pieces: ['{"pa', 'th":"src/', 'main.ts"}'] },
  ],
};

const answer: Reply = { text: ["It is ", "42 (`src/main.ts:1`)."] };

const types = ({ events }: Run) => events.map((event) => event.type).filter((type, at, all) => type !== all[at - 1]);

describe("the agent with an OpenAI-compatible model", () => {
  it("runs streamed tool calls and answers", async () => {
    const run = await ask((_, index) => (index === 0 ? lookAround : answer));
    expect(types(run)).toEqual(["start", "step", "text", "call", "result", "step", "text", "finish"]);
    expect([...run.calls].sort()).toEqual(["LS {}", 'Read {"path":"src/main.ts"}']);
    for (const { response } of run.results) conformant(response);
    expect(run.answer).toBe("It is 42 (`src/main.ts:1`).");
    expect(run.finish).toMatchObject({ reason: "answered", steps: 2, keptOutBytes: 0 });
    expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("sends the tools' schemas, and their answers as renderForModel words them", async () => {
    const run = await ask((_, index) => (index === 0 ? lookAround : answer));
    const [first, second] = run.endpoint.requests;
    expect(first).toMatchObject({ model: "test-model", stream: true });
    expect(first?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(["LS", "Glob", "Grep", "Read"]);
    const sent = second?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(sent?.toSorted()).toEqual(run.results.map(({ response }) => renderForModel(response)).toSorted());
  });

  it("tells the model of a call that is not JSON, and goes on", async () => {
    const broken: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path": '] }] };
    const run = await ask((_, index) => (index === 0 ? broken : answer));
    expect(types(run)).toContain("bad-call");
    expect(run.finish.reason).toBe("answered");
    const told = run.endpoint.requests[1]?.messages.at(-1);
    expect(told).toMatchObject({ role: "tool" });
  });

  it("tells the model of a tool that does not exist, and goes on", async () => {
    const unknown: Reply = { calls: [{ id: "call_a", name: "Write", pieces: ["{}"] }] };
    const run = await ask((_, index) => (index === 0 ? unknown : answer));
    const bad = run.events.find((event) => event.type === "bad-call");
    expect(bad?.message).toContain("Write");
    expect(run.finish.reason).toBe("answered");
  });

  it("lets the tool itself refuse wrong parameters", async () => {
    const wrong: Reply = { calls: [{ id: "call_a", name: "Read", pieces: ['{"path":"README.md","limit":"ten"}'] }] };
    const run = await ask((_, index) => (index === 0 ? wrong : answer));
    expect(run.results[0]?.response.error?.code).toBe("INVALID_PARAM");
    expect(run.finish.reason).toBe("answered");
  });

  // Rule: Steps are bounded; the last answer gets no tools.
  it("stops a model that never stops calling", async () => {
    const again: Reply = { calls: [{ id: "call_a", name: "LS", pieces: ["{}"] }] };
    const run = await ask(() => again, { maxSteps: 3 });
    expect(run.finish).toMatchObject({ reason: "step-limit", steps: 3 });
    expect(run.endpoint.requests).toHaveLength(3);
    expect(run.endpoint.requests.map(({ tools = [] }) => tools.length)).toEqual([4, 4, 0]);
  });

  it("reports an answer that was cut at the model's length limit", async () => {
    const run = await ask(() => ({ text: ["It is"], reason: "length" }));
    expect(run.finish.reason).toBe("length");
  });

  // Rule: A wrong key is reported, the key is not shown.
  it("reports a wrong key without showing it", async () => {
    const run = await ask(() => answer, { key: "sk-wrong-77aa" });
    expect(run.finish.reason).toBe("failed");
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("answered 401");
    expect(run.errors[0]).toContain("Check the API key.");
    expect(JSON.stringify(run.events)).not.toContain("sk-wrong-77aa");
    expect(run.messages).toEqual([]);
  });

  it.each(["socket", "end"] as const)("reports a stream that breaks off (%s)", async (broken) => {
    const run = await ask(() => ({ text: ["It is "], broken }));
    expect(run.finish.reason).toBe("failed");
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]).toContain("broke off");
    expect(run.messages).toEqual([]);
  });

  it("reports an endpoint that is not there", async () => {
    const project = openProject({ root: sources().root });
    const run = await collect({
      chosen: chooseModel({ baseUrl: "http://127.0.0.1:9/v1", model: "test-model" }),
      tools: project.toolsWith("standard"),
      truncate: project.createTruncator(),
      measure: project.createMeasure(),
      history: [],
      question: "Hello?",
      maxSteps: 2,
      signal: new AbortController().signal,
    });
    expect(run.finish.reason).toBe("failed");
    expect(run.errors[0]).toContain("Cannot reach the model endpoint at 127.0.0.1:9");
  });

  it("closes the connection when it is stopped", async () => {
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 300);
    const run = await ask(() => ({ text: ["Well"], hangs: true }), { signal: controller.signal });
    expect(run.finish.reason).toBe("aborted");
    expect(run.errors).toEqual([]);
    await run.endpoint.clientLeft;
  });
});

describe("the choice of the model", () => {
  it("is the offline planner unless a model is named", () => {
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
