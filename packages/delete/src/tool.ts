import type { Tool } from "@fstools/protocol";
import {
  type ChangeOptions,
  createEntryChanger,
  createFileVersions,
  defineFileTool,
  type FoundEntry,
  type ToolOptions,
} from "@fstools/sandbox";
import { DELETE_DESCRIPTION } from "./description.ts";
import { type DeleteData, deleteOutcome, deletePathWords, notEmpty } from "./format.ts";
import { deleteAliases, type DeleteInput, type DeleteParams, deleteParams } from "./params.ts";

/** What a host may set. */
export type DeleteToolOptions = ToolOptions & ChangeOptions;

const deletion = defineFileTool({
  name: "Delete",
  title: "Delete",
  description: DELETE_DESCRIPTION,
  params: deleteParams,
  aliases: deleteAliases,
  effect: "write",
  words: deletePathWords,
});

/** Delete's name, description and parameters, without a project. */
export const deleteDefinition = deletion.definition;

/**
 * Makes the Delete tool, which removes files and directories of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createDeleteTool(options: DeleteToolOptions): Tool<DeleteParams, DeleteData, DeleteInput> {
  const { versions = createFileVersions() } = options;
  return deletion.create(options, (sandbox) => {
    const change = createEntryChanger(sandbox, { ...options, versions });
    return {
      run: async (params, call) => {
        const request = {
          tool: deletion.definition.name,
          operation: "delete",
          path: params.path,
          isDryRun: params.dry_run,
          words: deletePathWords,
          check: (entry: FoundEntry) => {
            if (entry.children > 0 && !params.recursive) throw notEmpty(params, entry);
          },
        } as const;
        return deleteOutcome(await change(request, call), params);
      },
    };
  });
}
