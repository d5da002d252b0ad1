import { isDeepStrictEqual } from "node:util";
import type { Answer, Contender } from "./row.ts";
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
  /** Samples for which there is always time, up to `mostMs`; half as many of rivals. */
  readonly minSamples: number;
  readonly maxSamples: number;
  /** What each contender may take for its samples, preparation included, once it has the fewest. */
  readonly budgetMs: number;
  /** What each contender may take however few samples it has. */
  readonly mostMs: number;
  /** Who needs longer than this is measured once, while the answers are compared. */
  readonly slowMs: number;
  /** How often our longest tick is looked for. */
  readonly ticks: number;
}

const MAX_WARM_UP_TURNS = 200;

export const QUICK: Effort = {
  warmUpMs: 50,
  minSamples: 2,
  maxSamples: 11,
  budgetMs: 150,
  mostMs: 1000,
  slowMs: 300,
  ticks: 1,
};
export const FULL: Effort = {
  warmUpMs: 300,
  minSamples: 5,
  maxSamples: 101,
  budgetMs: 1200,
  mostMs: 8000,
  slowMs: 4000,
  ticks: 4,
};

/** A contender, and what is known of it. */
interface Participant {
  readonly contender: Contender;
  readonly isOurs: boolean;
  /** The time of its first turn, while the answers were compared; undefined if it had none. */
  readonly firstMs: number | undefined;
  /** Whether that is all it is asked for. */
  readonly isSlow: boolean;
  readonly samples: number[];
  spentMs: number;
}

/** Measures all contenders of a row in turns, after seeing that their results are equal. */
export async function measureContenders(
  id: string,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<Measurement[]> {
  const participants = await compareAnswers(id, contenders, effort);
  await takeTurns(participants, effort);
  const measurements: Measurement[] = [];
  for (const { contender, isOurs, firstMs = NaN, isSlow, samples } of participants) {
    measurements.push({
      name: contender.name,
      times: spread(isSlow ? [firstMs] : samples),
      longestTickMs: isSlow ? undefined : await worstTick(contender, isOurs ? effort.ticks : 1, effort.mostMs / 2),
    });
  }
  return measurements;
}

/** @throws if two contenders found different things */
async function compareAnswers(id: string, contenders: readonly Contender[], effort: Effort): Promise<Participant[]> {
  let expected: { name: string; found: readonly string[] } | undefined;
  const participants: Participant[] = [];
  for (const [index, contender] of contenders.entries()) {
    const { name } = contender;
    const answered = await askedOnce(contender, index === 0);
    if (answered === "failed") continue;
    const firstMs = answered?.elapsedMs;
    const isSlow = firstMs !== undefined && index > 0 && firstMs > effort.slowMs;
    participants.push({ contender, isOurs: index === 0, firstMs, isSlow, samples: [], spentMs: 0 });
    if (answered?.found === undefined) continue;
    const { found } = answered;
    if (found.length === 0) throw new Error(`${id}: ${name} found nothing, so there is nothing to compare.`);
    expected ??= { name, found };
    if (!isDeepStrictEqual(found, expected.found)) {
      throw new Error(`${id}: ${name} and ${expected.name} differ.\n${difference(found, expected.found)}`);
    }
  }
  return participants;
}

/** A rival that can't do its work takes no part; ours must. */
async function askedOnce({ answer }: Contender, isOurs: boolean): Promise<Answer | "failed" | undefined> {
  try {
    return await answer?.();
  } catch (error) {
    if (isOurs) throw error;
    process.stderr.write(`  without ${error instanceof Error ? error.message : String(error)}\n`);
    return "failed";
  }
}

function difference(found: readonly string[], expected: readonly string[]): string {
  const at = found.findIndex((item, index) => item !== expected[index]);
  const where = at === -1 ? found.length : at;
  return `lengths ${found.length} and ${expected.length}; at ${where}: '${found[where] ?? ""}' and '${expected[where] ?? ""}'`;
}

async function takeTurns(all: readonly Participant[], effort: Effort): Promise<void> {
  const participants = all.filter(({ isSlow }) => !isSlow);
  for (const { contender, firstMs = 0 } of participants) await warmUp(contender, effort.warmUpMs - firstMs);
  for (let round = 0; participants.some((one) => wantsTurn(one, effort)); round++) {
    for (let turn = 0; turn < participants.length; turn++) {
      // Another one begins each round: no one always runs after the same neighbour.
      const participant = participants[(round + turn) % participants.length];
      if (participant === undefined || !wantsTurn(participant, effort)) continue;
      const start = performance.now();
      participant.samples.push(await participant.contender.sample());
      participant.spentMs += performance.now() - start;
    }
  }
}

function wantsTurn({ isOurs, samples, spentMs }: Participant, effort: Effort): boolean {
  const fewest = isOurs ? effort.minSamples : Math.ceil(effort.minSamples / 2);
  return samples.length < effort.maxSamples && spentMs < (samples.length < fewest ? effort.mostMs : effort.budgetMs);
}

/** Unmeasured turns. */
async function warmUp({ sample }: Contender, warmUpMs: number): Promise<void> {
  const start = performance.now();
  for (let turn = 0; turn < MAX_WARM_UP_TURNS && performance.now() - start < warmUpMs; turn++) await sample();
}

async function worstTick({ tick }: Contender, samples: number, mostMs: number): Promise<number | undefined> {
  if (tick === undefined) return undefined;
  const start = performance.now();
  let worst = await tick();
  for (let sample = 1; sample < samples && performance.now() - start < mostMs; sample++) {
    worst = Math.max(worst, await tick());
  }
  return worst;
}
