import type { Machine } from "../report/machine.ts";
import type { Measurement } from "./measure.ts";
import type { Verdict } from "./verdict.ts";

/** One row as it was measured, run by run. */
export interface RowResult {
  readonly id: string;
  readonly work: string;
  readonly runs: readonly { readonly measurements: readonly Measurement[]; readonly verdicts: readonly Verdict[] }[];
}

/** How far memory grew in one run: the peak over what it was before the first call. */
export interface MemoryResult {
  readonly work: string;
  /** Undefined where there is no target. */
  readonly limitBytes: number | undefined;
  readonly growthBytes: readonly number[];
}

/** Everything that one call of the benchmark found out; the JSON file holds exactly this. */
export interface Results {
  readonly machine: Machine;
  readonly rows: readonly RowResult[];
  readonly memory: readonly MemoryResult[];
}

/**
 * Earlier results with what was measured now in their place; rows that no longer exist go.
 * A row's contenders are always of one run, so its ratios stay true beside older rows.
 */
export function mergeResults(earlier: Results, now: Results, rows: readonly { readonly id: string }[]): Results {
  const measured = new Map([...earlier.rows, ...now.rows].map((row) => [row.id, row]));
  const memory = new Map([...earlier.memory, ...now.memory].map((one) => [one.work, one]));
  return {
    machine: now.machine,
    rows: rows.flatMap(({ id }) => measured.get(id) ?? []),
    memory: [...memory.values()],
  };
}
