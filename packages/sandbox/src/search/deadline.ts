import { createPacer, type Pacer } from "../pacer.ts";

/** Why a walk ended before it had seen everything. */
export type StopReason = "enough" | "count_limit" | "time_limit" | "aborted";

/** Ends a walk from wherever it is. */
export class WalkStopped extends Error {
  override readonly name = "WalkStopped";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}

/** A pacer that also watches the time and the caller's signal. */
export interface Deadline extends Pacer {
  /** The reason to stop now, if there is one. */
  reason(): "time_limit" | "aborted" | undefined;
  /** @throws WalkStopped if there is a reason to stop now */
  check(): void;
}

/** Starts the clock of one walk. */
export function createDeadline(signal: AbortSignal, maxDurationMs: number): Deadline {
  const startedAt = performance.now();
  // Without the signal, whose reason it would throw: here an abort is just one of the reasons to stop.
  const pacer = createPacer();
  function reason() {
    if (signal.aborted) return "aborted";
    return performance.now() - startedAt > maxDurationMs ? "time_limit" : undefined;
  }
  function check(): void {
    const current = reason();
    if (current !== undefined) throw new WalkStopped(current);
  }
  return {
    due: pacer.due,
    async rest() {
      await pacer.rest();
      check();
    },
    reason,
    check,
  };
}
