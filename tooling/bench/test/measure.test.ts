import { expect, it } from "vitest";
import { measureRow, QUICK } from "../src/measure.ts";
import { contender, nothing, type Row } from "../src/row.ts";

function row(...contenders: readonly [name: string, answer: readonly string[], log?: string[]][]): Row {
  return {
    id: "row",
    work: "work",
    mode: "quick",
    targets: [],
    contenders: () =>
      contenders.map(([name, answer, log]) =>
        contender({
          name,
          prepare: nothing,
          run: () => {
            log?.push(name);
            return Promise.resolve(answer);
          },
          answer: (found) => found,
        }),
      ),
  };
}

const effort = { ...QUICK, minRounds: 4, maxRounds: 4 };

it("measures the contenders in turns, and another one begins each round", async () => {
  const log: string[] = [];
  const measurements = await measureRow(row(["a", ["x"], log], ["b", ["x"], log]), effort);
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
  await expect(measureRow(row(["a", ["x", "y"]], ["b", ["x", "z"]]), effort)).rejects.toThrow("b and a differ");
});

it("refuses to time contenders that found nothing", async () => {
  await expect(measureRow(row(["a", []], ["b", []]), effort)).rejects.toThrow("a found nothing");
});
