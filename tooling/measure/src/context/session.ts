import { countTokens } from "./tokens.ts";
import type { Call, Session } from "./drivers/driver.ts";
import type { Answer } from "../rivals/start-host.ts";

/** No task may take more calls. */
const MAX_CALLS = 30;

/** A task that took too many calls. */
export class OutOfCalls extends Error {}

/** What a task has cost so far. */
interface Cost {
  calls: number;
  /** Of the answers, and of the calls' names and parameters, which the model writes. */
  tokens: number;
  elapsedMs: number;
}

/** A session that counts, and what it has counted. */
export interface CountedSession {
  readonly session: Session;
  readonly cost: Cost;
  /** What answers said about their own gaps. */
  readonly doubts: readonly string[];
}

/** Counts every call of one task. */
export function countedSession(call: (...call: Call) => Promise<Answer>): CountedSession {
  const cost: Cost = { calls: 0, tokens: 0, elapsedMs: 0 };
  const doubts: string[] = [];
  return {
    cost,
    doubts,
    session: {
      call: async (tool, params) => {
        if (cost.calls === MAX_CALLS) throw new OutOfCalls(`More than ${MAX_CALLS} calls.`);
        const { text, elapsedMs } = await call(tool, params);
        cost.calls++;
        cost.tokens += countTokens(text) + countTokens(`${tool}${JSON.stringify(params)}`);
        cost.elapsedMs += elapsedMs;
        return text;
      },
      doubt: (notice) => {
        doubts.push(notice);
      },
    },
  };
}
