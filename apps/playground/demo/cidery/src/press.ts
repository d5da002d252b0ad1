import { priceOf } from "orchard/src/harvest.ts";

/** Apples in a bottle of cider. */
export const APPLES_PER_BOTTLE = 9;

/** What the apples in some bottles cost, in euros. */
export function costOf(bottles: number): number {
  return priceOf(bottles * APPLES_PER_BOTTLE);
}
