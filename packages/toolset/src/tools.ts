import { createDeleteTool, deleteDefinition, type DeleteToolOptions } from "@fstools/delete";
import { createEditTool, editDefinition, type EditToolOptions } from "@fstools/edit";
import { createGlobTool, globDefinition, type GlobOptions } from "@fstools/glob";
import { createGrepTool, grepDefinition, type GrepOptions } from "@fstools/grep";
import { createLsTool, lsDefinition, type LsOptions } from "@fstools/ls";
import { createMoveTool, moveDefinition, type MoveToolOptions } from "@fstools/move";
import { createPatchTool, patchDefinition, type PatchToolOptions } from "@fstools/patch";
import type { DescribedTool, Tool, ToolDefinition } from "@fstools/protocol";
import { createReadTool, readDefinition, type ReadToolOptions } from "@fstools/read";
import type { OpencodeReadOptions } from "@fstools/read-opencode";
import { createOpencodeReadEnvelopeTool, opencodeReadDefinition } from "@fstools/read-opencode";
import type { ChangeOptions, SandboxOptions, ToolOptions } from "@fstools/sandbox";
import { createWriteTool, writeDefinition, type WriteToolOptions } from "@fstools/write";

/** The tools that a toolset can hold: `read` is the opencode flavour of `Read`. */
export const TOOL_NAMES = ["LS", "Glob", "Grep", "Read", "read", "Edit", "Write", "Patch", "Move", "Delete"] as const;

/** One of {@link TOOL_NAMES}. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** What a toolset holds unless the host names other tools: those that only look, and `Read` rather than `read`. */
export const DEFAULT_TOOL_NAMES = ["LS", "Glob", "Grep", "Read"] as const satisfies readonly ToolName[];

/** A tool's own options, without what the toolset gives to all of them. */
type OwnOptions<Options> = Partial<Omit<Options, keyof SandboxOptions | keyof ToolOptions | "sandbox">>;

/** Each tool's own options, by the tool's name. */
export interface OwnToolOptions {
  readonly ls?: OwnOptions<LsOptions>;
  readonly glob?: OwnOptions<GlobOptions>;
  readonly grep?: OwnOptions<GrepOptions>;
  readonly read?: OwnOptions<ReadToolOptions>;
  readonly edit?: OwnOptions<EditToolOptions>;
  readonly write?: OwnOptions<WriteToolOptions>;
  readonly patch?: OwnOptions<PatchToolOptions>;
  readonly move?: OwnOptions<MoveToolOptions>;
  readonly delete?: OwnOptions<DeleteToolOptions>;
  /** For the tool `read`, the opencode flavour. */
  readonly readOpencode?: OwnOptions<OpencodeReadOptions>;
}

/** What the toolset gives to all its tools. */
type SharedOptions = ToolOptions & Pick<ChangeOptions, "confirm" | "afterChange" | "history">;

const TOOLS = {
  LS: { definition: lsDefinition, create: (shared, own) => createLsTool({ ...shared, ...own.ls }) },
  Glob: { definition: globDefinition, create: (shared, own) => createGlobTool({ ...shared, ...own.glob }) },
  Grep: { definition: grepDefinition, create: (shared, own) => createGrepTool({ ...shared, ...own.grep }) },
  Read: { definition: readDefinition, create: (shared, own) => createReadTool({ ...shared, ...own.read }) },
  read: {
    definition: opencodeReadDefinition,
    create: (shared, own) => createOpencodeReadEnvelopeTool({ ...shared, ...own.readOpencode }),
  },
  Edit: { definition: editDefinition, create: (shared, own) => createEditTool({ ...shared, ...own.edit }) },
  Write: { definition: writeDefinition, create: (shared, own) => createWriteTool({ ...shared, ...own.write }) },
  Patch: { definition: patchDefinition, create: (shared, own) => createPatchTool({ ...shared, ...own.patch }) },
  Move: { definition: moveDefinition, create: (shared, own) => createMoveTool({ ...shared, ...own.move }) },
  Delete: { definition: deleteDefinition, create: (shared, own) => createDeleteTool({ ...shared, ...own.delete }) },
} as const satisfies Record<
  ToolName,
  { readonly definition: DescribedTool; readonly create: (shared: SharedOptions, own: OwnToolOptions) => Tool }
>;

/** The tool of a name, with its own parameters and data. */
export type ToolNamed<Name extends ToolName> = ReturnType<(typeof TOOLS)[Name]["create"]>;

/** Those that change files; a host has to name them. */
export const WRITING_TOOL_NAMES: readonly ToolName[] = TOOL_NAMES.filter(
  (name) => TOOLS[name].definition.effect === "write",
);

/** Whether there is a tool of this name; case matters. */
export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}

/** Makes the tool of this name from what all tools share and what is its own. */
export function createTool(name: ToolName, shared: SharedOptions, own: OwnToolOptions): Tool {
  return TOOLS[name].create(shared, own);
}

/** What is known of tools without a project, each once; a description names no tool that is not among them. */
export function toolDefinitions(names: readonly ToolName[]): ToolDefinition[] {
  return [...new Set(names)].map((name) => TOOLS[name].definition.among(names));
}
