import type { ToolDefinition } from "@fstools/protocol";
import type { ToolName } from "./tool-names.ts";
import { createToolset } from "./toolset.ts";

/** What a model or a host knows of a tool before it is called. */
export type NamedDefinition = ToolDefinition & { readonly name: ToolName };

/** Describes tools without a project. */
export function toolDefinitions(names: readonly ToolName[]): NamedDefinition[] {
  const { tool } = createToolset({ projectRoot: "/", tools: names });
  return [...new Set(names)].flatMap((name) => {
    const found = tool(name);
    return found === undefined ? [] : [{ ...found, name }];
  });
}
