export type { WriteData } from "./format.ts";
export type { WriteParams } from "./params.ts";
export { createWriteTool, writeDefinition, type WriteToolOptions } from "./tool.ts";
