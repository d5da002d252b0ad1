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

/** One curve of the scaling table. */
export interface CurveResult {
  readonly work: string;
  readonly unit: "entries" | "bytes";
  readonly points: readonly { readonly size: number; readonly medianMs: number }[];
}

/** Where the numbers come from. */
export interface Machine {
  readonly date: string;
  readonly mode: "quick" | "full";
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly memory: string;
}

/** Everything that one call of the benchmark found out; the JSON file holds exactly this. */
export interface Results {
  readonly machine: Machine;
  readonly rows: readonly RowResult[];
  readonly memory: readonly MemoryResult[];
  readonly scaling: readonly CurveResult[];
}
