import { milliseconds, table } from "../report/table.ts";
import { limitTable } from "./limits.ts";
import type { MemoryResult, Results, RowResult } from "./results.ts";
import { times } from "./verdict.ts";

/** The rows that the front page shows, in its order. */
const HEADLINES = [
  "glob-first-page",
  "grep-rare-literal",
  "grep-common",
  "ls-first-page-1000000",
  "read-first-page-2-GB",
  "read-middle-page-2-GB",
  "edit-1m",
];

/** The tables of a report, each under a name by which a document can hold it. */
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

/** Our median and the others', of the last run, for rows that were measured. */
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

/** Each row's medians of the last run, the others' in times of ours. */
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

/** The targets that did not hold in each run, and what was reached. */
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
