import { renderForModel } from "@fstools/protocol";
import { createToolset } from "@fstools/toolset";
import type { OpenHost } from "./host.ts";

/** All six tools, as a host with the permission to write offers them. */
export const open: OpenHost = (root) => {
  const toolset = createToolset({ projectRoot: root, tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write"] });
  return Promise.resolve({
    definitions: toolset.tools.map(({ name, description, jsonSchema }) => ({
      name,
      description,
      parameters: jsonSchema,
    })),
    call: async (name, params) => {
      const tool = toolset.tool(name);
      if (tool === undefined) throw new Error(`There is no tool '${name}'.`);
      return renderForModel(await toolset.truncate(name, await tool.run(params)));
    },
  });
};
