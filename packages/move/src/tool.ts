import type { Tool } from "@fstools/protocol";
import {
  type ChangeOptions,
  createEntryChanger,
  createFileVersions,
  defineFileTool,
  type ToolOptions,
} from "@fstools/sandbox";
import { MOVE_DESCRIPTION } from "./description.ts";
import { type MoveData, moveOutcome, movePathWords } from "./format.ts";
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
  words: movePathWords,
});

/** Move's name, description and parameters, without a project. */
export const moveDefinition = move.definition;

/**
 * Makes the Move tool, which moves, renames and copies files and directories of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createMoveTool(options: MoveToolOptions): Tool<MoveParams, MoveData, MoveInput> {
  const { versions = createFileVersions() } = options;
  return move.create(options, (sandbox) => {
    const change = createEntryChanger(sandbox, { ...options, versions });
    return {
      run: async (params, call) => {
        const { from, to, copy, dry_run: isDryRun } = params;
        const operation = copy ? "copy" : "move";
        const request = {
          tool: move.definition.name,
          operation,
          path: from,
          to,
          isDryRun,
          words: movePathWords,
        } as const;
        return moveOutcome(await change(request, call), params);
      },
    };
  });
}
