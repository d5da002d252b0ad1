export { createReadTool, readDefinition, type ReadToolOptions } from "./tool.ts";
export type { ReadStats, ReadData } from "./format.ts";
export type { ReadInput, ReadParams } from "./params.ts";
