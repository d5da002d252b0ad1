/** Ends a search: when its time is up, or when its caller gives up. */
export interface Clock {
  /** Aborted for either reason. */
  readonly signal: AbortSignal;
  /** Why it was aborted. */
  reason(): "time_limit" | "aborted" | undefined;
  /** The caller that started it stops it. */
  stop(): void;
}

/** Starts the clock of one search. */
export function startClock(caller: AbortSignal, maxDurationMs: number): Clock {
  const controller = new AbortController();
  const giveUp = (): void => {
    controller.abort(caller.reason);
  };
  const timeOut = (): void => {
    controller.abort(TIME_OVER);
  };
  // A timer cannot wait longer than this, and need not.
  const timer = maxDurationMs > MAX_TIMER_MS ? undefined : setTimeout(timeOut, maxDurationMs);
  caller.addEventListener("abort", giveUp, { once: true });
  if (caller.aborted) giveUp();
  else if (maxDurationMs <= 0) timeOut();
  return {
    signal: controller.signal,
    reason: () => {
      if (!controller.signal.aborted) return undefined;
      return controller.signal.reason === TIME_OVER ? "time_limit" : "aborted";
    },
    stop: () => {
      clearTimeout(timer);
      caller.removeEventListener("abort", giveUp);
    },
  };
}

const TIME_OVER = new Error("The time of the search is over.");
const MAX_TIMER_MS = 2_147_483_647;
