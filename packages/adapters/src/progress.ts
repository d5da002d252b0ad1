import type { RunOptions } from "@fstools/protocol";

/** A notification about the progress of a call. */
export interface ProgressNotification {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; message: string };
}

interface Call {
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined; readonly traceparent?: unknown } | undefined;
}

type Notify = (notification: ProgressNotification) => Promise<void>;

/** What an MCP server gets with a call, in SDK 1 or SDK 2. */
export type McpCallContext =
  (Call & { readonly sendNotification: Notify }) | { readonly mcpReq: Call & { readonly notify: Notify } };

/** Often enough for a client that restarts its clock on progress, rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 500;

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/u;

/** The signal that aborts when the client cancels the call, and the client's trace. */
export function callOptionsOf(context: McpCallContext): RunOptions {
  const { signal, _meta: { traceparent } = {} } = "mcpReq" in context ? context.mcpReq : context;
  return { signal, traceparent: TRACEPARENT.test(String(traceparent)) ? String(traceparent) : undefined };
}

/**
 * Does `work` and, if the client asked for progress, tells it twice a second how long the tool has been at it.
 * Progress is in seconds, without a total: a tool does not know how much there is to find.
 */
export async function withProgress<Result>(
  tool: string,
  context: McpCallContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { progressToken } = ("mcpReq" in context ? context.mcpReq : context)._meta ?? {};
  if (progressToken === undefined) return work();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round(performance.now() - startedAt) / 1000;
    const params = { progressToken, progress, message: `${tool} is at work (${progress.toFixed(1)} s).` };
    const told = { method: "notifications/progress", params } as const;
    // A client that is gone does not stop the work; its cancellation does.
    ("mcpReq" in context ? context.mcpReq.notify(told) : context.sendNotification(told)).catch(() => {
      clearInterval(timer);
    });
  }, PROGRESS_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
