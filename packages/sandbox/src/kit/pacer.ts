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

const SLICE_MS = 8;

// Shared by all calls of the process: if each had a slice of its own, a turn with 500 calls would last 500 slices.
let turnStartedAt: number | undefined;
/** Calls that have not yet used up a slice in turns of their own, and those that have; first come, first served. */
const small: (() => void)[] = [];
const large: (() => void)[] = [];
/** How long small calls were at work since a large one had its turn. */
let smallMs = 0;
let isTurnOfLarge = false;

/** A pacer for one call: work while not `due()`, then `await rest()`. */
export function createPacer(signal?: AbortSignal | (() => AbortSignal), sliceMs = SLICE_MS): Pacer {
  let usedMs = 0;
  let wokenAt: number | undefined;
  return {
    due: () => now() - startOfTurn() >= sliceMs,
    rest: async () => {
      // What it did before its first turn was in the turn of others.
      if (wokenAt !== undefined) usedMs += now() - Math.max(wokenAt, startOfTurn());
      await new Promise<void>((wake) => {
        (usedMs < sliceMs ? small : large).push(wake);
        startOfTurn();
      });
      wokenAt = now();
      // A call's signal is made when it is asked for, and most calls never rest.
      (typeof signal === "function" ? signal() : signal)?.throwIfAborted();
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

/**
 * One resting call a turn, so that timers and I/O get their turn after each. Small calls do not wait until every large
 * one had its turn: they go first, but after each slice of theirs comes one of a large call.
 */
function nextTurn(): void {
  if (!isTurnOfLarge && turnStartedAt !== undefined) smallMs += now() - turnStartedAt;
  turnStartedAt = undefined;
  isTurnOfLarge = small.length === 0 || (large.length > 0 && smallMs >= SLICE_MS);
  if (isTurnOfLarge) smallMs = 0;
  const wake = (isTurnOfLarge ? large : small).shift();
  if (wake === undefined) return;
  startOfTurn();
  wake();
}
