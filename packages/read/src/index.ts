export { createReadTool, readDefinition, type ReadToolOptions } from "./tool.ts";
export type { ReadData } from "./format.ts";
export type { ReadParams } from "./params.ts";
