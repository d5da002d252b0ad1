export { createReadTool, type ReadToolOptions } from "./tool.ts";
export type { ReadData } from "./data.ts";
export type { ReadInput } from "./params.ts";
