import type { Measurement } from "./measure.ts";
import type { Target } from "./row.ts";

export interface Verdict {
  readonly target: string;
  readonly reached: string;
  readonly holds: boolean;
}

export function verdicts(measurements: readonly Measurement[], targets: readonly Target[]): Verdict[] {
  const [ours] = measurements;
  if (ours === undefined) return [];
  return targets.flatMap((target) => verdict(ours, measurements, target) ?? []);
}

function verdict(ours: Measurement, all: readonly Measurement[], target: Target): Verdict | undefined {
  const { median } = ours.times;
  const inTime = (what: string, ms: number, atMost: number): Verdict => {
    return { target: `${what}≤ ${atMost} ms`, reached: `${ms.toFixed(0)} ms`, holds: ms <= atMost };
  };
  if ("tickAtMostMs" in target) return inTime("longest tick ", ours.longestTickMs ?? 0, target.tickAtMostMs);
  if ("medianAtMostMs" in target) return inTime("", median, target.medianAtMostMs);
  const theirs = all.find(({ name }) => name === target.rival)?.times.median;
  if (theirs === undefined) return undefined;
  if ("fasterAtLeast" in target) {
    const words = `≥ ${target.fasterAtLeast}x faster than ${target.rival}`;
    return { target: words, reached: times(theirs / median), holds: theirs / median >= target.fasterAtLeast };
  }
  const words = `≤ ${target.timesAtMost}x ${target.rival}`;
  return { target: words, reached: times(median / theirs), holds: median / theirs <= target.timesAtMost };
}

export function times(ratio: number): string {
  return `${ratio < 10 ? ratio.toFixed(2) : ratio < 100 ? ratio.toFixed(1) : ratio.toFixed(0)}x`;
}
