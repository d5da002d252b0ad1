import { isDeepStrictEqual } from "node:util";
import type { Contender } from "./row.ts";
import { spread, type Spread } from "./spread.ts";

/** What one contender needed. */
export interface Measurement {
  readonly name: string;
  readonly times: Spread;
  /** Undefined for commands and for slow rivals. */
  readonly longestTickMs: number | undefined;
}

/** When to stop taking samples. */
interface Effort {
  /** How long each contender works unmeasured, so that no one pays for compilation. */
  readonly warmUpMs: number;
  readonly minRounds: number;
  readonly maxRounds: number;
  readonly budgetMs: number;
  /** How often our longest tick is looked for. */
  readonly ticks: number;
}

const MAX_WARM_UP_TURNS = 200;

export const QUICK: Effort = { warmUpMs: 100, minRounds: 2, maxRounds: 15, budgetMs: 1000, ticks: 2 };
export const FULL: Effort = { warmUpMs: 500, minRounds: 7, maxRounds: 101, budgetMs: 8000, ticks: 5 };

/** Measures all contenders of a row in turns, after seeing that their results are equal. */
export async function measureContenders(
  id: string,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<Measurement[]> {
  await assertEqualAnswers(id, contenders);
  const samples = await takeTurns(contenders, effort);
  const measurements: Measurement[] = [];
  for (const [index, contender] of contenders.entries()) {
    measurements.push({
      name: contender.name,
      times: spread(samples[index] ?? []),
      longestTickMs: await worstTick(contender, index === 0 ? effort.ticks : 1),
    });
  }
  return measurements;
}

/** @throws if two contenders found different things */
async function assertEqualAnswers(id: string, contenders: readonly Contender[]): Promise<void> {
  let expected: { name: string; answer: readonly string[] } | undefined;
  for (const { name, answer } of contenders) {
    if (answer === undefined) continue;
    const found = await answer();
    if (found.length === 0) throw new Error(`${id}: ${name} found nothing, so there is nothing to compare.`);
    expected ??= { name, answer: found };
    if (!isDeepStrictEqual(found, expected.answer)) {
      throw new Error(`${id}: ${name} and ${expected.name} differ.\n${difference(found, expected.answer)}`);
    }
  }
}

function difference(found: readonly string[], expected: readonly string[]): string {
  const at = found.findIndex((item, index) => item !== expected[index]);
  const where = at === -1 ? found.length : at;
  return `lengths ${found.length} and ${expected.length}; at ${where}: '${found[where] ?? ""}' and '${expected[where] ?? ""}'`;
}

async function takeTurns(contenders: readonly Contender[], effort: Effort): Promise<number[][]> {
  const samples: number[][] = contenders.map(() => []);
  for (const contender of contenders) await warmUp(contender, effort.warmUpMs);
  const start = performance.now();
  for (let round = 0; round < effort.maxRounds; round++) {
    if (round >= effort.minRounds && performance.now() - start > effort.budgetMs) break;
    for (let turn = 0; turn < contenders.length; turn++) {
      // Another one begins each round: no one always runs after the same neighbour.
      const index = (round + turn) % contenders.length;
      const contender = contenders[index];
      const taken = samples[index];
      if (contender === undefined || taken === undefined || taken.length >= contender.maxSamples) continue;
      taken.push(await contender.sample());
    }
  }
  return samples;
}

/** Unmeasured turns; a slow contender has had its turn when its answer was compared. */
async function warmUp({ sample, maxSamples }: Contender, warmUpMs: number): Promise<void> {
  if (maxSamples < Infinity) return;
  const start = performance.now();
  for (let turn = 0; turn < MAX_WARM_UP_TURNS && performance.now() - start < warmUpMs; turn++) await sample();
}

async function worstTick({ tick, maxSamples }: Contender, samples: number): Promise<number | undefined> {
  if (tick === undefined || maxSamples < Infinity) return undefined;
  let worst = 0;
  for (let sample = 0; sample < samples; sample++) worst = Math.max(worst, await tick());
  return worst;
}
