import { createTruncator } from "@fstools/protocol";
import { conformant } from "@fstools/testing";
import { generateText, simulateReadableStream, stepCountIs, streamText, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, expectTypeOf, it } from "vitest";
import { toAiSdkTools } from "../src/ai-sdk.ts";
import { containing, projectTools, tightTruncate, waitingTool, writingTool } from "./example-tools.ts";

type Reply = Extract<
  NonNullable<ConstructorParameters<typeof MockLanguageModelV3>[0]>["doGenerate"],
  { content: unknown }
>;

const usage: Reply["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function calls(toolName: string, input: object): Reply {
  return {
    content: [{ type: "tool-call", toolCallId: "call-1", toolName, input: JSON.stringify(input) }],
    finishReason: { unified: "tool-calls", raw: undefined },
    usage,
    warnings: [],
  };
}

const done: Reply = {
  content: [{ type: "text", text: "Done." }],
  finishReason: { unified: "stop", raw: undefined },
  usage,
  warnings: [],
};

/** What the model sees of the tool's answer in its second call. */
function toolOutputs(model: MockLanguageModelV3) {
  return (model.doGenerateCalls[1]?.prompt ?? []).flatMap(({ role, content }) =>
    role === "tool" ? content.flatMap((part) => (part.type === "tool-result" ? [part.output] : [])) : [],
  );
}

async function converse(reply: Reply, tools: ToolSet) {
  const model = new MockLanguageModelV3({ doGenerate: [reply, done] });
  const result = await generateText({ model, tools, prompt: "Look.", stopWhen: stepCountIs(3) });
  return { model, result };
}

