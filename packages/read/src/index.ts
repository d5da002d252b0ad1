export { createReadTool, type ReadToolOptions } from "./tool.ts";
export type { ReadData } from "./format.ts";
export type { ReadInput } from "./params.ts";
