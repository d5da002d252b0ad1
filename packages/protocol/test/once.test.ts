import { expect, it } from "vitest";
import { once } from "../src/once.ts";

it("makes its value at the first call, and only then", () => {
  let made = 0;
  const value = once(() => ({ number: (made += 1) }));
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});
