import { defineTool, describeTool, type Tool } from "@fstools/protocol";
import {
  type ChangeOptions,
  createFileChanger,
  createFileVersions,
  expectedVersion,
  explainPathErrors,
  HOST_PARAMS,
  sandboxOf,
  stateOf,
  type ToolOptions,
} from "@fstools/sandbox";
import { WRITE_DESCRIPTION } from "./description.ts";
import { type WriteData, writeOutcome, writePathWords, type WriteStats } from "./format.ts";
import { writeAliases, type WriteParams, writeParams, type WriteInput } from "./params.ts";
import { planWrite } from "./plan.ts";

/** What a host may set. */
export type WriteToolOptions = ToolOptions &
  ChangeOptions & {
    /**
     * Whether an existing file is replaced only if it was read, or its version is named.
     * @default true
     */
    readonly requireRead?: boolean;
  };

const writeSpec = {
  name: "Write",
  description: WRITE_DESCRIPTION,
  get input() {
    return writeParams();
  },
  aliases: writeAliases,
  effect: "write",
  unadvertised: HOST_PARAMS,
} as const;

/** Write's name, description and parameters, without a project. */
export const writeDefinition = describeTool(writeSpec);

/**
 * Makes the Write tool, which creates and replaces whole files of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createWriteTool(options: WriteToolOptions): Tool<WriteParams, WriteData, WriteInput, WriteStats> {
  const sandbox = sandboxOf(options);
  const { versions = createFileVersions(), requireRead = true } = options;
  const changeFile = createFileChanger(sandbox, { ...options, versions });
  return defineTool({
    ...writeSpec,
    cwd: sandbox.cwd.relative,
    siblings: options.siblings,
    onInternalError: options.onInternalError,
    explain: explainPathErrors(writePathWords),
    run: async (params, call) => {
      const expected = expectedVersion(params);
      const { plan, written } = await changeFile(
        {
          tool: writeSpec.name,
          path: params.path,
          creates: true,
          reader: "Read",
          plan: (current) => planWrite(current, params, expected, { versions, requireRead }, call),
        },
        call,
      );
      const state = written === undefined ? plan.before : stateOf(written.version);
      return writeOutcome({ ...plan.report, written, state }, call);
    },
  });
}
