import type { ToolResponse } from "@fstools/protocol";
import type { Attack } from "../attack.ts";
import { examine } from "../examine.ts";
import { createProject } from "../project.ts";
import { createVictims, createWriters, type Victim } from "../tools.ts";
import { nastyParams, type Signature } from "../values.ts";

const GROWTH_LIMIT_BYTES = 32 * 1024 * 1024;
const BATCH = 50;

/** Random calls of every tool: every answer is a sound envelope, none rejects or hangs, memory stays flat. */
export const parameters: Attack = {
  name: "parameters",
  what: "random parameters of every type, size and name, to every tool",
  minimum: { full: 100_000, short: 1000 },
  run: async ({ random, folder, tally, goOn }) => {
    const { root, paths } = createProject(folder);
    const internalErrors: unknown[] = [];
    const report = (error: unknown) => internalErrors.push(error);
    const victims = [...createVictims({ projectRoot: root }, report), ...createWriters({ projectRoot: root }, report)];
    const statuses: Record<ToolResponse["status"], number> = { success: 0, partial: 0, error: 0 };
    const once = async (): Promise<void> => {
      const victim = random.pick(victims);
      const params = nastyParams(random, signatureOf(victim, paths));
      const response = await examine(tally, victim, params, { hiddenRoot: root });
      if (response !== undefined) statuses[response.status]++;
    };
    for (let batch = 0; batch < 20; batch++) await Promise.all(Array.from({ length: BATCH }, once));
    const before = settledHeap();
    while (goOn()) await Promise.all(Array.from({ length: BATCH }, once));
    const growth = settledHeap() - before;
    if (growth > GROWTH_LIMIT_BYTES)
      tally.violation(`memory grew by ${mebibytes(growth)} over ${tally.attempts} calls`);
    for (const error of internalErrors.slice(0, 5)) tally.violation(`internal error: ${String(error)}`);
    if (statuses.success === 0 || statuses.partial === 0)
      tally.violation("not one call succeeded: the attack is blunt");
    tally.note("answers", `${statuses.success} success, ${statuses.partial} partial, ${statuses.error} error`);
    tally.note("heap growth", mebibytes(growth));
  },
};

function signatureOf({ category, parameters: names, pathParameter }: Victim, paths: readonly string[]): Signature {
  if (category === "grep") return { required: "pattern", parameters: names, samples: EXPRESSIONS };
  if (category !== "glob") return { required: pathParameter, parameters: names, samples: paths };
  const patterns = ["**/*.ts", "**/*", "*", "src/**", "app/(auth)/[...slug]/*.tsx", "{a,src}/*.{ts,tsx}", "**/[!a]*"];
  return { required: "pattern", parameters: names, samples: patterns };
}

const EXPRESSIONS = [
  ...["e", ".", "^$", "x+", "(a|b)*", String.raw`\w+\s`, "[^a]", "(?i)EXPORT", "(a+)+$", String.raw`\bend\b`],
];

function settledHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
