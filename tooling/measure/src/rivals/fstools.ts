import { renderParts } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";
import { hostOf, type OpenHost } from "./host.ts";

/** All tools, as a host with the permission to write offers them, showing lines with their numbers or without. */
const openWith =
  (lineNumbers: "all" | "none"): OpenHost =>
  async (root, second) => {
    const toolset = createToolset({
      ...(second === undefined ? { projectRoot: root } : { roots: [{ path: root }, { path: second }] }),
      tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write", "Patch", "Move", "Delete"],
      read: { media: ["image", "pdf"] },
      lineNumbers,
    });
    const tools = toolset.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.jsonSchema,
      run: async (params: object) =>
        renderParts(await toolset.truncate(tool.name, await tool.run(params)), { lineNumbers }),
    }));
    return Promise.resolve(hostOf(tools));
  };

export const open = openWith("all");
export const openBare = openWith("none");
