import { expect, it } from "vitest";
import { spread } from "../src/report/spread.ts";

it("tells the middle and the ends, whatever the order", () => {
  expect(spread([5, 1, 4, 2, 3])).toEqual({ samples: 5, min: 1, median: 3, max: 5 });
});

it("takes the middle of two in an even number of samples", () => {
  expect(spread([1, 2, 3, 10]).median).toBe(2.5);
});

it("sorts by value, not by text", () => {
  expect(spread([10, 9, 100]).median).toBe(10);
});
