import { createGrepTool } from "@fstools/grep";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { withoutLeak } from "../processes.ts";
import type { Victim } from "../examine.ts";
import type { Random } from "../random.ts";
import { victimOf } from "../tools.ts";

const ENTRIES = 30_000;
/** Generous: the machine may be busy with other things. */
const PROMPTLY_MS = 2000;
const LIMIT_MS = 300;
const DELAYS = [0, 1, 2, 5, 10, 20, 40, 100, 1000];

export const aborts: Attack = {
  name: "aborts",
  what: "aborts calls before, during and after the work, by hand, by timeout and by a tool's own limit",
  minimum: { full: 2000, short: 20 },
  run: async ({ random, root, tally, tools, repeat }) => {
    createSlowTree(root);
    const { readers, call } = tools();
    await Promise.all(readers.map((victim) => victim.run(slowParams(victim))));
    const once = async (victim: Victim, delays: readonly number[]): Promise<void> => {
      const { signal, abortedAt } = someSignal(random, random.pick(delays));
      const response = await call(victim, slowParams(victim), { signal });
      const late = performance.now() - abortedAt();
      if (late > PROMPTLY_MS) tally.violation(`${victim.name} answered ${late.toFixed(0)} ms after the abort`);
      tally.saw(response?.error?.message ?? String(response?.status));
      if (response?.status === "error" && !response.text.startsWith("Aborted by the caller.")) {
        tally.violation(`${victim.name} was aborted and says: ${response.text}`);
      }
    };
    const options = { projectRoot: root, ripgrepPath: false, maxDurationMs: LIMIT_MS } as const;
    const limited = victimOf("Grep in JavaScript", createGrepTool(options));
    const overtime = async (): Promise<void> => {
      const startedAt = performance.now();
      await call(limited, slowParams(limited));
      const late = performance.now() - startedAt - LIMIT_MS;
      if (late > PROMPTLY_MS) tally.violation(`${limited.name} answered ${late.toFixed(0)} ms after its time was over`);
    };
    // Under way when it is aborted, in the middle of what nothing can interrupt.
    const slowest = readers.filter(({ name }) => name === "Grep in JavaScript");
    const shapes = [overtime, () => once(random.pick(slowest), [300])];
    await withoutLeak(tally, () =>
      repeat(10, (turn) => (shapes[turn % 10] ?? (() => once(random.pick(readers), DELAYS)))()),
    );
  },
};

function someSignal(random: Random, delayMs: number): { signal: AbortSignal; abortedAt: () => number } {
  const end = performance.now() + delayMs;
  if (random.chance(0.3)) return { signal: AbortSignal.timeout(delayMs), abortedAt: () => end };
  const controller = new AbortController();
  const reason = random.pick<unknown>(["why not", undefined, 0, new Error("x")]);
  const abort = () => controller.abort(reason);
  const when = random.fraction();
  if (when < 0.2) abort();
  else if (when < 0.4) queueMicrotask(abort);
  else void sleep(delayMs).then(abort);
  return { signal: controller.signal, abortedAt: () => end };
}

function slowParams(victim: Victim): object {
  if (victim.category === "glob") return { pattern: "**/*9.txt", limit: 200 };
  // It takes re2js seconds for 48 KB of letters.
  if (victim.name === "Grep in JavaScript") return { pattern: String.raw`(\p{L}{1,1000})+\d` };
  if (victim.category === "grep") return { pattern: "zz|length z", limit: 200 };
  if (victim.category === "ls") return { path: "many", offset: 15_000 };
  return { [victim.pathParameter]: victim.name === "Read" ? "large.txt" : "many" };
}

function createSlowTree(root: string): void {
  mkdirSync(join(root, "many"));
  for (let index = 0; index < ENTRIES; index++) writeFileSync(join(root, "many", `file-${index}.txt`), "");
  writeFileSync(join(root, "a.txt"), "xyxyyxyx".repeat(50_000));
  writeFileSync(join(root, "large.txt"), "a line of some length\n".repeat(4_000_000));
}
