import type { Tool } from "@fstools/protocol";
import { createFileChanger, createFileVersions, defineFileTool } from "@fstools/sandbox";
import { expectedVersion, HOST_PARAMS, stateOf } from "@fstools/sandbox";
import type { ChangeOptions, ToolOptions } from "@fstools/sandbox";
import { editDescription } from "./description.ts";
import { type EditData, editOutcome, editPathWords, type EditStats } from "./format.ts";
import { editAliases, type EditParams, editParams, type EditInput } from "./params.ts";
import { editsOf, planEdits } from "./plan.ts";

/** What a host may set. */
export type EditToolOptions = ToolOptions &
  ChangeOptions & {
    /** Whether a file must have been read, or its version be named, before it is edited. @default false */
    readonly requireRead?: boolean;
    /** The size of the largest file that is edited. @default 16777216 */
    readonly maxFileBytes?: number;
  };

const edit = defineFileTool({
  name: "Edit",
  title: "Edit file",
  description: editDescription,
  params: editParams,
  aliases: editAliases,
  effect: "write",
  unadvertised: [...HOST_PARAMS, "insert_line"],
  words: editPathWords,
});

/** Edit's name, description and parameters, without a project. */
export const editDefinition = edit.definition;

/**
 * Makes the Edit tool, which replaces text in existing files of one project.
 * @throws Error if `projectRoot` is not a directory, `workingDir` is not inside it, or a limit is unusable.
 */
export function createEditTool(options: EditToolOptions): Tool<EditParams, EditData, EditInput, EditStats> {
  const { versions = createFileVersions(), requireRead = false, maxFileBytes = 16_777_216 } = options;
  if (!Number.isSafeInteger(maxFileBytes) || maxFileBytes < 1) {
    throw new RangeError(`maxFileBytes must be a positive integer, but is ${String(maxFileBytes)}.`);
  }
  const rules = { versions, requireRead, maxFileBytes };
  return edit.create(options, (sandbox) => {
    const changeFile = createFileChanger(sandbox, { ...options, versions });
    return {
      run: async (params, call) => {
        const request = { params, edits: editsOf(params), expected: expectedVersion(params) };
        const { plan, written } = await changeFile(
          {
            tool: edit.definition.name,
            path: params.path,
            orFrom: sandbox.cwd,
            creates: false,
            plan: (current) => planEdits(current, request, rules, call),
          },
          call,
        );
        const state = written?.version === undefined ? plan.before : stateOf(written.version);
        return editOutcome({ ...plan.report, written, state, given: params }, call);
      },
    };
  });
}
