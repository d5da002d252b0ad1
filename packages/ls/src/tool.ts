import type { Tool } from "@fstools/protocol";
import { assertLimit, defineFileTool, type ToolOptions } from "@fstools/sandbox";
import { LS_DESCRIPTION } from "./description.ts";
import { lsOutcome, lsPathWords, type LsData, type LsStats } from "./format.ts";
import { listDirectory } from "./list.ts";
import { lsAliases, lsNotParameters, lsParams, type LsInput, type LsParams } from "./params.ts";

const ls = defineFileTool({
  name: "LS",
  title: "List directory",
  description: LS_DESCRIPTION,
  params: lsParams,
  aliases: lsAliases,
  notParameters: lsNotParameters,
  words: lsPathWords,
});

/** LS as a model sees it, without a project. */
export const lsDefinition = ls.definition;

/** What `createLsTool` takes. */
export type LsOptions = ToolOptions & {
  /** How long a listing may take. @default 5000 */
  readonly maxDurationMs?: number;
};

/**
 * Creates the LS tool, which lists one directory inside the project root.
 * @throws if `projectRoot` is not an existing directory, `workingDir` lies outside it, or `maxDurationMs` is not a number
 */
export function createLsTool(options: LsOptions): Tool<LsParams, LsData, LsInput, LsStats> {
  const { maxDurationMs = 5000 } = options;
  assertLimit("maxDurationMs", maxDurationMs);
  return ls.create(options, (sandbox) => ({
    run: async (params, call) => {
      const directory = await sandbox.resolveDirectory(params.path, {
        from: sandbox.cwd,
        orFrom: sandbox.root,
        call,
      });
      try {
        const listing = await listDirectory(sandbox, directory, params, { maxDurationMs, signal: call.signal });
        return lsOutcome({ listing, directory: directory.path.relative, params, maxDurationMs });
      } finally {
        directory.close();
      }
    },
  }));
}
