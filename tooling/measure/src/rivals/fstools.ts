import { renderParts } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";
import { hostOf, type OpenHost } from "./host.ts";

/** All six tools, as a host with the permission to write offers them. */
export const open: OpenHost = (root) => {
  const toolset = createToolset({
    projectRoot: root,
    tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write"],
    read: { media: ["image", "pdf"] },
  });
  const tools = toolset.tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parameters: tool.jsonSchema,
    run: async (params: object) => renderParts(await toolset.truncate(tool.name, await tool.run(params))),
  }));
  return Promise.resolve(hostOf(tools));
};