describe("toAiSdkTools", () => {
  it("fits the SDK's own type", () => {
    expectTypeOf(toAiSdkTools([])).toExtend<ToolSet>();
  });

  // Rule: The model sees the JSON Schema of the tool, unchanged unless strict.
  it("shows the model the tool's JSON Schema, as it is", async () => {
    const [ls, read] = projectTools();
    const { model } = await converse(done, toAiSdkTools([ls, read]));
    const shown = model.doGenerateCalls[0]?.tools?.map((tool) => (tool.type === "function" ? tool : undefined));
    expect(shown?.map((tool) => tool?.name)).toEqual(["LS", "Read"]);
    expect(shown?.[0]?.inputSchema).toEqual(ls.jsonSchema);
    expect(shown?.[1]?.description).toBe(read.description);
  });

  it("has a title for people", () => {
    expect(Object.values(toAiSdkTools(projectTools())).map(({ title }) => title)).toEqual([
      "List directory",
      "Read file",
    ]);
    expect(toAiSdkTools([waitingTool().tool]).Wait).not.toHaveProperty("title");
  });

  // Rule: What the model gets is `renderForModel` of the answer, in every SDK.
  it("gives the model the rendered text and the host the envelope", async () => {
    const { model, result } = await converse(calls("Read", { path: "a.txt" }), toAiSdkTools(projectTools()));
    const [output] = toolOutputs(model);
    expect(output?.type).toBe("text");
    expect(output).toHaveProperty("value", containing("two\n"));
    const [toolResult] = result.steps[0]?.toolResults ?? [];
    conformant(toolResult?.output, "read");
    expect(result.text).toBe("Done.");
  });

  // Rule: A failed call is marked in the SDK's own way.
  it("marks a failed call as an error, with the tool's own advice", async () => {
    const { model } = await converse(calls("Read", { pth: "a.txt" }), toAiSdkTools(projectTools()));
    expect(toolOutputs(model)).toEqual([
      { type: "error-text", value: containing("Missing required parameter 'path'.") },
    ]);
  });

  it("takes null for an optional parameter, as strict models send it", async () => {
    const tools = toAiSdkTools(projectTools());
    const { model } = await converse(calls("Read", { path: "a.txt", limit: null, start_line: null }), tools);
    expect(toolOutputs(model)).toEqual([{ type: "text", value: "1\tone\n2\ttwo\n" }]);
  });

  // Rule: Works in the real loops of the SDKs.
  it("runs in streamText too", async () => {
    const stream = (chunks: Awaited<ReturnType<MockLanguageModelV3["doStream"]>>["stream"]) => ({ stream: chunks });
    const model = new MockLanguageModelV3({
      doStream: [
        stream(
          simulateReadableStream({
            chunks: [
              { type: "stream-start", warnings: [] },
              { type: "tool-call", toolCallId: "call-1", toolName: "LS", input: "{}" },
              { type: "finish", finishReason: { unified: "tool-calls", raw: undefined }, usage },
            ],
          }),
        ),
        stream(
          simulateReadableStream({
            chunks: [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: "Done." },
              { type: "text-end", id: "1" },
              { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage },
            ],
          }),
        ),
      ],
    });
    const result = streamText({ model, tools: toAiSdkTools(projectTools()), prompt: "?", stopWhen: stepCountIs(3) });
    await result.consumeStream();
    expect(await result.text).toBe("Done.");
    const second = JSON.stringify(model.doStreamCalls[1]?.prompt);
    expect(second).toContain("a.txt");
    expect(second).toContain("src/");
  });

  it("waits for approval before a tool that writes, and goes on after it", async () => {
    const { tool, calls: saved } = writingTool();
    const tools = toAiSdkTools([tool]);
    const { result } = await converse(calls("Save", {}), tools);
    expect(saved).toEqual([]);
    const request = result.content.find((part) => part.type === "tool-approval-request");
    if (request === undefined) throw new Error("No approval was asked for.");
    const approval = { type: "tool-approval-response" as const, approvalId: request.approvalId, approved: true };
    const model = new MockLanguageModelV3({ doGenerate: [done] });
    const messages = [
      { role: "user" as const, content: "Save." },
      ...result.response.messages,
      { role: "tool" as const, content: [approval] },
    ];
    expect((await generateText({ model, tools, messages })).text).toBe("Done.");
    expect(saved).toHaveLength(1);
  });

  it.each([
    ["for a dry run", { dry_run: true }, {}],
    ["where the host says so", {}, { approval: false }],
  ])("does not wait %s", async (_case, input, options) => {
    const { tool, calls: saved } = writingTool();
    const { result } = await converse(calls("Save", input), toAiSdkTools([tool], options));
    expect(result.text).toBe("Done.");
    expect(saved).toHaveLength(1);
  });

  it("renders an envelope that comes without a wrapper, as Mastra hands it over", async () => {
    const { result } = await converse(calls("LS", {}), toAiSdkTools(projectTools()));
    const envelope: unknown = result.steps[0]?.toolResults[0]?.output;
    const { toModelOutput } = toAiSdkTools(projectTools()).LS ?? {};
    expect(await toModelOutput?.(envelope as never)).toMatchObject({ type: "text", value: containing("a.txt") });
  });

  // Rule: The abort signal reaches the tool.
  it("passes the abort signal on", async () => {
    const { tool, started, stopped } = waitingTool();
    const abort = new AbortController();
    const model = new MockLanguageModelV3({ doGenerate: [calls("Wait", {}), done] });
    const running = generateText({
      model,
      tools: toAiSdkTools([tool]),
      prompt: "Wait.",
      stopWhen: stepCountIs(3),
      abortSignal: abort.signal,
    }).catch(() => undefined);
    await started;
    abort.abort(new Error("enough"));
    await running;
    expect(stopped).toEqual([new Error("enough")]);
  });

  it("shortens answers with the truncator that it is given", async () => {
    const tools = toAiSdkTools(projectTools(), { truncate: tightTruncate });
    const { model } = await converse(calls("LS", {}), tools);
    expect(toolOutputs(model)).toEqual([{ type: "text", value: containing("[Output too large: ") }]);
    const roomy = await converse(calls("LS", {}), toAiSdkTools(projectTools(), { truncate: createTruncator() }));
    expect(toolOutputs(roomy.model)).toEqual([{ type: "text", value: containing("a.txt") }]);
  });
});
