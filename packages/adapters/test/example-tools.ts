import { createTruncator, defineTool, ToolError } from "@fstools/protocol";
import { createLsTool } from "@fstools/ls";
import { createReadTool } from "@fstools/read";
import { fixture } from "@fstools/testing";
import { createToolset } from "@fstools/toolset";
import type { ToolSet } from "ai";
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

/** A PNG of one pixel, as bytes in base64. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The start of a PDF, in base64. */
export const PDF = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");

/** A toolset whose `read` attaches pictures: one that can be sent, one that is too wide, and a PDF. */
export function pictureTools() {
  const pixel = Buffer.from(PIXEL, "base64");
  const wide = Buffer.from(pixel);
  wide.writeUInt32BE(2001, 16);
  const { root } = fixture({ "a.png": pixel, "wide.png": wide, "a.pdf": Buffer.from(PDF, "base64") });
  return createToolset({ projectRoot: root, tools: ["read"], readOpencode: { attachments: true } });
}

/** Tools of an AI SDK provider, whose types fit `ToolSet` in a project without `exactOptionalPropertyTypes` only. */
export function providerTools(tools: object): ToolSet {
  if (isToolSet(tools)) return tools;
  throw new TypeError("Not a tool.");
}

function isToolSet(tools: object): tools is ToolSet {
  return Object.values(tools).every((tool: object) => "inputSchema" in tool);
}
