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

/** One whole run; the JSON file holds exactly this. Ours is the first of the sets. */
export interface Results {
  readonly machine: Machine;
  readonly toolsets: readonly ToolsetResult[];
  readonly absent: readonly { readonly title: string; readonly version: string; readonly reason: string }[];
}
