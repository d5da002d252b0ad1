import type { CurveResult } from "../results.ts";

/** What a call costs by the size of its input: so much each time, and so much for each entry or byte. */
export interface CostModel {
  readonly fixedMs: number;
  readonly perUnitMs: number;
}

/** A line through the first and the last point of a curve: the first tells the fixed part, the last the slope. */
export function fitCost({ points }: Pick<CurveResult, "points">): CostModel | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const perUnitMs = (last.medianMs - first.medianMs) / (last.size - first.size);
  return { fixedMs: Math.max(0, first.medianMs - perUnitMs * first.size), perUnitMs };
}

export function costMs({ fixedMs, perUnitMs }: CostModel, size: number): number {
  return fixedMs + perUnitMs * size;
}

/** How much input a call gets through before its time is over. */
export function sizeWithin({ fixedMs, perUnitMs }: CostModel, deadlineMs: number): number {
  return Math.max(0, (deadlineMs - fixedMs) / perUnitMs);
}
