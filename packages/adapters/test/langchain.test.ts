import { conformant } from "@fstools/testing";
import { ToolMessage } from "@langchain/core/messages";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { describe, expect, it } from "vitest";
import { toLangChainTools } from "../src/langchain.ts";
import { projectTools, tightTruncate, waitingTool } from "./example-tools.ts";

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
    expect(message.content).toContain("   1 | one\n   2 | two");
    conformant<unknown>(message.artifact, "read");
  });

  it.each([
    ["a missing file", { path: "gone.txt" }, "gone.txt"],
    ["a wrong parameter", { path: "a.txt", start_lin: 2 }, "Did you mean 'start_line'?"],
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
    expect(await ls?.invoke({ path: "src" })).toContain("src/index.ts");
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
    expect((await invoke("LS", {}, { truncate: tightTruncate })).content).toContain("⚠️ 输出过大已截断");
  });
});
