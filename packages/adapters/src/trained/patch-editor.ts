import { type AgentTools, type CallOptions, unpack } from "../agent-tool.ts";
import { answerCall } from "../model-answer.ts";

/** A change of one file, as OpenAI's models write it for their tool `apply_patch`. */
export interface PatchOperation {
  readonly type: "create_file" | "update_file" | "delete_file";
  readonly path: string;
  readonly diff?: string;
  readonly moveTo?: string | undefined;
}

/** What the model is told of an operation. */
export interface PatchResult {
  status: "completed" | "failed";
  output: string;
}

/** The `editor` of `applyPatchTool` of `@openai/agents`. */
export interface PatchEditor {
  createFile(operation: PatchOperation): Promise<PatchResult>;
  updateFile(operation: PatchOperation): Promise<PatchResult>;
  deleteFile(operation: PatchOperation): Promise<PatchResult>;
  /** What `openai.tools.applyPatch` of the AI SDK is given. */
  readonly execute: (
    call: { readonly operation: PatchOperation },
    context?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<PatchResult>;
}

/** Makes the editor behind `apply_patch` out of Patch of a toolset. @throws TypeError if the toolset has no Patch */
export function createPatchEditor(toolset: AgentTools): PatchEditor {
  const { tools } = unpack(toolset, {});
  if (!tools.some(({ name }) => name === "Patch")) {
    throw new TypeError("apply_patch is made of Patch, which is missing.");
  }
  const apply = (operation: PatchOperation) => applyOperation(toolset, operation);
  const execute: PatchEditor["execute"] = ({ operation }, context) =>
    applyOperation(toolset, operation, { signal: context?.abortSignal });
  return { createFile: apply, updateFile: apply, deleteFile: apply, execute };
}

/** Does what an operation asks for; never rejects. */
export async function applyOperation(
  tools: AgentTools,
  { type, path, diff = "", moveTo }: PatchOperation,
  options: CallOptions = {},
): Promise<PatchResult> {
  // A marker in a name or a diff would begin another file, which nobody approved.
  if (/[\n\r]/u.test(path + (moveTo ?? "")) || MARKER[type]?.test(diff) === true) {
    return { status: "failed", output: "An operation changes one file. Nothing was changed. Send one for each file." };
  }
  const move = moveTo === undefined ? [] : [`*** Move to: ${moveTo}`];
  const hunks = type === "delete_file" ? "" : diff.replace(/\r?\n$/u, "");
  // Below an "@@" a blank is the sign of a line; above it, it may stand in front of a marker.
  const above = type === "update_file" && hunks !== "" && !hunks.startsWith("@@") ? ["@@"] : [];
  const lines = [`*** ${TITLES[type]}: ${path}`, ...move, ...above, ...(hunks === "" ? [] : [hunks])];
  const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  const { text, failed } = await answerCall(tools, "Patch", { patch }, options);
  return { status: failed ? "failed" : "completed", output: text };
}

const MARKER = {
  create_file: /^\s*\*\*\* /mu,
  update_file: /^\*\*\* (?!End of File)/mu,
  delete_file: undefined,
};
const TITLES = { create_file: "Add File", update_file: "Update File", delete_file: "Delete File" };
