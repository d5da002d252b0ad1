export type { LsData, LsEntry } from "./format.ts";
export type { LsParams } from "./params.ts";
export { createLsTool } from "./tool.ts";
