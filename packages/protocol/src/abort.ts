import { isToolError, ToolError } from "./error.ts";

// Long enough for a search to hand in what it has, short enough to feel prompt.
const GRACE_MS = 250;
const AFTER_WRITING = "The change may or may not have been made: look at the file before you repeat the call.";
const AFTER_TIMEOUT = "Repeat the call with a narrower 'path' or a smaller 'limit', or allow it more time.";
const AFTER_ABORT = "Repeat the call if its result is still needed.";

/** The error of a call that its caller gave up; of one that was to write, once it had begun. */
export function abortedError(signal: AbortSignal, effect: "read" | "write" = "read"): ToolError {
  const timedOut = nameOf(signal.reason) === "TimeoutError";
  return new ToolError(timedOut ? "TIMEOUT" : "EXECUTION_ERROR", "Aborted by the caller.", {
    hint: effect === "write" ? AFTER_WRITING : timedOut ? AFTER_TIMEOUT : AFTER_ABORT,
  });
}

/** Whether a failure is only the consequence of the abort, and not a bug that happened to come after it. */
export function isConsequenceOfAbort(error: unknown, signal: AbortSignal): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || isToolError(error) || nameOf(error) === "AbortError";
}

/** Starts `work` and settles as it does; after an abort, it gets a short grace to answer by itself before this rejects. */
export function untilAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const onAbort = () => {
      grace = setTimeout(() => {
        reject(new DOMException("The tool did not answer after the abort.", "AbortError"));
      }, GRACE_MS);
    };
    const settle = () => {
      clearTimeout(grace);
      signal.removeEventListener("abort", onAbort);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    void work().then(resolve, reject).finally(settle);
  });
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
}
