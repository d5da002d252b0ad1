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

/** Tokens of both sets over the tasks that both did right: definitions once, then calls and answers. */
export function sharedTokens(ours: ToolsetResult, theirs: ToolsetResult, without: readonly string[] = []) {
  const isRight = ({ outcomes }: ToolsetResult, task: string) =>
    outcomes.some((outcome) => outcome.task === task && outcome.result === "right");
  const tasks = ours.outcomes
    .map(({ task }) => task)
    .filter((task) => !without.includes(task) && isRight(ours, task) && isRight(theirs, task));
  const tokens = ({ definitionTokens, outcomes }: ToolsetResult) =>
    outcomes.reduce((sum, outcome) => sum + (tasks.includes(outcome.task) ? outcome.tokens : 0), definitionTokens);
  return { tasks: tasks.length, ours: tokens(ours), theirs: tokens(theirs) };
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
