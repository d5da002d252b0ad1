import { PRICES } from "./prices.ts";

/** How many apples are in a basket. */
export function countApples(basket: readonly string[]): number {
  return basket.filter((fruit) => fruit === "apple").length;
}

/** What a number of apples costs, in euros. */
export function priceOf(apples: number): number {
  return apples * (PRICES.apple ?? 0);
}
