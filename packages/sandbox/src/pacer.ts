/** Keeps long synchronous work from blocking the event loop. */
export interface Pacer {
  /** True when this turn of the event loop has used up its time, on whatever call, and after an abort. */
  readonly due: () => boolean;
  /** Waits for its own turn of the event loop; throws the signal's reason if it was aborted. */
  readonly rest: () => Promise<void>;
}

// Taken at load: a host's tests may install fake timers, and a turn that never ends would stop every later call.
const schedule = setImmediate;
const now = performance.now.bind(performance);

const SLICE_MS = 8;

// Shared by all calls of the process: if each had its own slice, a turn with 500 calls would last 500 slices.
let turnStartedAt: number | undefined;
/** Calls that have not yet used up a slice in their own turns, and those that have; first come, first served. */
const small: (() => void)[] = [];
const large: (() => void)[] = [];
/** How long small calls have worked since a large one had its turn. */
let smallMs = 0;
let isTurnOfLarge = false;

/** A pacer for one call: work while not `due()`, then `await rest()`. */
export function createPacer(signal?: AbortSignal, sliceMs = SLICE_MS): Pacer {
  let usedMs = 0;
  let wokenAt: number | undefined;
  return {
    due: () => signal?.aborted === true || now() - startOfTurn() >= sliceMs,
    rest: async () => {
      // What it did before its first turn counts for the turn of another call.
      if (wokenAt !== undefined) usedMs += now() - Math.max(wokenAt, startOfTurn());
      await new Promise<void>((wake) => {
        (usedMs < sliceMs ? small : large).push(wake);
        startOfTurn();
      });
      wokenAt = now();
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

/**
 * One resting call per turn, so that timers and I/O get their turn after each. Small calls do not wait until every
 * large one had its turn: they go first, but after each slice of theirs a large call gets one.
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
