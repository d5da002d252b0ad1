import { quantile } from "@fstools/measure/report/spread";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { withoutLeak } from "../processes.ts";
import { lay } from "../project.ts";

const PARALLEL = 500;
const SHOWN_CALLS = 3;

const CALLS: readonly (readonly [tool: string, params: object])[] = [
  ["Read", { path: "large.txt" }],
  ["Read", { path: "large.txt", start_line: 100_000 }],
  ["Read", { path: "d-3/f-3.txt" }],
  ["read 1.2", { filePath: "large.txt", offset: 5000 }],
  ["read 1.18", { filePath: "d-1" }],
  ["LS", { path: "many", offset: 1000 }],
  ["LS", {}],
  ["Glob", { pattern: "**/*.txt" }],
  ["Glob", { pattern: "**/nothing-like-this" }],
  ["Read", { path: "missing.txt" }],
  ["Edit", { path: "d-5/f-1.txt", old_string: "text", new_string: "text", replace_all: true }],
  ["Edit", { path: "large.txt", old_string: "no such line", new_string: "x" }],
  ["Edit", { path: "d-6/f-1.txt", edits: [{ old_string: "first", new_string: "first again" }] }],
  ["Write", { path: "d-7/f-1.txt", content: "not read before" }],
  ["Write", { path: "d-8/f-1.txt", content: "text\n".repeat(20) }],
  ["Patch", { patch: "*** Update File: d-9/f-1.txt\n*** Move to: d-9/f-0.txt" }],
  ["Patch", { patch: "*** Update File: large.txt\n@@ no such line\n a line\n-of no such\n+length" }],
  ["Patch", { patch: "--- a/d-10/f-1.txt\n+++ b/d-10/f-1.txt\n@@ -1 +1 @@\n-text\n+other" }],
  ["Grep", { pattern: "text", path: "d-3" }],
  ["Grep in JavaScript", { pattern: "text", path: "d-4", output_mode: "count" }],
];

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
