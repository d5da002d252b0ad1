import { renderParts, type LineNumbers } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";
import { hostOf, type Host, type OpenHost } from "./host.ts";

/** All tools, as a host with the permission to write offers them. */
export const open: OpenHost = (root, second) => openWith("all", root, second);

/** The same, for a host that shows lines without or with their numbers. */
export function openWith(lineNumbers: LineNumbers, root: string, second?: string): Promise<Host> {
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
}
