import { expect, it } from "vitest";
import { createRandom } from "../src/random.ts";

it("repeats itself for the same seed, and only for it", () => {
  const draw = (seed: string) => createRandom(seed).bytes(64).toString("hex");
  expect(draw("a")).toBe(draw("a"));
  expect(draw("a")).not.toBe(draw("b"));
});

it("reaches both ends of a range and nothing beyond", () => {
  const random = createRandom("range");
  const drawn = new Set(Array.from({ length: 1000 }, () => random.integer(3, 6)));
  expect([...drawn].toSorted((a, b) => a - b)).toEqual([3, 4, 5, 6]);
});

it("is even enough", () => {
  const random = createRandom("even");
  const hits = Array.from({ length: 10_000 }, () => random.chance(0.3)).filter(Boolean).length;
  expect(hits).toBeGreaterThan(2700);
  expect(hits).toBeLessThan(3300);
});

it("refuses to pick from nothing", () => {
  expect(() => createRandom("x").pick([])).toThrow("nothing to pick");
});
