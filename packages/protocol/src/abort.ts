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

/** The signal that a call passes on. Created on first use: most calls end without anyone asking for it. */
export interface OwnSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/**
 * Starts `work` and settles as it does; when the caller's signal is aborted, so is the call's own, and `work` gets a short
 * grace to answer on its own before this rejects.
 */
export function untilAborted<Result>(
  work: () => Promise<Result>,
  own: OwnSignal,
  caller: AbortSignal | undefined,
): Promise<Result> {
  if (caller === undefined) return work();
  return new Promise((resolve, reject) => {
    let grace: ReturnType<typeof setTimeout> | undefined;
    const onAbort = () => {
      own.abort(caller.reason);
      grace = setTimeout(() => {
        reject(new DOMException("The tool did not answer after the abort.", "AbortError"));
      }, GRACE_MS);
    };
    const following = followersOf(caller).add(onAbort);
    const settled = <Value>(settle: (value: Value) => void) => {
      return (value: Value) => {
        clearTimeout(grace);
        following.delete(onAbort);
        settle(value);
      };
    };
    void work().then(settled(resolve), settled(reject));
  });
}

/** A signal for one call. */
export function createOwnSignal(): OwnSignal {
  let controller: AbortController | undefined;
  let aborted: { readonly reason: unknown } | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted !== undefined) controller.abort(aborted.reason);
      }
      return controller.signal;
    },
    abort: (reason) => {
      aborted = { reason };
      controller?.abort(reason);
    },
  };
}

// One listener per signal, however many calls share it: Node warns of a leak from the eleventh listener on.
const followers = new WeakMap<AbortSignal, Set<() => void>>();

function followersOf(signal: AbortSignal): Set<() => void> {
  const known = followers.get(signal);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  const abort = () => {
    for (const follower of all) follower();
  };
  signal.addEventListener("abort", abort, { once: true });
  followers.set(signal, all);
  return all;
}

function nameOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "name" in value ? value.name : undefined;
}
