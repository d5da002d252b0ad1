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
  /** What each contender may take for its samples, preparation included, once it has the fewest; and at most. */
  readonly budgetMs: number;
  readonly mostMs: number;
  /** A rival that needs longer than this is measured once, while the answers are compared. */
  readonly slowMs: number;
  /** How often our longest tick is looked for. */
  readonly ticks: number;
}

const MAX_WARM_UP_TURNS = 200;
const [few, many] = [
  { minSamples: 2, maxSamples: 11 },
  { minSamples: 5, maxSamples: 101 },
];

export const QUICK: Effort = { ...few, warmUpMs: 50, budgetMs: 150, mostMs: 1000, slowMs: 300, ticks: 1 };
export const FULL: Effort = { ...many, warmUpMs: 300, budgetMs: 1200, mostMs: 8000, slowMs: 4000, ticks: 4 };

/** A contender, and what is known of it. */
interface Participant {
  readonly contender: Contender;
  readonly isOurs: boolean;
  /** Those of a slow one are all that it is asked for. */
  readonly samples: number[];
  readonly isSlow: boolean;
  spentMs: number;
}

/** Measures all contenders of a row in turns, after seeing that their results are equal. */
export async function measureContenders(
  id: string,
  contenders: readonly Contender[],
  effort: Effort,
): Promise<Measurement[]> {
  const participants = await compareAnswers(id, contenders, effort);
  await takeTurns(
    participants.filter(({ isSlow }) => !isSlow),
    effort,
  );
  const measurements: Measurement[] = [];
  for (const { contender, isOurs, isSlow, samples } of participants) {
    const longestTickMs = isSlow ? undefined : await worstTick(contender, isOurs ? effort.ticks : 1, effort.mostMs / 2);
    measurements.push({ name: contender.name, times: spread(samples), longestTickMs });
  }
  return measurements;
}

/** Asks each once, which is also its warming up. @throws if two found different things, or ours failed */
async function compareAnswers(id: string, contenders: readonly Contender[], effort: Effort): Promise<Participant[]> {
  let expected: { name: string; found: readonly string[] } | undefined;
  const participants: Participant[] = [];
  for (const contender of contenders) {
    const { name } = contender;
    const isOurs = contender === contenders[0];
    let answered: Answer | undefined;
    try {
      answered = await contender.answer?.();
    } catch (error) {
      if (isOurs) throw error;
      process.stderr.write(`  without ${error instanceof Error ? error.message : String(error)}\n`);
      continue;
    }
    const { elapsedMs = 0, found } = answered ?? {};
    const isSlow = !isOurs && elapsedMs > effort.slowMs;
    participants.push({ contender, isOurs, samples: isSlow ? [elapsedMs] : [], isSlow, spentMs: 0 });
    if (!isSlow) await warmUp(contender, effort.warmUpMs - elapsedMs);
    if (found === undefined) continue;
    if (found.length === 0) throw new Error(`${id}: ${name} found nothing, so there is nothing to compare.`);
    expected ??= { name, found };
    if (!isDeepStrictEqual(found, expected.found))
      throw new Error(`${id}: ${name} and ${expected.name} differ.\n${difference(found, expected.found)}`);
  }
  return participants;
}

function difference(found: readonly string[], expected: readonly string[]): string {
  const at = found.findIndex((item, index) => item !== expected[index]);
  const where = at === -1 ? found.length : at;
  return `lengths ${found.length} and ${expected.length}; at ${where}: '${found[where] ?? ""}' and '${expected[where] ?? ""}'`;
}

async function takeTurns(participants: readonly Participant[], effort: Effort): Promise<void> {
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
  const start = performance.now();
  let worst = await tick?.();
  for (let sample = 1; tick !== undefined && sample < samples && performance.now() - start < mostMs; sample++)
    worst = Math.max(worst ?? 0, await tick());
  return worst;
}
