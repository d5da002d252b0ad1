import type { Machine } from "../report/machine.ts";
import { milliseconds, table } from "../report/table.ts";
import type { Measurement } from "./measure.ts";
import { times, type Verdict } from "./verdict.ts";

export interface RowResult {
  readonly id: string;
  readonly work: string;
  readonly runs: readonly { readonly measurements: readonly Measurement[]; readonly verdicts: readonly Verdict[] }[];
}

export interface MemoryResult {
  readonly work: string;
  readonly limitBytes: number | undefined;
  readonly growthBytes: readonly number[];
}

export interface Results {
  readonly machine: Machine;
  readonly rows: readonly RowResult[];
  readonly memory: readonly MemoryResult[];
}

const HEADLINES = [
  "glob-first-page",
  "grep-rare-literal",
  "grep-common",
  "ls-first-page-1000000",
  "read-first-page-2-GB",
  "read-middle-page-2-GB",
  "edit-1m",
];

export function sections({ machine, rows, memory }: Results) {
  const runs = rows[0]?.runs.length ?? 0;
  const { date, mode, node, system, processor, memory: ram } = machine;
  return {
    headline: headlineTable(rows),
    machine: `Measured on ${date}: ${processor}, ${ram}, ${system}, Node ${node}; ${mode} mode, ${runs} ${runs === 1 ? "run" : "runs in a row"}.`,
    times: timeTable(rows),
    missed: missedTable(rows),
    memory: memoryTable(memory),
    limits: limitTable(rows),
  };
}

function headlineTable(rows: readonly RowResult[]): string {
  const lines = HEADLINES.flatMap((id) => {
    const row = rows.find((candidate) => candidate.id === id);
    const [ours, ...others] = row?.runs.at(-1)?.measurements ?? [];
    if (row === undefined || ours === undefined) return [];
    const rivals = others.map(({ name, times: { median } }) => `${name} ${milliseconds(median)}`).join(", ");
    return [[row.work, milliseconds(ours.times.median), rivals]];
  });
  return table(["", "fstools", "others"], lines);
}

function timeTable(rows: readonly RowResult[]): string {
  const lines = rows.flatMap(({ work, runs }) => {
    const [ours, ...others] = runs.at(-1)?.measurements ?? [];
    if (ours === undefined) return [];
    const { median } = ours.times;
    const rivals = others.map(({ name, times: theirs }) => `${name} ${times(theirs.median / median)}`).join(", ");
    const tick = ours.longestTickMs === undefined ? "" : `${ours.longestTickMs.toFixed(0)}ms`;
    return [[work, milliseconds(median), tick, rivals]];
  });
  return table(["work", "ours", "tick", "others, in times of ours"], lines);
}

function missedTable(rows: readonly RowResult[]): string {
  const lines = rows.flatMap(({ work, runs }) =>
    (runs[0]?.verdicts ?? []).flatMap(({ target }, index) => {
      const all = runs.flatMap(({ verdicts }) => verdicts[index] ?? []);
      return all.every(({ holds }) => holds) ? [] : [[work, target, all.map(({ reached }) => reached).join(", ")]];
    }),
  );
  return table(["work", "target", "reached, run by run"], lines);
}

function memoryTable(memory: readonly MemoryResult[]): string {
  return table(
    ["work", "at most", "grew by"],
    memory.map(({ work, limitBytes, growthBytes }) => {
      const isOver = limitBytes !== undefined && growthBytes.some((bytes) => bytes > limitBytes);
      const grown = growthBytes.map(mebibytes).join(", ");
      return [work, limitBytes === undefined ? "" : mebibytes(limitBytes), isOver ? `**${grown}**` : grown];
    }),
  );
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Where the tools' own limits apply, by what was measured: each pass costs the same for each entry or byte. */
export function limitTable(rows: readonly RowResult[]): string {
  const perUnitMs = (id: string, units: number) => {
    const median = rows.find((row) => row.id === id)?.runs.at(-1)?.measurements[0]?.times.median;
    return median === undefined ? undefined : median / units;
  };
  const glob = perUnitMs("glob-flat", 100_000);
  const ls = perUnitMs("ls-first-page-1000000", 1_000_000);
  const read = perUnitMs("read-first-page-2-GB", 2);
  if (ls === undefined || glob === undefined || read === undefined) return "";
  const millions = (entries: number) => `${(entries / 1_000_000).toFixed(1)} million`;
  return table(
    ["tool", "limit", "where it applies"],
    [
      ["Glob", "20,000 entries visited", `in every larger tree, after about ${milliseconds(glob * 20_000)}`],
      ["Glob", "2 s", `at about ${millions(2000 / glob)} entries, if the host lifts the limit above`],
      ["LS", "5 s", `at about ${millions(5000 / ls)} entries of one directory`],
      ["Read", "10 s", `at about ${(10_000 / read).toFixed(0)} GB that are in memory`],
      ["Edit", "16 MiB", "at that size: a larger file is refused"],
    ],
  );
}

/**
 * Earlier results with what was measured now in their place; rows that no longer exist go.
 * A row's contenders are always of one run, so its ratios stay true beside older rows.
 */
export function mergeResults(earlier: Results, now: Results, rows: readonly { readonly id: string }[]): Results {
  const measured = new Map([...earlier.rows, ...now.rows].map((row) => [row.id, row]));
  const memory = new Map([...earlier.memory, ...now.memory].map((one) => [one.work, one]));
  return { machine: now.machine, rows: rows.flatMap(({ id }) => measured.get(id) ?? []), memory: [...memory.values()] };
}
