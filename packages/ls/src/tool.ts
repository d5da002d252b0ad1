import { defineTool, type Tool } from "@fstools/protocol";
import { explainPathErrors, sandboxOf, type ToolOptions } from "@fstools/sandbox";
import { LS_DESCRIPTION } from "./description.ts";
import { lsOutcome, type LsData } from "./format.ts";
import { listDirectory } from "./list.ts";
import { lsAliases, lsParams, type LsParams } from "./params.ts";
import { lsPathWords } from "./path-words.ts";

/**
 * Creates the LS tool, which lists one directory inside the project root.
 * @throws if `projectRoot` is not an existing directory or `workingDir` lies outside it
 */
export function createLsTool(options: ToolOptions): Tool<LsParams, LsData> {
  const sandbox = sandboxOf(options);
  return defineTool({
    name: "LS",
    description: LS_DESCRIPTION,
    input: lsParams,
    aliases: lsAliases,
    cwd: sandbox.cwd.relative,
    onInternalError: options.onInternalError,
    siblings: options.siblings,
    explain: explainPathErrors(lsPathWords),
    async run(params, call) {
      const directory = await sandbox.resolve(params.path, { from: sandbox.cwd, orFrom: sandbox.root });
      call.note({ path_resolved: directory.relative });
      const listing = await listDirectory(sandbox, directory, params, call.signal);
      return lsOutcome(listing, directory.relative, params);
    },
  });
}
