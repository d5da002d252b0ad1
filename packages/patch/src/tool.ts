import type { Tool } from "@fstools/protocol";
import { assertLimit, createChanger, createFileVersions, createPacer, defineFileTool } from "@fstools/sandbox";
import type { ChangeOptions, ToolOptions } from "@fstools/sandbox";
import { PATCH_DESCRIPTION } from "./description.ts";
import { type PatchData, patchOutcome, patchPathWords, type PatchStats } from "./format.ts";
import { patchAliases, type PatchInput, type PatchParams, patchParams } from "./params.ts";
import { parsePatch } from "./parse/parse.ts";
import { planPatch, targetsOf } from "./plan.ts";

/** What a host may set. */
export type PatchToolOptions = ToolOptions &
  ChangeOptions & {
    /**
     * The size of the largest file that is changed or made.
     * @default 16777216
     */
    readonly maxFileBytes?: number;
  };

const patch = defineFileTool({
  name: "Patch",
  title: "Patch files",
  description: PATCH_DESCRIPTION,
  params: patchParams,
  aliases: patchAliases,
  effect: "write",
  words: patchPathWords,
});

/** Patch's name, description and parameters, without a project. */
export const patchDefinition = patch.definition;

/**
 * Makes the Patch tool, which makes one change across files of one project, all or nothing.
 * @throws Error if `projectRoot` is not a directory, `workingDir` is not inside it, or a limit is unusable.
 */
export function createPatchTool(options: PatchToolOptions): Tool<PatchParams, PatchData, PatchInput, PatchStats> {
  const { versions = createFileVersions(), maxFileBytes = 16_777_216 } = options;
  assertLimit("maxFileBytes", maxFileBytes);
  const rules = { versions, maxFileBytes };
  return patch.create(options, (sandbox) => {
    const change = createChanger(sandbox, { ...options, versions });
    return {
      run: async (params, call) => {
        const parsed = await parsePatch(params.patch, createPacer(call.signal));
        const { plan, written } = await change(
          {
            tool: "Patch",
            targets: targetsOf(parsed.files, sandbox.cwd),
            plan: (current) => planPatch(current, { ...parsed, isDryRun: params.dry_run }, rules, call),
          },
          call,
        );
        return patchOutcome({ ...plan, written, params }, call);
      },
    };
  });
}
