export type { GrepStats, GrepData } from "./format.ts";
export type { GrepMatch } from "./page.ts";
export type { GrepInput, GrepParams } from "./params.ts";
export { createGrepTool, grepDefinition, type GrepOptions } from "./tool.ts";
