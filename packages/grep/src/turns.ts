/** How many searches may run at the same time. */
interface TurnLimits {
  readonly maxRunning: number;
  /** How many more of those that take long. */
  readonly maxLong: number;
  readonly longAfterMs: number;
}

/** Runs `work` when its turn has come; a signal that is aborted ends the wait, not the work. */
type InTurn = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets a few searches run at a time, first come, first served. It is not known beforehand how long one will take, so
 * one that takes long makes room for the next, as long as there are not too many long ones.
 */
export function createTurns({ maxRunning, maxLong, longAfterMs }: TurnLimits): InTurn {
  let running = 0;
  let long = 0;
  const waiting = new Set<() => void>();

  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < maxRunning || signal.aborted) {
      running += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      // Passed on by the one that leaves: a new call can't take it meanwhile.
      const start = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(start);
        running += 1;
        resolve();
      };
      waiting.add(start);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  };

  const leave = (): void => {
    const [next] = waiting;
    // One too many, after an abort, is not replaced.
    if (next === undefined || running > maxRunning) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return async (signal, work) => {
    await enter(signal);
    const state = { isLong: false };
    const timer = setInterval(() => {
      if (long >= maxLong) return;
      state.isLong = true;
      long += 1;
      clearInterval(timer);
      leave();
    }, longAfterMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      if (state.isLong) long -= 1;
      else leave();
    }
  };
}
