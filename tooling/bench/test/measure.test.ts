import { expect, it } from "vitest";
import { measureContenders, QUICK } from "../src/measure.ts";
import { contender, nothing } from "../src/row.ts";

function measure(...contenders: readonly [name: string, answer: readonly string[], log?: string[]][]) {
  const all = contenders.map(([name, answer, log]) =>
    contender({
      name,
      prepare: nothing,
      run: () => {
        log?.push(name);
        return Promise.resolve(answer);
      },
      answer: (found) => found,
    }),
  );
  return measureContenders("row", all, effort);
}

const effort = { ...QUICK, warmUpMs: 10_000, minRounds: 4, maxRounds: 4 };

it("measures the contenders in turns, and another one begins each round", async () => {
  const log: string[] = [];
  const measurements = await measure(["a", ["x"], log], ["b", ["x"], log]);
  expect(measurements.map(({ name, times }) => [name, times.samples])).toEqual([
    ["a", 4],
    ["b", 4],
  ]);
  // Before come one answer each and the turns to warm up.
  const before = 2 + 200 + 200;
  const turns = log.slice(before, before + 8).join("");
  expect(turns).toBe("abbaabba");
});

it("refuses to time contenders that found different things", async () => {
  await expect(measure(["a", ["x", "y"]], ["b", ["x", "z"]])).rejects.toThrow("b and a differ");
});

it("refuses to time contenders that found nothing", async () => {
  await expect(measure(["a", []], ["b", []])).rejects.toThrow("a found nothing");
});
