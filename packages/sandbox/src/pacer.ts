import { setImmediate } from "node:timers/promises";

/** Keeps long synchronous work from holding the event loop. */
export interface Pacer {
  /** True when the current slice of time is used up. */
  readonly due: () => boolean;
  /** Lets the event loop turn once and starts a new slice; throws the signal's reason if it was aborted. */
  readonly rest: () => Promise<void>;
}

/** A pacer for one call: work while not `due()`, then `await rest()`. */
export function createPacer(signal: AbortSignal, sliceMs = 8): Pacer {
  let end = performance.now() + sliceMs;
  return {
    due: () => performance.now() >= end,
    rest: async () => {
      await setImmediate();
      signal.throwIfAborted();
      end = performance.now() + sliceMs;
    },
  };
}
