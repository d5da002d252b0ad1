import type { Params } from "../params.ts";
import type { Observation } from "./observation.ts";

/** A tool call as the planner thinks of it; the flavour of Read is settled where the call leaves the model. */
export interface Call {
  readonly tool: "LS" | "Glob" | "Grep" | "Read" | "Edit" | "Write";
  readonly params: Params;
}

/** One step: what the planner says, and what it looks at or changes. */
export interface Look {
  readonly say: string;
  readonly calls: readonly Call[];
}

/**
 * A course of action that yields looks and is given what they showed, one observation per call.
 *
 * It gets nothing once no more calls are allowed; it must then come to its result with what it has.
 */
export type Investigation<Result> = Generator<Look, Result, readonly Observation[]>;

/** One look with one call. */
export function* look(say: string, tool: Call["tool"], params: Params): Investigation<Observation | undefined> {
  const [observation] = yield { say, calls: [{ tool, params }] };
  return observation;
}

/**
 * Replays an investigation over what was seen so far; returns the look that comes next, or the result.
 *
 * The model keeps no state between calls: the conversation is the state, and the planner is deterministic.
 */
export function advance<Result>(
  investigation: Investigation<Result>,
  seen: readonly Observation[],
  mayLook: boolean,
): { readonly look: Look } | { readonly result: Result } {
  let used = 0;
  let step = investigation.next();
  while (!step.done) {
    const known = seen.slice(used, used + step.value.calls.length);
    if (mayLook && known.length < step.value.calls.length) return { look: step.value };
    used += known.length;
    step = investigation.next(known);
  }
  return { result: step.value };
}
