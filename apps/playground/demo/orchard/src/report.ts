import { countApples, priceOf } from "./harvest.ts";
import { DISCOUNT, DISCOUNT_FROM } from "./prices.ts";

/** One line for a customer: how many apples, and what they cost. */
export function report(basket: readonly string[]): string {
  const apples = countApples(basket);
  const price = priceOf(apples);
  const discounted = apples >= DISCOUNT_FROM ? price * (1 - DISCOUNT) : price;
  return `${apples} apples: ${discounted.toFixed(2)} euros`;
}
