import { createTruncator, defineTool, ToolError } from "@fstools/protocol";
import { createLsTool } from "@fstools/ls";
import { createReadTool } from "@fstools/read";
import { fixture } from "@fstools/testing";
import { expect } from "vitest";
import { z } from "zod";

/** The real LS and Read on a small real project. */
export function projectTools() {
  const { root } = fixture({ "a.txt": "one\ntwo\n", src: { "index.ts": "export {};\n" } });
  return [createLsTool({ projectRoot: root }), createReadTool({ projectRoot: root })] as const;
}

/** A tool that works until it is stopped, and knows how long that took. */
export function waitingTool() {
  const stopped: unknown[] = [];
  let tellStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    tellStarted = resolve;
  });
  const tool = defineTool({
    name: "Wait",
    description: "Waits until it is stopped.",
    input: z.strictObject({}),
    run: async (_input, { signal }) => {
      tellStarted();
      await new Promise((resolve) => {
        signal.addEventListener("abort", resolve, { once: true });
      });
      stopped.push(signal.reason);
      throw new ToolError("EXECUTION_ERROR", "Stopped.", { hint: "Do not wait again." });
    },
  });
  return { tool, started, stopped };
}

/** Cuts nearly everything. */
export const tightTruncate = createTruncator({ maxLines: 3, maxBytes: 60 });

/** Any string with this in it. */
export function containing(text: string): unknown {
  return expect.stringContaining(text);
}

/** A tool that writes, in so far as it counts what it was asked to do. */
export function writingTool() {
  const calls: unknown[] = [];
  const tool = defineTool({
    name: "Save",
    description: "Saves.",
    input: z.strictObject({ dry_run: z.boolean().default(false) }),
    run: (input) => {
      calls.push(input);
      return Promise.resolve({ data: {}, summary: () => ["Saved."] });
    },
  });
  return { tool: { ...tool, effect: "write" as const }, calls };
}
