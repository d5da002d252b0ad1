import type { RequestResult, ToolsetResult } from "./results.ts";

/** The right answers, the gaps that nothing told of, and the cost of all tasks. */
export interface Score {
  readonly right: number;
  readonly told: number;
  readonly silent: number;
  readonly calls: number;
  readonly tokens: number;
}

/** Sums up the tasks of a set of tools. */
export function scoreOf({ outcomes }: Pick<ToolsetResult, "outcomes">): Score {
  const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    right: count("right"),
    told: count("told"),
    silent: count("silent"),
    calls: sum(outcomes.map(({ calls }) => calls)),
    tokens: sum(outcomes.map(({ tokens }) => tokens)),
  };
}

/** What two sets cost over the tasks that both did right. */
export interface SharedCost {
  readonly tasks: number;
  /** Definitions once, then calls and answers. */
  readonly ours: number;
  readonly theirs: number;
  /** The geometric mean of theirs / ours over the tasks, without definitions: each task counts the same. */
  readonly mean: number;
  /** Tasks for which theirs needs fewer tokens. */
  readonly cheaper: number;
}

/** Compares two sets over the tasks that both did right. */
export function sharedCost(ours: ToolsetResult, theirs: ToolsetResult, without: readonly string[] = []): SharedCost {
  const costs = ours.outcomes.flatMap((own) => {
    const other = theirs.outcomes.find(({ task }) => task === own.task);
    const isShared = own.result === "right" && other?.result === "right" && !without.includes(own.task);
    return isShared ? [{ own: own.tokens, other: other.tokens }] : [];
  });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    tasks: costs.length,
    ours: ours.definitionTokens + sum(costs.map(({ own }) => own)),
    theirs: theirs.definitionTokens + sum(costs.map(({ other }) => other)),
    mean: Math.exp(sum(costs.map(({ own, other }) => Math.log(other / own))) / costs.length),
    cheaper: costs.filter(({ own, other }) => other < own).length,
  };
}

/** The cheapest rival whose answer shows at least what ours does. */
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
