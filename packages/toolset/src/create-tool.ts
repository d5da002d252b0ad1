import { createEditTool } from "@fstools/edit";
import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import type { ToolOptions } from "@fstools/sandbox";
import { createWriteTool } from "@fstools/write";
import { definitionAmong } from "./definition-among.ts";
import type { ToolName } from "./tool-names.ts";
import type { OwnToolOptions } from "./toolset.ts";

const FACTORIES: Readonly<Record<ToolName, (shared: ToolOptions, own: OwnToolOptions) => Tool>> = {
  LS: (shared, own) => createLsTool({ ...own.ls, ...shared }),
  Glob: (shared, own) => createGlobTool({ ...own.glob, ...shared }),
  Grep: (shared, own) => createGrepTool({ ...own.grep, ...shared }),
  Read: (shared, own) => createReadTool({ ...own.read, ...shared }),
  Edit: (shared, own) => createEditTool({ ...own.edit, ...shared }),
  Write: (shared, own) => createWriteTool({ ...own.write, ...shared }),
  read: (shared, own) => createOpencodeReadEnvelopeTool({ ...own.readOpencode, ...shared }),
};

/** Makes the tool of this name from what all tools share and what is its own. */
export function createTool(name: ToolName, names: readonly ToolName[], shared: ToolOptions, own: OwnToolOptions): Tool {
  const tool = FACTORIES[name](shared, own);
  // Assigned, since a spread would make the JSON Schema at once.
  const calls: Pick<Tool, "run" | "call"> = {
    run: (params, options) => tool.run(params, options),
    call: (params, options) => tool.call(params, options),
  };
  return Object.assign(definitionAmong(tool, names), calls);
}
