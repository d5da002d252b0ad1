export { editDefinition, createEditTool, type EditToolOptions } from "./tool.ts";
export type { EditData } from "./format.ts";
export type { EditParams } from "./params.ts";
