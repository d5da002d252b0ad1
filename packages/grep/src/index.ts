export type { GrepData } from "./format.ts";
export type { GrepMatch } from "./page.ts";
export type { GrepParams } from "./params.ts";
export { createGrepTool, grepDefinition, type GrepOptions } from "./tool.ts";
