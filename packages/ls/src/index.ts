export type { LsStats, LsData, LsEntry } from "./format.ts";
export type { LsInput, LsParams } from "./params.ts";
export { createLsTool, lsDefinition, type LsOptions } from "./tool.ts";
