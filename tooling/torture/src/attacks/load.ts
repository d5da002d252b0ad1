import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { openDescriptors, settledDescriptors } from "../descriptors.ts";
import { examine } from "../examine.ts";
import { createVictims, createWriters, victimNamed } from "../tools.ts";

const PARALLEL = 500;
const SHOWN_CALLS = 3;

const CALLS: readonly { readonly tool: string; readonly params: object }[] = [
  { tool: "Read", params: { path: "large.txt" } },
  { tool: "Read", params: { path: "large.txt", start_line: 100_000 } },
  { tool: "Read", params: { path: "d-3/f-3.txt" } },
  { tool: "read 1.2", params: { filePath: "large.txt", offset: 5000 } },
  { tool: "read 1.18", params: { filePath: "d-1" } },
  { tool: "LS", params: { path: "many", offset: 1000 } },
  { tool: "LS", params: {} },
  { tool: "Glob", params: { pattern: "**/*.txt" } },
  { tool: "Glob", params: { pattern: "**/nothing-like-this" } },
  { tool: "Read", params: { path: "missing.txt" } },
  { tool: "Edit", params: { path: "d-5/f-1.txt", old_string: "text", new_string: "text", replace_all: true } },
  { tool: "Edit", params: { path: "large.txt", old_string: "no such line", new_string: "x" } },
  { tool: "Edit", params: { path: "d-6/f-1.txt", edits: [{ old_string: "first", new_string: "first" + " again" }] } },
  { tool: "Write", params: { path: "d-7/f-1.txt", content: "not read before" } },
  { tool: "Write", params: { path: "d-8/f-1.txt", content: "text\n".repeat(20) } },
  { tool: "Grep", params: { pattern: "text", path: "d-3" } },
  { tool: "Grep in JavaScript", params: { pattern: "text", path: "d-4", output_mode: "count" } },
];

/** Five hundred calls at a time for the whole run: all are answered, nothing stays open. */
export const load: Attack = {
  name: "load",
  what: "500 mixed calls at a time, beside all other attacks",
  minimum: { full: 5000, short: 500 },
  run: async ({ random, folder, tally, goOn }) => {
    const root = createTree(folder);
    const report = (error: unknown) => {
      tally.violation(`internal error: ${String(error)}`);
    };
    const victims = [...createVictims({ projectRoot: root }, report), ...createWriters({ projectRoot: root }, report)];
    for (const victim of victims) await victim.run({ [victim.pathParameter]: "large.txt", pattern: "a*" });
    const before = openDescriptors();
    const delays = monitorEventLoopDelay({ resolution: 2 });
    delays.enable();
    const latencies = new Map(CALLS.map((call) => [call, [] as number[]]));
    const worker = async () => {
      while (goOn()) {
        const call = random.pick(CALLS);
        const { tool, params } = call;
        const victim = victimNamed(victims, tool);
        const startedAt = performance.now();
        await examine(tally, victim, params, { longestCallMs: 60_000 });
        latencies.get(call)?.push(performance.now() - startedAt);
        await sleep(random.integer(0, 5));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    delays.disable();
    const after = await settledDescriptors(before);
    if (after > before) tally.violation(`${after - before} descriptors stayed open`);
    const all = [...latencies.values()].flat();
    tally.note("p50", inMs(all, 0.5));
    tally.note("p99", inMs(all, 0.99));
    const slowest = [...latencies].toSorted(([, one], [, other]) => quantile(other, 0.99) - quantile(one, 0.99));
    for (const [call, times] of slowest.slice(0, SHOWN_CALLS)) {
      tally.note(`p50 and p99 of ${nameOf(call)}`, `${inMs(times, 0.5)}, ${inMs(times, 0.99)}`);
    }
    tally.note("longest tick", `${(delays.max / 1e6).toFixed(0)} ms`);
    tally.note("descriptors", `${before} before, ${after} after`);
  },
};

function nameOf({ tool, params }: (typeof CALLS)[number]): string {
  const [first = ""] = Object.values(params).filter((value) => typeof value === "string");
  return `${tool} ${first}`.trim();
}

function inMs(values: readonly number[], part: number): string {
  return `${quantile(values, part).toFixed(0)} ms`;
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
}

function createTree(folder: string): string {
  const root = join(folder, "project");
  mkdirSync(join(root, "many"), { recursive: true });
  for (let index = 0; index < 3000; index++) writeFileSync(join(root, "many", `file-${index}.txt`), "");
  for (let directory = 0; directory < 20; directory++) {
    mkdirSync(join(root, `d-${directory}`));
    for (let file = 0; file < 20; file++)
      writeFileSync(join(root, `d-${directory}`, `f-${file}.txt`), "text\n".repeat(20));
  }
  writeFileSync(join(root, "large.txt"), "a line of some length\n".repeat(200_000));
  return root;
}
