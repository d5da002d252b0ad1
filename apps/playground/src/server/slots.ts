/** Lets a bounded number of jobs run at once, and a bounded number wait. */
export interface Slots {
  /** Resolves to a function that frees the slot again, or to undefined where even the queue is full. */
  take(signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** Slots for `running` jobs, with a queue of `waiting`. */
export function createSlots({ running, waiting }: { running: number; waiting: number }): Slots {
  let free = running;
  const queue: (() => void)[] = [];

  const release = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };

  const once = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };

  const wait = (signal: AbortSignal) =>
    new Promise<(() => void) | undefined>((resolve) => {
      const granted = () => {
        signal.removeEventListener("abort", gaveUp);
        resolve(once());
      };
      const gaveUp = () => {
        const at = queue.indexOf(granted);
        if (at !== -1) queue.splice(at, 1);
        resolve(undefined);
      };
      queue.push(granted);
      signal.addEventListener("abort", gaveUp, { once: true });
    });

  return {
    take: (signal) => {
      if (signal.aborted) return Promise.resolve(undefined);
      if (free > 0) {
        free--;
        return Promise.resolve(once());
      }
      return queue.length < waiting ? wait(signal) : Promise.resolve(undefined);
    },
  };
}
