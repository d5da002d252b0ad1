import type { Measurement } from "./measure.ts";
import type { Target } from "./row.ts";

/** Whether one target was reached in one run. */
export interface Verdict {
  readonly target: string;
  /** What was measured, in the words of the target. */
  readonly reached: string;
  readonly holds: boolean;
}

/** Compares what was measured with the targets; one whose rival did not take part is left out. */
export function verdicts(measurements: readonly Measurement[], targets: readonly Target[]): Verdict[] {
  const [ours] = measurements;
  if (ours === undefined) return [];
  return targets.flatMap((target) => verdict(ours, measurements, target) ?? []);
}

function verdict(ours: Measurement, all: readonly Measurement[], target: Target): Verdict | undefined {
  if ("tickAtMostMs" in target) {
    const tick = ours.longestTickMs ?? 0;
    return {
      target: `longest tick ≤ ${target.tickAtMostMs} ms`,
      reached: `${tick.toFixed(0)} ms`,
      holds: tick <= target.tickAtMostMs,
    };
  }
  if ("medianAtMostMs" in target) {
    const { median } = ours.times;
    return {
      target: `≤ ${target.medianAtMostMs} ms`,
      reached: `${median.toFixed(0)} ms`,
      holds: median <= target.medianAtMostMs,
    };
  }
  const rival = all.find(({ name }) => name === target.rival);
  if (rival === undefined) return undefined;
  if ("fasterAtLeast" in target) {
    const faster = rival.times.median / ours.times.median;
    return {
      target: `≥ ${target.fasterAtLeast}x faster than ${target.rival}`,
      reached: times(faster),
      holds: faster >= target.fasterAtLeast,
    };
  }
  const part = ours.times.median / rival.times.median;
  return {
    target: `≤ ${target.timesAtMost}x ${target.rival}`,
    reached: times(part),
    holds: part <= target.timesAtMost,
  };
}

/** A ratio with three significant digits at most. */
export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio < 100 ? ratio.toFixed(1) : ratio.toFixed(0)}x`;
}
