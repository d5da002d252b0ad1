import { longestTickMs } from "./longest-tick.ts";

/** One way to do the work of a row. */
export interface Contender {
  readonly name: string;
  /** Does the work once and tells how long it took, in milliseconds; preparation is not counted. */
  readonly sample: () => Promise<number>;
  /** Does the work once and tells the result in a form in which all contenders' results must be equal. */
  readonly answer: (() => Promise<readonly string[]>) | undefined;
  /** Does the work once and tells the longest event-loop tick meanwhile; undefined if it is done by a command. */
  readonly tick: (() => Promise<number>) | undefined;
  /** A slow one is measured no more often than this. */
  readonly maxSamples: number;
}

/** What a row must reach: at least so many times faster than a rival, or at most so many times its time. */
export type Target =
  | { readonly rival: string; readonly fasterAtLeast: number }
  | { readonly rival: string; readonly timesAtMost: number }
  | { readonly tickAtMostMs: number };

/** One line of the table: the same work, done by us and by the rivals. */
export interface Row {
  readonly id: string;
  readonly work: string;
  /** A full row has large fixtures or slow rivals; quick mode leaves it out. */
  readonly mode: "quick" | "full";
  readonly targets: readonly Target[];
  /** The first contender is ours. Fixtures are generated here. */
  readonly contenders: () => Promise<readonly Contender[]> | readonly Contender[];
}

/** How to build a contender whose work returns a `Result`. */
export interface ContenderSpec<Ready, Result> {
  readonly name: string;
  /** Runs before each sample, not timed. */
  readonly prepare: () => Promise<Ready> | Ready;
  readonly run: (ready: Ready) => Promise<Result>;
  /** The result in a form that can be compared; left out where there is nothing to compare. */
  readonly answer?: (result: Result) => readonly string[];
  /** Runs after each sample, not timed. */
  readonly cleanUp?: (result: Result) => void;
  readonly inProcess?: boolean;
  readonly maxSamples?: number;
}

export function contender<Ready, Result>(spec: ContenderSpec<Ready, Result>): Contender {
  const { name, prepare, run, answer, cleanUp, inProcess = true, maxSamples = Infinity } = spec;
  const sample = async () => {
    const ready = await prepare();
    const start = performance.now();
    const result = await run(ready);
    const elapsedMs = performance.now() - start;
    cleanUp?.(result);
    return elapsedMs;
  };
  return {
    name,
    maxSamples,
    sample,
    tick: inProcess ? () => longestTickMs(sample) : undefined,
    answer:
      answer &&
      (async () => {
        const result = await run(await prepare());
        const comparable = answer(result);
        cleanUp?.(result);
        return comparable;
      }),
  };
}

/** Nothing to prepare. */
export function nothing(): undefined {
  return undefined;
}
