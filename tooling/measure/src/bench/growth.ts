import type { CurveResult } from "./results.ts";

/** How cost grows from one point of a curve to the next: 1 is linear, below it is better. */
export function exponents({ points }: CurveResult): number[] {
  return points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    return Math.log(point.medianMs / before.medianMs) / Math.log(point.size / before.size);
  });
}
