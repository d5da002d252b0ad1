export type { MoveData } from "./format.ts";
export type { MoveInput, MoveParams } from "./params.ts";
export { createMoveTool, moveDefinition, type MoveToolOptions } from "./tool.ts";
