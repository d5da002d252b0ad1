import { quantile } from "@fstools/measure/report/spread";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { withoutLeak } from "../processes.ts";
import { lay, TABLES } from "../project.ts";

const PARALLEL = 500;
const SHOWN_CALLS = 3;
const { calls: CALLS } = TABLES;

export const load: Attack = {
  name: "load",
  what: "makes 500 mixed calls at a time, beside all other attacks",
  minimum: { full: 5000, short: 500 },
  run: async ({ random, root, tally, tools, repeat }) => {
    createTree(root);
    const { readers, writers, call } = tools();
    for (const { run, pathParameter } of [...readers, ...writers])
      await run({ [pathParameter]: "large.txt", pattern: "a*" });
    const delays = monitorEventLoopDelay({ resolution: 2 });
    const latencies = new Map(CALLS.map((one) => [one, [] as number[]]));
    await withoutLeak(tally, async () => {
      delays.enable();
      await repeat(PARALLEL, async () => {
        const one = random.pick(CALLS);
        const startedAt = performance.now();
        await call(...one, { longestCallMs: 60_000 });
        latencies.get(one)?.push(performance.now() - startedAt);
        await sleep(random.integer(0, 5));
      });
      delays.disable();
    });
    const all = [...latencies.values()].flat();
    tally.note("p50", inMs(all, 0.5));
    tally.note("p99", inMs(all, 0.99));
    const slowest = [...latencies].toSorted(([, one], [, other]) => quantile(other, 0.99) - quantile(one, 0.99));
    for (const [[tool, params], times] of slowest.slice(0, SHOWN_CALLS)) {
      const [first = ""] = Object.values(params).filter((value) => typeof value === "string");
      tally.note(`p50 and p99 of ${tool} ${first}`.trim(), `${inMs(times, 0.5)}, ${inMs(times, 0.99)}`);
    }
    tally.note("longest tick", `${(delays.max / 1e6).toFixed(0)} ms`);
  },
};

function inMs(values: readonly number[], part: number): string {
  return `${quantile(values, part).toFixed(0)} ms`;
}

function createTree(root: string): void {
  const many = Array.from({ length: 3000 }, (_, index) => `many/file-${index}.txt`);
  const few = Array.from({ length: 400 }, (_, index) => `d-${index % 20}/f-${Math.floor(index / 20)}.txt`);
  lay(root, many, "");
  lay(root, few, "text\n".repeat(20));
  lay(root, ["large.txt"], "a line of some length\n".repeat(200_000));
}
