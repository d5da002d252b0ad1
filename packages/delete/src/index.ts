export type { DeleteData } from "./format.ts";
export type { DeleteInput, DeleteParams } from "./params.ts";
export { createDeleteTool, deleteDefinition, type DeleteToolOptions } from "./tool.ts";
