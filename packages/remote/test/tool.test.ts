import { describeTool, ToolError, z } from "@fstools/protocol";
import { conformant } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { Channel } from "../src/channel.ts";
import { CallFailure, type Progress } from "../src/message.ts";
import { createRemoteTool } from "../src/tool.ts";

const definition = describeTool({
  name: "Write",
  description: "Writes.",
  input: z.strictObject({ path: z.string(), content: z.string(), expected_size_bytes: z.int().optional() }),
  effect: "write",
  unadvertised: ["expected_size_bytes"],
});

/** A tool whose calls end like this, and how often they were sent. */
function failing(end: (signal?: AbortSignal) => Promise<unknown>) {
  const sent: unknown[] = [];
  const channel: Channel = {
    isOpen: true,
    serverName: "fstools",
    request: (_method, params, { signal }) => {
      sent.push(params);
      return end(signal);
    },
    close: () => Promise.resolve(),
  };
  return {
    tool: createRemoteTool({ definition, category: "edit", nextTools: ["Write"] }, () => Promise.resolve(channel)),
    sent,
  };
}

// Rule: An Edit or Write is never sent twice; after a failure the answer says whether it may have happened.
describe("a tool that writes, over a connection that fails", () => {
  it.each<[Progress, string, string]>([
    ["not_sent", "The server cannot be reached.", "The Write did not happen."],
    ["refused", "The server refused the call.", "The Write did not happen."],
    ["lost", "The connection to the server was lost.", "The Write may have happened: look at the file"],
    ["invalid", "Why.", "The Write may have happened: look at the file"],
    ["closed", "Why.", "The Write did not happen. These tools cannot be used any more"],
  ])("that was %s: says whether it may have happened, and is not sent again", async (progress, message, hint) => {
    const { tool, sent } = failing(() => Promise.reject(new CallFailure(progress, "Why.")));
    const answer = conformant(await tool.run({ path: "a", content: "b" }));
    expect(answer).toMatchObject({ error: { code: "EXECUTION_ERROR", message }, context: { truncation_skip: true } });
    expect(answer.text).toContain(message === "Why." ? `Why. ${hint}` : `${message} Why. ${hint}`);
    expect(sent).toHaveLength(1);
  });

  it("takes a failure of an unknown kind for one that may have happened", async () => {
    const { tool } = failing(() => Promise.reject(new Error("Surprise.")));
    const answer = conformant(await tool.run({ path: "a", content: "b" }));
    expect(answer.text).toContain("The Write may have happened");
  });

  it("says so after an abort too", async () => {
    const abort = new AbortController();
    const { tool } = failing(
      (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(new Error("aborted"));
          });
          abort.abort();
        }),
    );
    const answer = conformant(await tool.run({ path: "a", content: "b" }, { signal: abort.signal }));
    expect(answer.text).toBe(
      "Aborted by the caller. The Write may have happened: look at the file before you repeat it.",
    );
  });

  it("says nothing of the kind after an abort that came before", async () => {
    const { tool, sent } = failing(() => Promise.reject(new CallFailure("lost", "")));
    // Whatever the reason is, it is the caller's own.
    const signal = AbortSignal.abort(new ToolError("CONFLICT", "mine", { hint: "None." }));
    const answer = conformant(await tool.run({ path: "a", content: "b" }, { signal }));
    expect(answer.text).toBe("Aborted by the caller. Repeat the call if its result is still needed.");
    expect(sent).toEqual([]);
  });

  it("keeps a long content out of its answer, not out of the call", async () => {
    const { tool, sent } = failing(() => Promise.reject(new CallFailure("lost", "")));
    const content = "x".repeat(5000);
    const answer = await tool.run({ path: "a", content });
    expect(sent).toEqual([{ name: "Write", arguments: { path: "a", content } }]);
    expect(answer.context.params_input).toEqual({ path: "a", content: { truncated: true, bytes: 5000 } });
  });

  it("sends the caller's trace along", async () => {
    const { tool, sent } = failing(() => Promise.reject(new CallFailure("lost", "")));
    await tool.run({ path: "a", content: "" }, { traceparent: "00-1-2-01" });
    expect(sent).toMatchObject([{ _meta: { traceparent: "00-1-2-01" } }]);
  });

  it("does not send what is too large, or not an object", async () => {
    const { tool, sent } = failing(() => Promise.reject(new CallFailure("lost", "")));
    for (const params of [7, ["a"], "text", { content: "x".repeat(65 * 1024 * 1024) }]) {
      expect(conformant(await tool.run(params))).toMatchObject({
        error: { code: "INVALID_PARAM" },
        context: { truncation_skip: true },
      });
    }
    expect((await tool.run(7)).text).toBe(
      "Parameters must be an object. Pass a JSON object. Known parameters: path, content.",
    );
    expect(sent).toEqual([]);
  });
});
