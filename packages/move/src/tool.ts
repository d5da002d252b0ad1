import type { Tool } from "@fstools/protocol";
import { createEntryChanger, defineFileTool, entryChangeWords } from "@fstools/sandbox";
import type { ChangeOptions, ToolOptions } from "@fstools/sandbox";
import { MOVE_DESCRIPTION } from "./description.ts";
import { type MoveData, moveOutcome } from "./format.ts";
import { moveAliases, type MoveInput, type MoveParams, moveParams } from "./params.ts";

/** What a host may set. */
export type MoveToolOptions = ToolOptions & ChangeOptions;

const move = defineFileTool({
  name: "Move",
  title: "Move",
  description: MOVE_DESCRIPTION,
  params: moveParams,
  aliases: moveAliases,
  effect: "write",
  words: entryChangeWords,
});

/** Move's name, description and parameters, without a project. */
export const moveDefinition = move.definition;

/**
 * Makes the Move tool, which moves, renames and copies files and directories of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createMoveTool(options: MoveToolOptions): Tool<MoveParams, MoveData, MoveInput> {
  return move.create(options, (sandbox) => {
    const change = createEntryChanger(sandbox, options);
    return {
      run: async (params, call) => {
        const { from, to, copy, dry_run: isDryRun } = params;
        const request = { tool: "Move", operation: copy ? "copy" : "move", path: from, to, isDryRun } as const;
        return moveOutcome(await change(request, call), params);
      },
    };
  });
}
