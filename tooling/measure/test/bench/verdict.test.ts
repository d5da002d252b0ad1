import { describe, expect, it } from "vitest";
import type { Measurement } from "../../src/bench/measure.ts";
import { spread } from "../../src/report/spread.ts";
import { times, verdicts } from "../../src/bench/verdict.ts";

function took(name: string, ms: number, longestTickMs?: number): Measurement {
  return { name, times: spread([ms]), longestTickMs };
}

const measurements = [took("ours", 10, 40), took("slow", 100), took("quick", 8)];

describe("verdicts", () => {
  it.each([
    { target: { rival: "slow", fasterAtLeast: 10 }, reached: "10.0x", holds: true },
    { target: { rival: "slow", fasterAtLeast: 10.1 }, reached: "10.0x", holds: false },
    { target: { rival: "quick", timesAtMost: 1.25 }, reached: "1.25x", holds: true },
    { target: { rival: "quick", timesAtMost: 1.2 }, reached: "1.25x", holds: false },
    { target: { tickAtMostMs: 40 }, reached: "40 ms", holds: true },
    { target: { tickAtMostMs: 39 }, reached: "40 ms", holds: false },
    { target: { medianAtMostMs: 10 }, reached: "10 ms", holds: true },
    { target: { medianAtMostMs: 9 }, reached: "10 ms", holds: false },
  ])("$target is $holds", ({ target, reached, holds }) => {
    expect(verdicts(measurements, [target])).toMatchObject([{ reached, holds }]);
  });

  it("leaves out a rival that did not take part", () => {
    expect(verdicts(measurements, [{ rival: "rg", fasterAtLeast: 2 }])).toEqual([]);
  });
});

it.each([
  [0.123, "0.12x"],
  [12.34, "12.3x"],
  [1234, "1234x"],
])("writes the ratio %d as %s", (ratio, text) => {
  expect(times(ratio)).toBe(text);
});
