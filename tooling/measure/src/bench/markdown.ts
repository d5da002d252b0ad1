import { exponents } from "./growth.ts";
import { limitTable } from "./limits.ts";
import type { MemoryResult, Results, RowResult } from "./results.ts";
import { times } from "./verdict.ts";
import { milliseconds, size } from "../report/format.ts";
import { table } from "../report/table.ts";

type SectionName = "headline" | "machine" | "targets" | "medians" | "memory" | "scaling" | "limits";

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
export function sections(results: Results): Record<SectionName, string> {
  return {
    headline: headlineTable(results.rows),
    machine: machineLine(results),
    targets: targetTable(results),
    medians: medianTable(results.rows),
    memory: memoryTable(results.memory),
    scaling: scalingTable(results),
    limits: limitTable(results.scaling),
  };
}

function machineLine({ machine, rows }: Results): string {
  const runs = rows[0]?.runs.length ?? 0;
  const { date, mode, node, system, processor, memory } = machine;
  return `Measured on ${date}: ${processor}, ${memory}, ${system}, Node ${node}; ${mode} mode, ${runs} ${runs === 1 ? "run" : "runs in a row"}.`;
}

/** One line per target: what was reached in each run. */
function targetTable({ rows, memory }: Results): string {
  const lines = rows.flatMap(({ work, runs }) =>
    (runs[0]?.verdicts ?? []).map(({ target }, index) => {
      const all = runs.flatMap(({ verdicts }) => verdicts[index] ?? []);
      return [work, target, all.map(({ reached }) => reached).join(", "), holds(all.every((one) => one.holds))];
    }),
  );
  const memoryLines = memory.flatMap(({ work, limitBytes, growthBytes }) => {
    if (limitBytes === undefined) return [];
    const reached = growthBytes.map(mebibytes).join(", ");
    return [
      [work, `peak RSS growth ≤ ${mebibytes(limitBytes)}`, reached, holds(growthBytes.every((by) => by <= limitBytes))],
    ];
  });
  return table(["work", "target", "reached, run by run", "holds"], [...lines, ...memoryLines]);
}

function holds(yes: boolean): string {
  return yes ? "yes" : "**no**";
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

/** Every contender's median, spread and ratio to ours, of the last run. */
function medianTable(rows: readonly RowResult[]): string {
  const lines = rows.flatMap(({ work, runs }) => {
    const measurements = runs.at(-1)?.measurements ?? [];
    const ours = measurements[0]?.times.median ?? NaN;
    return measurements.map(({ name, times: spread, longestTickMs }, index) => [
      index === 0 ? work : "",
      index === 0 ? `**${name}**` : name,
      milliseconds(spread.median),
      `${milliseconds(spread.lowerQuartile)} to ${milliseconds(spread.upperQuartile)}`,
      String(spread.samples),
      times(spread.median / ours),
      longestTickMs === undefined ? "" : milliseconds(longestTickMs),
    ]);
  });
  return table(["work", "contender", "median", "middle half", "samples", "of ours", "longest tick"], lines);
}

function memoryTable(memory: readonly MemoryResult[]): string {
  return table(
    ["work", "RSS growth, run by run"],
    memory.map(({ work, growthBytes }) => [work, growthBytes.map(mebibytes).join(", ")]),
  );
}

function scalingTable({ scaling }: Results): string {
  const lines = scaling.flatMap((curve) => {
    const growth = exponents(curve);
    return curve.points.map(({ size: amount, medianMs }, index) => [
      index === 0 ? curve.work : "",
      size(amount, curve.unit),
      milliseconds(medianMs),
      index === 0 ? "" : (growth[index - 1] ?? NaN).toFixed(2),
    ]);
  });
  return table(["work", "input", "median", "growth exponent"], lines);
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
