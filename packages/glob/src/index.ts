export type { GlobData } from "./format.ts";
export type { GlobParams } from "./params.ts";
export { createGlobTool, type GlobOptions } from "./tool.ts";
