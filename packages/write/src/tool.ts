import type { Tool } from "@fstools/protocol";
import {
  createFileChanger,
  createFileVersions,
  defineFileTool,
  expectedVersion,
  HOST_PARAMS,
  stateOf,
} from "@fstools/sandbox";
import type { ChangeOptions, ToolOptions } from "@fstools/sandbox";
import { writeDescription } from "./description.ts";
import { type WriteData, writeOutcome, writePathWords, type WriteStats } from "./format.ts";
import { writeAliases, type WriteParams, writeParams, type WriteInput } from "./params.ts";
import { planWrite } from "./plan.ts";

/** What a host may set. */
export type WriteToolOptions = ToolOptions &
  ChangeOptions & {
    /** Whether an existing file is replaced only if it was read, or its version is named. @default true */
    readonly requireRead?: boolean;
  };

const write = defineFileTool({
  name: "Write",
  title: "Write file",
  description: writeDescription,
  params: writeParams,
  aliases: writeAliases,
  effect: "write",
  unadvertised: HOST_PARAMS,
  words: writePathWords,
});

/** Write's name, description and parameters, without a project. */
export const writeDefinition = write.definition;

/**
 * Makes the Write tool, which creates and replaces whole files of one project.
 * @throws Error if `projectRoot` is not a directory or `workingDir` is not inside it
 */
export function createWriteTool(options: WriteToolOptions): Tool<WriteParams, WriteData, WriteInput, WriteStats> {
  const { versions = createFileVersions(), requireRead = true } = options;
  return write.create(options, (sandbox) => {
    const changeFile = createFileChanger(sandbox, { ...options, versions });
    return {
      run: async (params, call) => {
        const expected = expectedVersion(params);
        const { plan, written } = await changeFile(
          {
            tool: write.definition.name,
            path: params.path,
            creates: true,
            plan: (current) => planWrite(current, params, expected, { versions, requireRead }, call),
          },
          call,
        );
        const state = written?.version === undefined ? plan.before : stateOf(written.version);
        return writeOutcome({ ...plan.report, written, state }, call);
      },
    };
  });
}
