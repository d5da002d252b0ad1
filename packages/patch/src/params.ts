import { once, z } from "@fstools/protocol";
import { booleanParam, pathParam } from "@fstools/sandbox";

/** What a model may pass to Patch. */
export const patchParams = once(() =>
  z.strictObject({
    patch: pathParam("patch").describe("In the '*** Begin Patch' format, or a unified diff."),
    dry_run: booleanParam("dry_run").default(false).describe("Only show the diff."),
  }),
);

/** A checked call of Patch. */
export type PatchParams = z.output<ReturnType<typeof patchParams>>;

/** The parameters of Patch in code. */
export type PatchInput = z.input<ReturnType<typeof patchParams>>;

/** Names that models use for Patch's parameters, learned from other tools. */
export const patchAliases = { input: "patch", patch_text: "patch", diff: "patch" } as const;
