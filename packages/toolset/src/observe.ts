import type { RunOptions, Tool, ToolResponse } from "@fstools/protocol";
import { tracingChannel } from "node:diagnostics_channel";

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
export function observed(tool: Tool, onCall: OnCall | undefined, ready?: () => Promise<void>): Tool {
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
