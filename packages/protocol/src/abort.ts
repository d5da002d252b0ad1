import { isToolError, ToolError } from "./error.ts";
import { recordOf } from "./json.ts";

const AFTER_WRITING = "The change may or may not have been made: look at the file before you repeat the call.";
const AFTER_TIMEOUT = "Repeat the call with a narrower 'path' or a smaller 'limit', or allow it more time.";
const AFTER_ABORT = "Repeat the call if its result is still needed.";

/** The error of a call that its caller aborted; with "write", of one that may already have changed something. */
export function abortedError(signal: AbortSignal, effect: "read" | "write" = "read"): ToolError {
  const timedOut = recordOf(signal.reason).name === "TimeoutError";
  return new ToolError(timedOut ? "TIMEOUT" : "EXECUTION_ERROR", "Aborted by the caller.", {
    hint: effect === "write" ? AFTER_WRITING : timedOut ? AFTER_TIMEOUT : AFTER_ABORT,
  });
}

/** Whether a failure is only a consequence of the abort, not a bug that happened to come after it. */
export function isConsequenceOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return Object.is(error, signal.reason) || isToolError(error) || recordOf(error).name === "AbortError";
}

/** Settles as `promise` does, or rejects with the signal's reason once it has not settled `graceMs` after the abort. */
export async function orAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
  graceMs = 0,
): Promise<Result> {
  if (signal === undefined) return promise;
  let grace: ReturnType<typeof setTimeout> | undefined;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      if (graceMs > 0) grace = setTimeout(reject, graceMs, signal.reason);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is what the caller chose
      else reject(signal.reason);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", onAbort);
  }
}
