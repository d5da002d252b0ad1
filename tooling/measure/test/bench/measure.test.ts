import { expect, it } from "vitest";
import { measureContenders, QUICK } from "../../src/bench/measure.ts";
import { contender, type Contender } from "../../src/bench/row.ts";

function measure(...contenders: readonly [name: string, answer: readonly string[], log?: string[]][]) {
  const all = contenders.map(([name, answer, log]) =>
    contender({
      name,
      prepare: () => undefined,
      run: () => {
        log?.push(name);
        return Promise.resolve(answer);
      },
      answer: (found) => found,
    }),
  );
  return measureContenders("row", all, effort);
}

const effort = { ...QUICK, warmUpMs: 10_000, minSamples: 4, maxSamples: 4, budgetMs: 10_000, mostMs: 10_000 };

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

/** A contender that says how long it took. */
function taking(name: string, elapsedMs: number, log: string[]): Contender {
  const turn = () => {
    log.push(name);
    return Promise.resolve(elapsedMs);
  };
  return {
    name,
    sample: turn,
    tick: undefined,
    answer: async () => ({ elapsedMs: await turn(), found: undefined }),
  };
}

it("asks a slow rival once, and ours as often as ever", async () => {
  const log: string[] = [];
  const contenders = [taking("ours", 5000, log), taking("rival", 5000, log), taking("quick", 1, log)];
  const measurements = await measureContenders("row", contenders, { ...effort, slowMs: 4000, warmUpMs: 0 });
  expect(measurements.map(({ times: { samples, median } }) => [samples, median])).toEqual([
    [4, 5000],
    [1, 5000],
    [4, 1],
  ]);
  expect(log.filter((name) => name === "rival")).toHaveLength(1);
});

it("goes on without a rival that fails, and not without ours", async () => {
  const failing = { ...taking("broken", 1, []), answer: () => Promise.reject(new Error("broken: no")) };
  const measurements = await measureContenders("row", [taking("ours", 1, []), failing], { ...effort, warmUpMs: 0 });
  expect(measurements.map(({ name }) => name)).toEqual(["ours"]);
  await expect(measureContenders("row", [failing], effort)).rejects.toThrow("broken");
});

it("takes half as many samples of rivals where time is short, and no more than there is time for", async () => {
  const contenders = [taking("ours", 1, []), taking("rival", 1, [])];
  const samples = async (budget: object) =>
    (await measureContenders("row", contenders, { ...effort, ...budget })).map(({ times }) => times.samples);
  expect(await samples({ budgetMs: 0 })).toEqual([4, 2]);
  expect(await samples({ budgetMs: 0, mostMs: 0 })).toEqual([0, 0]);
});

it("refuses to time contenders that found different things", async () => {
  await expect(measure(["a", ["x", "y"]], ["b", ["x", "z"]])).rejects.toThrow("b and a differ");
});

it("refuses to time contenders that found nothing", async () => {
  await expect(measure(["a", []], ["b", []])).rejects.toThrow("a found nothing");
});
