import type { Tool } from "@fstools/protocol";
import { createEntryChanger, defineFileTool, entryChangeWords } from "@fstools/sandbox";
import type { ChangeOptions, FoundEntry, ToolOptions } from "@fstools/sandbox";
import { DELETE_DESCRIPTION } from "./description.ts";
import { type DeleteData, deleteOutcome, notEmpty } from "./format.ts";
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
  words: entryChangeWords,
});

/** Delete's name, description and parameters, without a project. */
export const deleteDefinition = deletion.definition;

/**
 * Makes the Delete tool, which removes files and directories of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createDeleteTool(options: DeleteToolOptions): Tool<DeleteParams, DeleteData, DeleteInput> {
  return deletion.create(options, (sandbox) => {
    const change = createEntryChanger(sandbox, options);
    return {
      run: async (params, call) => {
        const check = (entry: FoundEntry) => {
          if (entry.children > 0 && !params.recursive) throw notEmpty(params, entry);
        };
        const { path, dry_run: isDryRun } = params;
        const found = await change({ tool: "Delete", operation: "delete", path, isDryRun, check }, call);
        return deleteOutcome(found, params);
      },
    };
  });
}
