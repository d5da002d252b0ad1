export type { GlobStats, GlobData } from "./format.ts";
export type { GlobInput, GlobParams } from "./params.ts";
export { createGlobTool, globDefinition, type GlobOptions } from "./tool.ts";
