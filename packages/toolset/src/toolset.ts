import type { LineNumbers, OutputStore, RunOptions, Tool, ToolResponse, Truncator } from "@fstools/protocol";
import { createTruncator, renderForModel } from "@fstools/protocol";
import type { ChangeOptions, Sandbox, SandboxOptions, ToolOptions } from "@fstools/sandbox";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { tracingChannel } from "node:diagnostics_channel";
import type { OwnToolOptions, ToolName, ToolNamed } from "./tools.ts";
import { createTool, DEFAULT_TOOL_NAMES, isToolName, TOOL_NAMES } from "./tools.ts";

/** What `createToolset` takes: the project, the tools, and each tool's own options. */
export type ToolsetOptions<Names extends readonly ToolName[] = readonly ToolName[]> = (
  SandboxOptions | { readonly sandbox: Sandbox }
) &
  Pick<ToolOptions, "versions" | "onInternalError" | "onWarning"> &
  Pick<ChangeOptions, "confirm" | "afterChange" | "history"> &
  OwnToolOptions & {
    /** The tools, in the order in which the model sees them. @default ["LS", "Glob", "Grep", "Read"] */
    readonly tools?: Names;
    /** Keeps what did not fit into an answer that {@link Toolset.truncate} cut. @default the rest is not kept */
    readonly store?: OutputStore;
    /** Whether a model sees line numbers; adapters that are given the toolset follow it. @default "all" */
    readonly lineNumbers?: LineNumbers;
    /** Is told of every call when it is over; what it throws changes nothing. */
    readonly onCall?: OnCall;
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

/** Lets `onCall`, and who subscribes to "fstools:call", see every call; each waits for `ready`. */
function observed(tool: Tool, onCall: OnCall | undefined, ready?: () => Promise<void>): Tool {
  const own = tool.run.bind(tool);
  const run = ready === undefined ? own : (...call: Parameters<typeof own>) => ready().then(() => own(...call));
  const watched = async (params: unknown, options?: RunOptions) => {
    if (onCall === undefined && !channel.hasSubscribers) return run(params, options);
    const startedAt = performance.now();
    const { traceparent } = options ?? {};
    const call = { tool: tool.name, params, ...(traceparent === undefined ? {} : { traceparent }) };
    const response = await channel.tracePromise(async () => {
      const answer = await run(params, options);
      Object.assign(call, { response: answer, elapsedMs: performance.now() - startedAt });
      if (answer.status === "error") channel.error.publish(call);
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
