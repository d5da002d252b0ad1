import { createGlobTool } from "@fstools/glob";
import { createGrepTool } from "@fstools/grep";
import { createLsTool } from "@fstools/ls";
import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import type { ToolOptions } from "@fstools/sandbox";
import type { ToolName } from "./tool-names.ts";
import type { OwnToolOptions } from "./toolset.ts";

const FACTORIES: Readonly<Record<ToolName, (shared: ToolOptions, own: OwnToolOptions) => Tool>> = {
  LS: (shared) => createLsTool(shared),
  Glob: (shared, own) => createGlobTool({ ...own.glob, ...shared }),
  Grep: (shared, own) => createGrepTool({ ...own.grep, ...shared }),
  Read: (shared, own) => createReadTool({ ...own.read, ...shared }),
  read: (shared, own) => createOpencodeReadEnvelopeTool({ ...own.readOpencode, ...shared }),
};

/** Makes the tool of this name from what all tools share and what is its own. */
export function createTool(name: ToolName, shared: ToolOptions, own: OwnToolOptions): Tool {
  return FACTORIES[name](shared, own);
}
