export { editDefinition, createEditTool, type EditToolOptions } from "./tool.ts";
export type { EditStats, EditData } from "./format.ts";
export type { EditInput, EditParams } from "./params.ts";
