export type { PatchData, PatchStats } from "./format.ts";
export type { PatchInput, PatchParams } from "./params.ts";
export { createPatchTool, patchDefinition, type PatchToolOptions } from "./tool.ts";
