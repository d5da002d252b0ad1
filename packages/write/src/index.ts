export type { WriteStats, WriteData } from "./format.ts";
export type { WriteInput, WriteParams } from "./params.ts";
export { createWriteTool, writeDefinition, type WriteToolOptions } from "./tool.ts";
