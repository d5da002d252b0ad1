/** Keeps long synchronous work from holding the event loop. */
export interface Pacer {
  /** True when this turn of the event loop has worked for as long as it may, on whatever call. */
  readonly due: () => boolean;
  /** Waits for a turn of the event loop of its own; throws the signal's reason if there is one and it was aborted. */
  readonly rest: () => Promise<void>;
}

// Taken at load: a host's tests may put fake timers in their place, and a turn that never ends would stop every later call.
const schedule = setImmediate;
const now = performance.now.bind(performance);

// Shared by all calls of the process: if each had a slice of its own, a turn with 500 calls would last 500 slices.
let turnStartedAt: number | undefined;
const resting: (() => void)[] = [];

/** A pacer for one call: work while not `due()`, then `await rest()`. */
export function createPacer(signal?: AbortSignal, sliceMs = 8): Pacer {
  return {
    due: () => now() - startOfTurn() >= sliceMs,
    rest: async () => {
      await new Promise<void>((wake) => {
        resting.push(wake);
        startOfTurn();
      });
      signal?.throwIfAborted();
    },
  };
}

function startOfTurn(): number {
  if (turnStartedAt === undefined) {
    turnStartedAt = now();
    schedule(nextTurn);
  }
  return turnStartedAt;
}

/** One resting call a turn, first come first served, so that timers and I/O get their turn after each. */
function nextTurn(): void {
  turnStartedAt = undefined;
  const wake = resting.shift();
  if (wake === undefined) return;
  startOfTurn();
  wake();
}
