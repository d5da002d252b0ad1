/** What an MCP server hears about the call that it is serving. */
export interface McpCallContext {
  readonly mcpReq: {
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    notify(notification: {
      method: "notifications/progress";
      params: { progressToken: string | number; progress: number; message: string };
    }): Promise<void>;
  };
}

/** Often enough for a client that restarts its clock on progress, rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 500;

/**
 * Does `work` and, if the client asked for progress, tells it twice a second how long the tool has been at it.
 * Progress is in seconds, without a total: a tool does not know how much there is to find.
 */
export async function withProgress<Result>(
  tool: string,
  { mcpReq }: McpCallContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return work();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const progress = Math.round(performance.now() - startedAt) / 1000;
    const message = `${tool} is at work (${progress.toFixed(1)} s).`;
    // A client that is gone does not stop the work; its cancellation does.
    mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {
      clearInterval(timer);
    });
  }, PROGRESS_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
