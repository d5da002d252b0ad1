import { createGlobTool, type GlobOptions } from "@fstools/glob";
import { createLsTool } from "@fstools/ls";
import { createTruncator, type OnInternalError, type OutputStore, type Tool, type Truncator } from "@fstools/protocol";
import { createReadTool, type ReadToolOptions } from "@fstools/read";
import { createOpencodeReadEnvelopeTool, type OpencodeReadOptions } from "@fstools/read-opencode";
import { createSandbox, type Sandbox, type SandboxOptions, type ToolOptions } from "@fstools/sandbox";
import { DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES, type ToolName } from "./tool-names.ts";

/** A tool's own options, without what the toolset gives to all of them. */
type OwnOptions<Options> = Partial<Omit<Options, keyof ToolOptions>>;

/** What `createToolset` takes: the project, the tools, and each tool's own options. */
export interface ToolsetOptions extends SandboxOptions {
  /**
   * The tools, in the order in which the model sees them.
   * @default ["LS", "Glob", "Read"]
   */
  readonly tools?: readonly ToolName[];
  /**
   * Keeps what did not fit into an answer that {@link Toolset.truncate} cut.
   * @default the rest is not kept
   */
  readonly store?: OutputStore;
  /** Told about exceptions that became INTERNAL_ERROR. */
  readonly onInternalError?: OnInternalError;
  readonly glob?: OwnOptions<GlobOptions>;
  readonly read?: OwnOptions<ReadToolOptions>;
  /** Options of the tool `read`, the opencode flavour. */
  readonly readOpencode?: OwnOptions<OpencodeReadOptions>;
}

/** The tools of one project. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /** The tool of this name, if the toolset holds it; case matters. */
  readonly tool: (name: string) => Tool | undefined;
  readonly sandbox: Sandbox;
  /** Shortens an answer that is too long for a model; whoever hands answers to the model calls it once. */
  readonly truncate: Truncator;
}

/**
 * Makes the tools of one project.
 * @throws Error if `projectRoot` is not an existing directory, `workingDir` lies outside it, or a tool is unknown
 */
export function createToolset(options: ToolsetOptions): Toolset {
  const names = toolNames(options.tools ?? DEFAULT_TOOL_NAMES);
  const { projectRoot, workingDir, deny, onInternalError, store } = options;
  const project = {
    projectRoot,
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(deny === undefined ? {} : { deny }),
  };
  const shared = { ...project, ...(onInternalError === undefined ? {} : { onInternalError }) };
  const create: Readonly<Record<ToolName, () => Tool>> = {
    LS: () => createLsTool(shared),
    Glob: () => createGlobTool({ ...options.glob, ...shared }),
    Read: () => createReadTool({ ...options.read, ...shared }),
    read: () => createOpencodeReadEnvelopeTool({ ...options.readOpencode, ...shared }),
  };
  const tools = names.map((name) => create[name]());
  return {
    tools,
    tool: (name) => tools.find((tool) => tool.name === name),
    sandbox: createSandbox(project),
    truncate: createTruncator({ store }),
  };
}

function toolNames(names: readonly string[]): ToolName[] {
  return [...new Set(names)].map((name) => {
    if (isToolName(name)) return name;
    throw new TypeError(`There is no tool '${name}'. Choose from ${TOOL_NAMES.join(", ")}.`);
  });
}
