import type { ToolResponse } from "@fstools/protocol";
import { setTimeout as sleep } from "node:timers/promises";

export interface Contender {
  readonly name: string;
  /** Does the work once and returns how long it took, in milliseconds; preparation is not counted. */
  readonly sample: () => Promise<number>;
  readonly answer: (() => Promise<Answer>) | undefined;
  /** Does the work once and returns the longest event-loop tick meanwhile; undefined if it is done by a command. */
  readonly tick: (() => Promise<number>) | undefined;
}

export interface Answer {
  readonly elapsedMs: number;
  readonly found: readonly string[] | undefined;
}

/** What a row must reach: at least so many times faster than a rival, or at most so many times its time. */
export type Target =
  | { readonly rival: string; readonly fasterAtLeast: number }
  | { readonly rival: string; readonly timesAtMost: number }
  | { readonly tickAtMostMs: number }
  | { readonly medianAtMostMs: number };

export interface Row {
  readonly id: string;
  readonly work: string;
  /** A full row has large fixtures or slow rivals; quick mode leaves it out. */
  readonly mode: "quick" | "full";
  readonly targets: readonly Target[];
  readonly contenders: () => Promise<readonly Contender[]> | readonly Contender[];
}

export interface ContenderSpec<Ready, Result> {
  readonly name: string;
  readonly prepare: () => Promise<Ready> | Ready;
  readonly run: (ready: Ready) => Promise<Result>;
  readonly answer?: (result: Result) => readonly string[];
  readonly cleanUp?: (result: Result) => void;
  readonly inProcess?: boolean;
}

export function contender<Ready, Result>(spec: ContenderSpec<Ready, Result>): Contender {
  const { name, prepare, run, answer, cleanUp, inProcess = true } = spec;
  const turn = async (comparable: typeof answer): Promise<Answer> => {
    const ready = await prepare();
    const start = performance.now();
    const result = await run(ready);
    const elapsedMs = performance.now() - start;
    const found = comparable?.(result);
    cleanUp?.(result);
    return { elapsedMs, found };
  };
  const sample = async () => (await turn(undefined)).elapsedMs;
  return { name, sample, tick: inProcess ? () => longestTickMs(sample) : undefined, answer: () => turn(answer) };
}

export function plain<Result>(
  name: string,
  run: () => Promise<Result>,
  answer?: (result: Result) => readonly string[],
): Contender {
  return contender({ name, prepare: () => undefined, run, ...(answer === undefined ? {} : { answer }) });
}

export function row(
  id: string,
  work: string,
  targets: readonly Target[],
  contenders: Row["contenders"],
  mode: Row["mode"] = "quick",
): Row {
  return { id, work, mode, targets, contenders };
}

export const faster = (rival: string, fasterAtLeast: number): Target => ({ rival, fasterAtLeast });

export const within = (rival: string, timesAtMost: number): Target => ({ rival, timesAtMost });

export const SHORT_TICKS: Target = { tickAtMostMs: 50 };

export function unwrap<Data extends object>(response: ToolResponse<Data>): Data {
  if (response.status === "error") throw new Error(response.text);
  return response.data;
}

/** The longest time, in milliseconds, for which the event loop could not run a timer while `work` ran. */
export async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  await sleep(2);
  longest = 0;
  await work();
  look();
  clearInterval(timer);
  return longest;
}
