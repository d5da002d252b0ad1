import type { EditToolOptions } from "@fstools/edit";
import type { GlobOptions } from "@fstools/glob";
import type { GrepOptions } from "@fstools/grep";
import type { LsOptions } from "@fstools/ls";
import {
  createTruncator,
  type LineNumbers,
  type OnInternalError,
  type OnWarning,
  type OutputStore,
  renderForModel,
  type Tool,
  type Truncator,
} from "@fstools/protocol";
import type { ReadToolOptions } from "@fstools/read";
import type { OpencodeReadOptions } from "@fstools/read-opencode";
import {
  createFileVersions,
  createSandbox,
  type FileVersions,
  type Sandbox,
  type SandboxOptions,
  type ToolOptions,
} from "@fstools/sandbox";
import type { WriteToolOptions } from "@fstools/write";
import { createTool } from "./create-tool.ts";
import { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, type ToolName } from "./tool-names.ts";

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
  /** For the tool `read`, the opencode flavour. */
  readonly readOpencode?: OwnOptions<OpencodeReadOptions>;
}

/** What `createToolset` takes: the project, the tools, and each tool's own options. */
export type ToolsetOptions = (SandboxOptions | { readonly sandbox: Sandbox }) &
  OwnToolOptions & {
    /**
     * The tools, in the order in which the model sees them.
     * @default ["LS", "Glob", "Grep", "Read"]
     */
    readonly tools?: readonly ToolName[];
    /**
     * What the tools have seen and written of each file; pass one to share it between toolsets.
     * @default an empty memory
     */
    readonly versions?: FileVersions;
    /**
     * Keeps what did not fit into an answer that {@link Toolset.truncate} cut.
     * @default the rest is not kept
     */
    readonly store?: OutputStore;
    /**
     * Whether a model sees the lines of a file with their numbers; adapters that are given the toolset follow it.
     * @default "all"
     */
    readonly lineNumbers?: LineNumbers;
    /** Receives exceptions that became INTERNAL_ERROR. */
    readonly onInternalError?: OnInternalError;
    /** Is told once what a tool lacks on this machine, such as ripgrep. */
    readonly onWarning?: OnWarning;
  };

/** The tools of one project. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /** The tool of this name, if the toolset holds it; case matters. */
  readonly tool: (name: string) => Tool | undefined;
  readonly sandbox: Sandbox;
  /** Shortens an answer that is too long for a model; the host calls it once, before an answer goes to the model. */
  readonly truncate: Truncator;
  /** Whether a model sees the lines of a file with their numbers. */
  readonly lineNumbers: LineNumbers;
}

/**
 * Makes the tools of one project: they share a sandbox and a memory of files, and hints name
 * no tool that is not among them.
 * @throws Error if `projectRoot` is not an existing directory, `workingDir` lies outside it, or a tool is unknown
 */
export function createToolset(options: ToolsetOptions): Toolset {
  const names = toolNames(options.tools ?? DEFAULT_TOOL_NAMES);
  const { store, onInternalError, onWarning, versions = createFileVersions(), lineNumbers = "all" } = options;
  const sandbox = "sandbox" in options ? options.sandbox : createSandbox(options);
  const shared = {
    sandbox,
    siblings: names,
    versions,
    ...(onInternalError === undefined ? {} : { onInternalError }),
    ...(onWarning === undefined ? {} : { onWarning }),
  };
  const tools = names.map((name) => createTool(name, names, shared, options));
  return {
    tools,
    tool: (name) => tools.find((tool) => tool.name === name),
    sandbox,
    truncate: createTruncator({
      store,
      readTool: readerAmong(names),
      render: (response) => renderForModel(response, { lineNumbers }),
    }),
    lineNumbers,
  };
}

function toolNames(names: readonly string[]): ToolName[] {
  return [...new Set(names)].map((name) => {
    if (isToolName(name)) return name;
    throw new TypeError(`There is no tool '${name}'. Choose from ${TOOL_NAMES.join(", ")}.`);
  });
}

function readerAmong(names: readonly ToolName[]): "Read" | "read" | false {
  if (names.includes("Read")) return "Read";
  return names.includes("read") && "read";
}
