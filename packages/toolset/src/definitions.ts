import { editDefinition } from "@fstools/edit";
import { globDefinition } from "@fstools/glob";
import { grepDefinition } from "@fstools/grep";
import { lsDefinition } from "@fstools/ls";
import type { ToolDefinition } from "@fstools/protocol";
import { readDefinition } from "@fstools/read";
import { opencodeReadDefinition } from "@fstools/read-opencode";
import { writeDefinition } from "@fstools/write";
import { definitionAmong } from "./definition-among.ts";
import type { ToolName } from "./tool-names.ts";

const DEFINITIONS: Readonly<Record<ToolName, ToolDefinition>> = {
  LS: lsDefinition,
  Glob: globDefinition,
  Grep: grepDefinition,
  Read: readDefinition,
  Edit: editDefinition,
  Write: writeDefinition,
  read: opencodeReadDefinition,
};

/**
 * What a model or a host knows about these tools before they are called, each once; it needs no project. A description names
 * no tool that is not among them.
 */
export function toolDefinitions(names: readonly ToolName[]): ToolDefinition[] {
  return [...new Set(names)].map((name) => definitionAmong(DEFINITIONS[name], names));
}
