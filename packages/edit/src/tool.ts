import { defineTool, describeTool, isToolError, type Tool, ToolError, type ToolCall } from "@fstools/protocol";
import {
  type ChangeOptions,
  createFileChanger,
  createFileVersions,
  expectedVersion,
  explainPathErrors,
  HOST_PARAMS,
  SandboxError,
  sandboxOf,
  stateOf,
  type ToolOptions,
} from "@fstools/sandbox";
import { EDIT_DESCRIPTION } from "./description.ts";
import { type EditData, editOutcome, editPathWords, type EditStats } from "./format.ts";
import { editAliases, type EditParams, editParams, type EditInput } from "./params.ts";
import { editsOf } from "./edits.ts";
import { planEdits } from "./plan.ts";

/** What a host may set. */
export type EditToolOptions = ToolOptions &
  ChangeOptions & {
    /**
     * Whether a file must have been read, or its version be named, before it is edited.
     * @default false
     */
    readonly requireRead?: boolean;
    /**
     * The size of the largest file that is edited.
     * @default 16777216
     */
    readonly maxFileBytes?: number;
  };

const editSpec = {
  name: "Edit",
  description: EDIT_DESCRIPTION,
  get input() {
    return editParams();
  },
  aliases: editAliases,
  effect: "write",
  unadvertised: [...HOST_PARAMS, "insert_line"],
} as const;

/** Edit's name, description and parameters, without a project. */
export const editDefinition = describeTool(editSpec);

/**
 * Makes the Edit tool, which replaces text in existing files of one project.
 * @throws Error if `projectRoot` is not a directory, `workingDir` is not inside it, or a limit is unusable.
 */
export function createEditTool(options: EditToolOptions): Tool<EditParams, EditData, EditInput, EditStats> {
  const sandbox = sandboxOf(options);
  const { versions = createFileVersions(), requireRead = false, maxFileBytes = 16_777_216 } = options;
  if (!Number.isSafeInteger(maxFileBytes) || maxFileBytes < 1) {
    throw new RangeError(`maxFileBytes must be a positive integer, but is ${String(maxFileBytes)}.`);
  }
  const rules = { versions, requireRead, maxFileBytes };
  const changeFile = createFileChanger(sandbox, { ...options, versions });
  const explainPath = explainPathErrors(editPathWords);
  return defineTool({
    ...editSpec,
    cwd: sandbox.cwd.relative,
    siblings: options.siblings,
    onInternalError: options.onInternalError,
    explain: (error, input, call) => namingWrite(error, explainPath(error, input, call), call),
    run: async (params, call) => {
      const request = { params, edits: editsOf(params), expected: expectedVersion(params) };
      const { plan, written } = await changeFile(
        {
          tool: editSpec.name,
          path: params.path,
          orFrom: sandbox.cwd,
          creates: false,
          reader: "Read",
          plan: (current) => planEdits(current, request, rules, call),
        },
        call,
      );
      const state = written === undefined ? plan.before : stateOf(written.version);
      return editOutcome({ ...plan.report, written, state, given: params }, call);
    },
  });
}

/** A caller that edits a file which does not exist may want to create it. */
function namingWrite(error: unknown, explained: unknown, call: ToolCall): unknown {
  const isMissing = error instanceof SandboxError && error.reason === "missing";
  if (!isMissing || !isToolError(explained) || !call.has("Write")) return explained;
  const { code, message, hint, suggestions } = explained;
  return new ToolError(code, message, { hint: `${hint} To create it, use Write.`, suggestions, cause: error });
}
