import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { startChild } from "../child.ts";
import type { Answer, Contender, Row } from "./row.ts";
import { spread, type Spread } from "../report/spread.ts";

export interface Measurement {
  readonly name: string;
  readonly times: Spread;
  readonly longestTickMs: number | undefined;
}

interface Effort {
  readonly warmUpMs: number;
  /** Samples for which there is always time, up to `mostMs`; half as many of rivals. */
  readonly minSamples: number;
  readonly maxSamples: number;
  /** What each contender may take for its samples, preparation included, once it has the fewest; and at most. */
  readonly budgetMs: number;
  readonly mostMs: number;
  /** A rival that needs longer than this is measured once, while the answers are compared. */
  readonly slowMs: number;
  readonly ticks: number;
}

const MAX_WARM_UP_TURNS = 200;
const [few, many] = [
  { minSamples: 2, maxSamples: 11 },
  { minSamples: 5, maxSamples: 101 },
];

export const QUICK: Effort = { ...few, warmUpMs: 50, budgetMs: 150, mostMs: 1000, slowMs: 300, ticks: 1 };
const FULL: Effort = { ...many, warmUpMs: 300, budgetMs: 1200, mostMs: 8000, slowMs: 4000, ticks: 4 };

interface Participant {
  readonly contender: Contender;
  readonly isOurs: boolean;
  readonly samples: number[];
  readonly isSlow: boolean;
  spentMs: number;
}

/** Measures a row. Each contender has a process, so that no one runs in the heap or with the compiled code of another. */
export async function measureRow(row: Row, isQuick: boolean): Promise<Measurement[]> {
  const script = fileURLToPath(new URL("./contender-process.js", import.meta.url));
  const children = (await row.contenders()).map((contender, index) => {
    const { ask: send, stop } = startChild(script, [row.id, String(index)], {});
    const ask = async (task: string): Promise<unknown> =>
      send(task).catch((error: unknown) => {
        throw new Error(`${contender.name}: ${error instanceof Error ? error.message : String(error)}`);
      });
    const remote: Contender = {
      ...contender,
      sample: async () => Number(await ask("sample")),
      answer: contender.answer && (async () => (await ask("answer")) as Answer),
      tick: contender.tick && (async () => Number(await ask("tick"))),
    };
    return { remote, stop };
  });
  try {
    const contenders = children.map(({ remote }) => remote);
    return await measureContenders(row.id, contenders, isQuick ? QUICK : FULL);
  } finally {
    for (const { stop } of children) stop();
  }
}

/** Measures all contenders of a row in turns, after seeing that their results are equal. */
export async function measureContenders(id: string, contenders: readonly Contender[], effort: Effort) {
  const participants = await compareAnswers(id, contenders, effort);
  const quick = participants.filter(({ isSlow }) => !isSlow);
  await takeTurns(quick, effort);
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
