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

// One listener a signal, however many calls share it: Node warns of a leak from the eleventh on.
const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/** Runs `work` with a signal of its own, which is aborted when `signal` is. */
export async function following<Result>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  if (signal === undefined) return work(own.signal);
  const all = followers.get(signal) ?? follow(signal);
  all.add(own);
  try {
    return await work(own.signal);
  } finally {
    all.delete(own);
  }
}

function follow(signal: AbortSignal): Set<AbortController> {
  const all = new Set<AbortController>();
  const abort = () => {
    for (const follower of all) follower.abort(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  followers.set(signal, all);
  return all;
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
