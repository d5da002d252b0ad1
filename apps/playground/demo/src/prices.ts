/** Euros for one apple. */
export const APPLE_PRICE = 0.6;

/** From this many on, a customer gets a discount. */
export const DISCOUNT_FROM = 10;

/** The discount, as a share of the price. */
export const DISCOUNT = 0.1;
