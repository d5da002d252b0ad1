import type { Machine } from "../report/machine.ts";
import type { Outcome } from "./run-task.ts";

/** Our own set with lines that have no numbers: a row of its own, and no rival. */
export const BARE = "fstools-bare";

export interface ToolsetResult {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly tools: readonly string[];
  readonly definitionTokens: number;
  readonly requests: readonly RequestResult[];
  readonly outcomes: readonly Outcome[];
}

export interface RequestResult {
  readonly request: string;
  readonly tokens: number;
  readonly shown: number;
  readonly showsOurs: boolean;
}

export function contenders({ toolsets }: Pick<Results, "toolsets">): readonly ToolsetResult[] {
  return toolsets.filter(({ id }) => id !== BARE);
}

export interface Results {
  readonly machine: Machine;
  readonly toolsets: readonly ToolsetResult[];
  readonly absent: readonly { readonly title: string; readonly version: string; readonly reason: string }[];
}

export interface Score extends Record<Outcome["result"], number> {
  readonly calls: number;
  readonly tokens: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function scoreOf({ outcomes }: Pick<ToolsetResult, "outcomes">): Score {
  const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length;
  return {
    right: count("right"),
    told: count("told"),
    silent: count("silent"),
    calls: sum(outcomes.map(({ calls }) => calls)),
    tokens: sum(outcomes.map(({ tokens }) => tokens)),
  };
}

export function byScore(toolsets: readonly ToolsetResult[]): ToolsetResult[] {
  return [...toolsets].sort(
    (one, other) => scoreOf(other).right - scoreOf(one).right || scoreOf(one).silent - scoreOf(other).silent,
  );
}

export interface SharedCost {
  readonly tasks: number;
  readonly ours: number;
  readonly theirs: number;
  /** The geometric mean of theirs / ours over the tasks, without definitions: each task counts the same. */
  readonly mean: number;
  readonly cheaper: number;
}

export function sharedCost(ours: ToolsetResult, theirs: ToolsetResult, without: readonly string[] = []): SharedCost {
  const costs = ours.outcomes.flatMap((own) => {
    const other = theirs.outcomes.find(({ task }) => task === own.task);
    const isShared = own.result === "right" && other?.result === "right" && !without.includes(own.task);
    return isShared ? [{ own: own.tokens, other: other.tokens }] : [];
  });
  return {
    tasks: costs.length,
    ours: ours.definitionTokens + sum(costs.map(({ own }) => own)),
    theirs: theirs.definitionTokens + sum(costs.map(({ other }) => other)),
    mean: Math.exp(sum(costs.map(({ own, other }) => Math.log(other / own))) / costs.length),
    cheaper: costs.filter(({ own, other }) => other < own).length,
  };
}

export function cheapestSame(
  request: string,
  rivals: readonly ToolsetResult[],
): { readonly rival: ToolsetResult; readonly result: RequestResult } | undefined {
  return rivals
    .flatMap((rival) => {
      const result = rival.requests.find((candidate) => candidate.request === request);
      return result?.showsOurs === true ? [{ rival, result }] : [];
    })
    .sort((one, other) => one.result.tokens - other.result.tokens)[0];
}

/** Whether an answer of ours is as cheap as it has to be: 1.05 times the cheapest that shows the same, or ten tokens more. */
export function isCheapEnough(tokens: number, cheapest: number): boolean {
  return tokens <= Math.max(cheapest * 1.05, cheapest + 10);
}
