import {
  createTruncator,
  type LineNumbers,
  type OnInternalError,
  type OnWarning,
  type OutputStore,
  renderForModel,
  type RunOptions,
  type Tool,
  type ToolResponse,
  type Truncator,
} from "@fstools/protocol";
import {
  createFileVersions,
  createSandbox,
  type ChangeOptions,
  type FileVersions,
  type Sandbox,
  type SandboxOptions,
} from "@fstools/sandbox";
import { tracingChannel } from "node:diagnostics_channel";
import {
  createTool,
  DEFAULT_TOOL_NAMES,
  isToolName,
  type OwnToolOptions,
  TOOL_NAMES,
  type ToolName,
  type ToolNamed,
} from "./tools.ts";

/** What `createToolset` takes: the project, the tools, and each tool's own options. */
export type ToolsetOptions<Names extends readonly ToolName[] = readonly ToolName[]> = (
  SandboxOptions | { readonly sandbox: Sandbox }
) &
  OwnToolOptions & {
    /** The tools, in the order in which the model sees them. @default ["LS", "Glob", "Grep", "Read"] */
    readonly tools?: Names;
    /** What the tools know of each file; pass one to share it between toolsets. @default an empty memory */
    readonly versions?: FileVersions;
    /** Keeps what did not fit into an answer that {@link Toolset.truncate} cut. @default the rest is not kept */
    readonly store?: OutputStore;
    /** Whether a model sees line numbers; adapters that are given the toolset follow it. @default "all" */
    readonly lineNumbers?: LineNumbers;
    /** Is asked before anything is written; only `true` approves. A tool's own option of this name comes first. */
    readonly confirm?: NonNullable<ChangeOptions["confirm"]>;
    /** Is told of every change that is on the disk, before the answer; its notes are shown to the model. */
    readonly afterChange?: NonNullable<ChangeOptions["afterChange"]>;
    /** Keeps what the tools change, so that people can undo it; made by `createHistory` of `@fstools/sandbox`. */
    readonly history?: NonNullable<ChangeOptions["history"]>;
    /** Is told of every call when it is over; what it throws changes nothing. */
    readonly onCall?: OnCall;
    /** Receives exceptions that became INTERNAL_ERROR. */
    readonly onInternalError?: OnInternalError;
    /** Is told once what a tool lacks on this machine, such as ripgrep. */
    readonly onWarning?: OnWarning;
  };

/** The tools of one project, among them those of these names. */
export interface Toolset<Name extends ToolName = never> {
  readonly tools: readonly Tool[];
  /** The tool of this name, with its own parameters and data if it was asked for by name; case matters. */
  readonly tool: {
    <Asked extends Name>(name: Asked): ToolNamed<Asked>;
    (name: string): Tool | undefined;
  };
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
export function createToolset<const Names extends readonly ToolName[] = typeof DEFAULT_TOOL_NAMES>(
  options: ToolsetOptions<Names>,
): Toolset<Present<Names>> {
  const names = toolNames(options.tools ?? DEFAULT_TOOL_NAMES);
  const { store, onCall, versions = createFileVersions(), lineNumbers = "all" } = options;
  const sandbox = "sandbox" in options ? options.sandbox : createSandbox(options);
  const shared = { ...options, sandbox, siblings: names, versions };
  const recorder = options.history?.take(sandbox);
  const tools = names.map((name) => observed(createTool(name, shared, options), onCall, recorder?.ready));
  function tool<Asked extends Present<Names>>(name: Asked): ToolNamed<Asked>;
  function tool(name: string): Tool | undefined;
  function tool(name: string): Tool | undefined {
    return tools.find((candidate) => candidate.name === name);
  }
  return {
    tools,
    tool,
    sandbox,
    truncate: createTruncator({
      store,
      readTool: names.includes("Read") ? "Read" : names.includes("read") && "read",
      render: (response) => renderForModel(response, { lineNumbers }),
    }),
    lineNumbers,
  };
}

/** The names that were written out; of a list that was put together while running, none is certain. */
type Present<Names extends readonly ToolName[]> = number extends Names["length"] ? never : Names[number];

function toolNames(names: readonly string[]): ToolName[] {
  return [...new Set(names)].map((name) => {
    if (isToolName(name)) return name;
    throw new TypeError(`There is no tool '${name}'. Choose from ${TOOL_NAMES.join(", ")}.`);
  });
}

/** A call of a tool, as those who watch see it. */
export interface ObservedCall {
  readonly tool: string;
  /** As the caller passed them. */
  readonly params: unknown;
  /** Where the caller's trace has it (W3C Trace Context), if the caller said so. */
  readonly traceparent?: string;
  /** The answer, before any truncator. */
  readonly response: ToolResponse<object>;
  readonly elapsedMs: number;
}

/** Is told of every call when it is over; what it throws changes nothing. */
export type OnCall = (call: ObservedCall) => unknown;

const channel = tracingChannel<Partial<ObservedCall>>("fstools:call");
const { start, end, asyncStart, asyncEnd, error } = channel;

/** Lets `onCall`, and who subscribes to "fstools:call", see every call; each waits for `ready`. */
function observed(tool: Tool, onCall: OnCall | undefined, ready?: () => Promise<void>): Tool {
  const { name } = tool;
  const own = tool.run.bind(tool);
  const run = ready === undefined ? own : (...call: Parameters<typeof own>) => ready().then(() => own(...call));
  const watched = (params: unknown, options?: RunOptions) => {
    const isHeard = [start, end, asyncStart, asyncEnd, error].some(({ hasSubscribers }) => hasSubscribers);
    return onCall === undefined && !isHeard ? run(params, options) : observe(params, options);
  };
  const observe = async (params: unknown, options?: RunOptions) => {
    const startedAt = performance.now();
    const { traceparent } = options ?? {};
    const call = { tool: name, params, ...(traceparent === undefined ? {} : { traceparent }) };
    const response = await channel.tracePromise(async () => {
      const answer = await run(params, options);
      Object.assign(call, { response: answer, elapsedMs: performance.now() - startedAt });
      if (answer.status === "error") error.publish(call);
      return answer;
    }, call);
    void tell(onCall, { ...call, response, elapsedMs: performance.now() - startedAt });
    return response;
  };
  // Assigned, since a spread would make the JSON Schema at once.
  return Object.assign(tool, { run: watched, call: watched });
}

async function tell(onCall: OnCall | undefined, call: ObservedCall): Promise<void> {
  try {
    await onCall?.(call);
  } catch {
    // Whoever only watches can't make a call fail.
  }
}
