import { isToolError, ToolError } from "./error.ts";

// Long enough for a search to return what it has found, short enough to feel prompt.
const GRACE_MS = 250;
const AFTER_WRITING = "The change may or may not have been made: look at the file before you repeat the call.";
const AFTER_TIMEOUT = "Repeat the call with a narrower 'path' or a smaller 'limit', or allow it more time.";
const AFTER_ABORT = "Repeat the call if its result is still needed.";

/** The error of a call that its caller aborted; with "write", of one that may already have changed something. */
export function abortedError(signal: AbortSignal, effect: "read" | "write" = "read"): ToolError {
  const timedOut = nameOf(signal.reason) === "TimeoutError";
  return new ToolError(timedOut ? "TIMEOUT" : "EXECUTION_ERROR", "Aborted by the caller.", {
    hint: effect === "write" ? AFTER_WRITING : timedOut ? AFTER_TIMEOUT : AFTER_ABORT,
  });
}

/** Whether a failure is only a consequence of the abort, not a bug that happened to come after it. */
export function isConsequenceOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || isToolError(error) || nameOf(error) === "AbortError";
}

/** Settles as `work` does, but after an abort gives it only a short grace to answer on its own. */
export async function untilAborted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  caller: AbortSignal | undefined,
): Promise<Result> {
  if (caller === undefined) return work(new AbortController().signal);
  // A signal of its own: Node warns of a leak where eleven calls listen to the same one.
  const signal = AbortSignal.any([caller]);
  let grace: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    onAbort = () => {
      grace = setTimeout(reject, GRACE_MS, new DOMException("The tool did not answer after the abort.", "AbortError"));
    };
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(grace);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
}
